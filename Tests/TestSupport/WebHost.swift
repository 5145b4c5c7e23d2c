import HTTPServing
import Threading

/// A web server on this machine, whose files a test changes.
package final class WebHost: Sendable {
  private let state: Locked<State>
  private let server: HTTPServer

  private struct State: Sendable {
    var files: [String: HTTPServer.Response] = [:]
    var requests: [String] = []
  }

  package init() throws {
    let state = Locked(State())
    self.state = state
    server = try HTTPServer { request in
      state.withLock { state in
        state.requests.append(request.path)
        return state.files[request.path] ?? HTTPServer.Response(status: 404)
      }
    }
  }

  /// The port of the server.
  package var port: UInt16 { server.port }

  /// The server as a DID names it, with a path: `localhost%3A8080:a`.
  package func location(_ path: String = "") -> String { "localhost%3A\(port)\(path)" }

  /// The paths of all requests.
  package var requests: [String] { state.withLock { $0.requests } }

  /// Gives a file another content; with nil, the file is gone.
  package func put(_ content: [UInt8]?, at path: String) {
    state.withLock { $0.files[path] = content.map { HTTPServer.Response(body: $0) } }
  }

  /// Answers requests of the path with a status, and with the target of a redirect.
  package func answer(_ status: Int, location: String? = nil, at path: String) {
    let headers = location.map { [("Location", $0)] } ?? []
    state.withLock { $0.files[path] = HTTPServer.Response(status: status, headers: headers) }
  }

  package func stop() { server.stop() }
}
