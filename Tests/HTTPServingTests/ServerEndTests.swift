import Dispatch
import HTTPServing
import TestSupport
import Testing

/// A server that has ended holds nothing, and quick requests have threads of their own.
@Suite struct ServerEndTests {
  /// A handler holds it, and a server holds its handler.
  private final class Witness: Sendable {
    func answer() -> HTTPServer.Response { HTTPServer.Response() }
  }

  @Test func aReleasedServerTakesNoConnections() throws {
    var server: HTTPServer? = try HTTPServer { _ in HTTPServer.Response() }
    let port = try #require(server?.port)
    #expect(throws: Never.self) { try RawConnection(port: port) }
    server = nil
    #expect(throws: RawConnection.Failure.self) { try RawConnection(port: port) }
  }

  @Test func aStoppedServerReleasesItsHandler() throws {
    weak var held: Witness?
    do {
      let witness = Witness()
      held = witness
      let server = try HTTPServer { _ in witness.answer() }
      server.stop()
    }
    #expect(held == nil)
  }

  @Test func aServerThatCannotListenReleasesItsHandler() throws {
    let other = try HTTPServer { _ in HTTPServer.Response() }
    weak var held: Witness?
    do {
      let witness = Witness()
      held = witness
      #expect(throws: HTTPServerError.self) { try HTTPServer(port: other.port) { _ in witness.answer() } }
    }
    #expect(held == nil)
    other.stop()
  }

  @Test func quickRequestsHaveTheirOwnNumberOfThreads() throws {
    let (gate, started) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    var limits = HTTPServer.Limits()
    (limits.handlers, limits.quickHandlers) = (1, 2)
    let server = try HTTPServer(limits: limits, isQuick: { _, _ in true }) { _ in
      started.signal()
      gate.wait()
      return HTTPServer.Response()
    }
    let connections = try (0..<2).map { _ in try RawConnection(port: server.port) }
    for connection in connections { connection.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n") }
    for _ in connections { #expect(started.wait(timeout: .now() + 20) == .success) }
    for _ in connections { gate.signal() }
    for connection in connections { #expect(connection.readToEnd()?.hasPrefix("HTTP/1.1 200") == true) }
  }
}
