import Foundation
import HTTPServing
import Testing

@testable import HTTP

/// Against a real server on a free port.
@Suite struct ClientTests {
  func server(_ answer: @escaping @Sendable (HTTPServer.Request) -> HTTPServer.Response) throws -> HTTPServer {
    try HTTPServer(handler: answer)
  }

  @Test func aPostDeliversItsBodyAndType() throws {
    let server = try server { request in
      HTTPServer.Response(
        status: 201,
        body: Array("\(request.method) \(request.path) \(request.header("Content-Type") ?? "") ".utf8) + request.body)
    }
    let response = try HTTPClient().post([0, 255, 10], to: server.endpoint + "/a", contentType: "application/x")
    #expect(response.status == 201)
    #expect(response.body == Array("POST /a application/x ".utf8) + [0, 255, 10])
    #expect(response.isSuccess)
  }

  @Test func anEmptyPostIsAPost() throws {
    let server = try server { HTTPServer.Response(status: $0.method == "POST" && $0.body.isEmpty ? 200 : 500) }
    #expect(try HTTPClient().post([], to: server.endpoint, contentType: "application/x").status == 200)
  }

  @Test func aClientIsUsedManyTimesAndFromManyThreads() async throws {
    let server = try server { HTTPServer.Response(status: 200, body: $0.body) }
    let client = HTTPClient()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in UInt8(0)..<8 {
        group.addTask {
          for count in 1...20 {
            let body = [UInt8](repeating: number, count: count * 1000)
            let response = try client.post(body, to: server.endpoint, contentType: "application/x")
            #expect(response.body == body)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try client.get(server.endpoint).body.isEmpty)
  }

  @Test func anEncryptedRequestToAPlainServerNamesTheLikelyFault() throws {
    let server = try server { _ in HTTPServer.Response() }
    // On a busy machine, the server can reset the connection before its answer is read. That is another fault.
    let isNamed = (0..<50).contains { _ in
      let error = #expect(throws: HTTPError.self) { try HTTPClient().get("https://127.0.0.1:\(server.port)/") }
      return error.map { "\($0)" }?.hasSuffix("does the server speak http, and not https?") == true
    }
    #expect(isNamed)
  }

  @Test func errorStatusesAreResponses() throws {
    let server = try server { _ in HTTPServer.Response(status: 503, body: [1]) }
    let response = try HTTPClient().get(server.endpoint)
    #expect(response.status == 503 && response.body == [1] && !response.isSuccess)
  }

  @Test func redirectsAreReportedAndNotFollowed() throws {
    let server = try server { request in
      HTTPServer.Response(status: 302, headers: [("Location", request.path == "/a" ? "/b" : "http://other.example/c")])
    }
    #expect(try HTTPClient().get(server.endpoint + "/a").location == server.endpoint + "/b")
    #expect(try HTTPClient().get(server.endpoint + "/x").location == "http://other.example/c")
  }

  @Test func theDateOfTheServerIsItsTime() throws {
    let server = try server { _ in HTTPServer.Response(status: 200, body: []) }
    let time = try #require(try HTTPClient().get(server.endpoint).time)
    #expect(abs(Double(time) - Date().timeIntervalSince1970) < 60)
  }

  @Test func aMalformedDateIsNoTime() throws {
    let server = try server { _ in HTTPServer.Response(status: 200, headers: [("Date", "soon")]) }
    #expect(try HTTPClient().get(server.endpoint).time == nil)
  }

  @Test func aLongResponseIsRefused() throws {
    let server = try server { _ in HTTPServer.Response(status: 200, body: [UInt8](repeating: 7, count: 100_001)) }
    let client = HTTPClient(maximumBody: 100_000)
    #expect(throws: HTTPError.responseTooLarge) { try client.get(server.endpoint) }
    #expect(throws: HTTPError.responseTooLarge) { try client.post([1], to: server.endpoint, contentType: "x") }
    let patient = HTTPClient(maximumBody: 100_001)
    #expect(try patient.get(server.endpoint).body.count == 100_001)
    #expect(throws: HTTPError.responseTooLarge) { try patient.get(server.endpoint, maximumBody: 100_000) }
    #expect(throws: HTTPError.responseTooLarge) { try client.get(server.endpoint, maximumBody: 1 << 20) }
    #expect(try patient.get(server.endpoint, maximumBody: 100_001).body.count == 100_001)
  }

  @Test(arguments: ["", "ftp://127.0.0.1/x", "file:///etc/passwd", "gopher://127.0.0.1/", "http://", "http://a b/"])
  func otherURLsAreRefused(url: String) {
    #expect(throws: HTTPError.invalidURL) { try HTTPClient().get(url) }
  }

  @Test func aServerThatIsGoneIsNotConnected() throws {
    let server = try server { _ in HTTPServer.Response(status: 200) }
    let (client, endpoint) = (HTTPClient(), server.endpoint)
    #expect(try client.get(endpoint).status == 200)
    server.stop()
    // The client of the first request may find its connection closed only after it has sent the next request.
    for client in [client, HTTPClient()] { #expect(throws: HTTPError.self) { try client.get(endpoint) } }
    #expect(isNotConnected(try HTTPClient().get(endpoint)))
    #expect(isNotConnected(try HTTPClient().post([1], to: endpoint, contentType: "x")))
  }

  private func isNotConnected(_ request: @autoclosure () throws(HTTPError) -> HTTPClient.Response) -> Bool {
    do throws(HTTPError) { _ = try request() } catch { if case .notConnected = error { return true } }
    return false
  }

  @Test func aServerThatMayHaveTheRequestIsUnreachable() throws {
    let server = try server { _ in
      Thread.sleep(forTimeInterval: 1.5)
      return HTTPServer.Response(status: 200)
    }
    let error = #expect(throws: HTTPError.self) {
      try HTTPClient(timeout: 1).post([1], to: server.endpoint, contentType: "x")
    }
    guard case .unreachable = error else { return #expect(Bool(false), "\(String(describing: error))") }
  }

  @Test func aServerThatIsTooSlowIsUnreachable() throws {
    let server = try server { _ in
      Thread.sleep(forTimeInterval: 1.5)
      return HTTPServer.Response(status: 200)
    }
    let error = #expect(throws: HTTPError.self) { try HTTPClient(timeout: 1).get(server.endpoint) }
    #expect(error?.description.hasPrefix("no answer: \(server.endpoint): Operation timed out") == true)
  }
}

@Suite struct OriginTests {
  /// The part of a URL in the log.
  @Test(arguments: [
    ("http://a.example/secret?c_i=x", "http://a.example"),
    ("https://user:pass@a.example:8443/x", "https://a.example:8443"),
    ("https://a.example?x@b", "https://a.example"), ("http://[::1]:80#x", "http://[::1]:80"), ("nonsense", "?"),
    ("http://a@b@c\\d", "?"), ("HTTP://A.example:080/", "http://A.example:80"), ("http:///a.example", "?"),
  ])
  func aURLHasAnOrigin(url: String, origin: String) { #expect(HTTPURL.origin(of: url) == origin) }

  @Test(arguments: [
    ("http://a.example", true), ("https://a.example/x?y#z", true), ("ftp://a.example", true), ("app://open", true),
    ("App://open/x", true), ("", false), ("a.example", false), ("http:a.example", false), ("mailto:a@b", false),
    ("//a.example", false), ("http://", false), ("http:/a.example", false), ("a b://c", false), ("1a://b", false),
    ("http://a b/", false),
  ])
  func aURLOfAnySchemeHasAHost(text: String, isURL: Bool) { #expect(isAbsoluteURL(text) == isURL) }
}
