import Foundation
import HTTP
import HTTPServing
import TestSupport
import Testing
import Threading

@testable import Registry

/// Uploads to a server that keeps files, as indy-tails-server does.
@Suite struct TailsServerTests {
  private let folder: TemporaryFolder
  private let path: String
  private let shop = Shop()

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path + "/file"
    try Data("the tails".utf8).write(to: URL(filePath: path))
  }

  private func publish(on server: HTTPServer, base: String = "") throws -> String {
    let tails = try #require(TailsServer(base: server.endpoint + base, pause: 1))
    return try tails.publish(path, hash: "abc")
  }

  @Test func aFileIsUploadedOnce() throws {
    let server = try shop.open()
    #expect(try publish(on: server) == server.endpoint + "/hash/abc")
    #expect(try publish(on: server, base: "/") == server.endpoint + "/hash/abc")
    #expect(shop.uploads == ["/hash/abc"])
    let form = try #require(shop.files["/hash/abc"])
    #expect(form.contains("name=\"tails\"") && form.contains("\r\n\r\nthe tails\r\n"))
  }

  @Test func aFileThatCannotBeReadIsNoFaultOfTheServer() throws {
    try FileManager.default.removeItem(atPath: path)
    let server = try shop.open()
    let error = #expect(throws: PublicationError.self) { try publish(on: server) }
    guard case .refused(let reason) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason.hasPrefix("the tails file cannot be read"))
    #expect(shop.uploads.isEmpty)
  }

  @Test func anUploadWhoseAnswerWasLostIsNotRepeated() throws {
    shop.failures = [.afterTheUpload]
    let server = try shop.open()
    #expect(try publish(on: server) == server.endpoint + "/hash/abc")
    #expect(shop.uploads == ["/hash/abc"])
  }

  @Test func aServerInTroubleIsAskedThreeTimes() throws {
    shop.failures = [.beforeTheUpload, .beforeTheUpload]
    let server = try shop.open()
    #expect(try publish(on: server) == server.endpoint + "/hash/abc")
    shop.files = [:]
    shop.failures = [.beforeTheUpload, .beforeTheUpload, .beforeTheUpload]
    let error = #expect(throws: PublicationError.self) { try publish(on: server) }
    #expect("\(error.map { "\($0)" } ?? "")".contains("\(server.endpoint) answers HTTP 503: closed"))
  }

  @Test func anotherProcessMayHaveUploadedTheFileMeanwhile() throws {
    shop.failures = [.conflict]
    let server = try shop.open()
    #expect(try publish(on: server) == server.endpoint + "/hash/abc")
  }

  @Test func aRefusalIsFinalAndHasTheServersReason() throws {
    shop.failures = [.refusal]
    let server = try shop.open()
    let reason = "the tails server \(server.endpoint) answers HTTP 400: no such hash"
    #expect(throws: PublicationError.refused(reason)) { try publish(on: server) }
    #expect(shop.uploads == ["/hash/abc"])
  }

  /// A server that is busy is asked again, and one that refuses is not.
  @Test(arguments: [(429, 3), (500, 3), (599, 3), (404, 1), (401, 1), (499, 1)]) func eachStatusHasItsMeaning(
    status: Int, attempts: Int
  ) throws {
    let uploads = Locked(0)
    let server = try HTTPServer { request in
      guard request.method == "PUT" else { return HTTPServer.Response(status: 404) }
      uploads.withLock { $0 += 1 }
      return HTTPServer.Response(status: status, body: [UInt8](repeating: 0x78, count: 300))
    }
    let error = #expect(throws: PublicationError.self) { try publish(on: server) }
    let text = "the tails server \(server.endpoint) answers HTTP \(status): " + String(repeating: "x", count: 200)
    #expect(error == (attempts == 3 ? .unreachable(text) : .refused(text)))
    #expect(uploads.withLock { $0 } == attempts)
  }

  @Test(arguments: [200, 204, 302, 403]) func aServerThatRefusesTheQuestionGetsTheFile(status: Int) throws {
    let uploads = Locked(0)
    let server = try HTTPServer { request in
      guard request.method == "PUT" else { return HTTPServer.Response(status: status) }
      uploads.withLock { $0 += 1 }
      return HTTPServer.Response(status: 200)
    }
    #expect(try publish(on: server) == server.endpoint + "/hash/abc")
    #expect(uploads.withLock { $0 } == (status < 300 ? 0 : 1))
  }

  /// The call ends with the server's error, without the pause for which it has no time.
  @Test func anotherAttemptNeedsTime() throws {
    shop.failures = [.beforeTheUpload, .beforeTheUpload]
    let server = try shop.open()
    let tails = try #require(TailsServer(base: server.endpoint, pause: 60_000))
    let error = #expect(throws: PublicationError.self) {
      try Deadline.serving(.now.after(milliseconds: 30_000)) { try tails.publish(path, hash: "abc") }
    }
    #expect("\(try #require(error))".contains("HTTP 503: closed"))
    #expect(shop.uploads.count == 1)
  }

  @Test func aServerThatIsNotThereIsUnreachable() throws {
    let tails = try #require(TailsServer(base: "http://127.0.0.1:1", pause: 1))
    let error = #expect(throws: PublicationError.self) { try tails.publish(path, hash: "abc") }
    guard case .unreachable? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(TailsServer(base: "tails.example") == nil)
  }

  @Test func tailsFilesGoToTheServerAndNotToTheRegistry() throws {
    let server = try shop.open()
    let (registry, cache) = (FileRegistry(folder: folder.path + "/registry"), NoCache())
    let registries = Registries(
      cache: cache, now: { 0 }, publisher: { _ in registry },
      tailsServer: TailsServer(base: server.endpoint), configured: { [registry] })
    #expect(try registries.publish(tails: path, hash: "abc", of: "r") == server.endpoint + "/hash/abc")
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/registry/tails"))
  }

  private struct NoCache: RegistryCache {
    func find(_ kind: ObjectKind, _ id: String) -> String? { nil }
    func keep(_ text: String, _ kind: ObjectKind, _ id: String, at time: Int64) {}
  }
}

/// The server's files, and the faults of its next uploads.
private final class Shop: Sendable {
  enum Failure: Sendable { case beforeTheUpload, afterTheUpload, conflict, refusal }

  private let state = Locked(State())

  private struct State: Sendable {
    var files: [String: String] = [:]
    var uploads: [String] = []
    var failures: [Failure] = []
  }

  var files: [String: String] {
    get { state.withLock { $0.files } }
    set { state.withLock { $0.files = newValue } }
  }

  var uploads: [String] { state.withLock { $0.uploads } }

  var failures: [Failure] {
    get { state.withLock { $0.failures } }
    set { state.withLock { $0.failures = newValue } }
  }

  func open() throws -> HTTPServer {
    try HTTPServer { [state] request in
      state.withLock { state in
        guard request.method == "PUT" else {
          return HTTPServer.Response(status: state.files[request.path] == nil ? 404 : 200)
        }
        state.uploads.append(request.path)
        let failure = state.failures.isEmpty ? nil : state.failures.removeFirst()
        if failure == .beforeTheUpload { return HTTPServer.Response(status: 503, body: Array("closed".utf8)) }
        if failure == .refusal { return HTTPServer.Response(status: 400, body: Array("no such hash".utf8)) }
        state.files[request.path] = String(decoding: request.body, as: UTF8.self)
        return HTTPServer.Response(status: failure == .afterTheUpload ? 502 : failure == .conflict ? 409 : 200)
      }
    }
  }
}
