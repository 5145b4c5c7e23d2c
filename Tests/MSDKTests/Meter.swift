import HTTP
import HTTPServing
import Threading

/// Stands before an agency and counts what goes through.
final class Meter: Sendable {
  struct Traffic: Equatable {
    /// Requests that were answered with something.
    var answers = 0
    /// Bytes of these answers.
    var bytes = 0
  }

  private let server: HTTPServer
  private let traffic: Locked<Traffic>

  /// `visitor` is the address that the agency is told as the client's.
  init(_ agency: String, visitor: String = "127.0.0.1") throws {
    let (traffic, http) = (Locked(Traffic()), HTTPClient())
    self.traffic = traffic
    server = try HTTPServer { request in
      let url = agency + request.path
      let response =
        try? request.method == "GET"
        ? http.get(url)
        : http.post(
          request.body, to: url, contentType: request.header("Content-Type") ?? "",
          headers: ["X-Forwarded-For: \(visitor)"])
      guard let response else { return HTTPServer.Response(status: 502) }
      if !response.body.isEmpty {
        traffic.withLock {
          $0.answers += 1
          $0.bytes += response.body.count
        }
      }
      return HTTPServer.Response(
        status: response.status, headers: [("Retry-After", "\(response.retryAfter)")], body: response.body)
    }
  }

  var endpoint: String { server.endpoint }

  func stop() { server.stop() }

  /// Requests so far that were answered with something.
  var answers: Int { traffic.withLock { $0.answers } }

  /// The traffic while `body` runs.
  func measure(_ body: () throws -> Void) rethrows -> Traffic {
    let before = traffic.withLock { $0 }
    try body()
    let after = traffic.withLock { $0 }
    return Traffic(answers: after.answers - before.answers, bytes: after.bytes - before.bytes)
  }
}
