import Foundation
import HTTPServing
import Threading

@testable import Registry

/// A web server that keeps files, and honours the conditions of requests.
final class WebStore: Sendable {
  /// Whether the server decodes names before it looks them up, as servers of folders do. The tests' own server decodes
  /// once.
  private let decodes: Bool
  private let hasStrongTags: Bool
  private let state = Locked(State())

  struct State: Sendable {
    var files: [String: [UInt8]] = [:]
    var puts: [HTTPServer.Request] = []
    /// The statuses of the next uploads, which are not taken.
    var refusals: [Int] = []
    /// Another writer's change just before the next upload.
    var rival: (@Sendable (inout [String: [UInt8]]) -> Void)?
    /// Without it, everybody may write.
    var token: String?
  }

  init(decodes: Bool = true, hasStrongTags: Bool = true) {
    self.decodes = decodes
    self.hasStrongTags = hasStrongTags
  }

  var files: [String: [UInt8]] { state.withLock { $0.files } }
  var puts: [HTTPServer.Request] { state.withLock { $0.puts } }

  func change(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }

  func open() throws -> HTTPServer {
    try HTTPServer { [self] request in
      let name = name(request.path)
      return state.withLock { state in
        if request.method == "PUT" { return put(request, at: name, &state) }
        guard request.header("Authorization") == nil else { return HTTPServer.Response(status: 400) }
        guard let body = state.files[name] else { return HTTPServer.Response(status: 404) }
        return HTTPServer.Response(headers: [("ETag", tag(of: body))], body: request.method == "GET" ? body : [])
      }
    }
  }

  private func name(_ path: String) -> String {
    let path = String(path.dropFirst())
    return decodes ? path : path.split(separator: "/").map { percentEncoded(String($0)) }.joined(separator: "/")
  }

  private func tag(of body: [UInt8]) -> String { (hasStrongTags ? "" : "W/") + "\"\(body.hashValue)\"" }

  private func put(_ request: HTTPServer.Request, at name: String, _ state: inout State) -> HTTPServer.Response {
    state.puts.append(request)
    if let rival = state.rival {
      state.rival = nil
      rival(&state.files)
    }
    if !state.refusals.isEmpty {
      return HTTPServer.Response(status: state.refusals.removeFirst(), body: Array("not now".utf8))
    }
    if let token = state.token, request.header("Authorization") != "Bearer \(token)" {
      return HTTPServer.Response(status: 401)
    }
    let known = state.files[name]
    let mayWrite =
      request.header("If-None-Match") == "*" ? known == nil : request.header("If-Match") == known.map(tag)
    guard mayWrite else { return HTTPServer.Response(status: 412) }
    state.files[name] = request.body
    return HTTPServer.Response(status: known == nil ? 201 : 204)
  }
}
