import Foundation
import HTTPServing
import TestSupport
import Testing

/// Each step of a client has a deadline of its own.
@Suite struct DeadlineTests {
  enum Step: CaseIterable {
    case header, body, answer, pause
  }

  private func limits(header: Int = 1000, body: Int = 1000, idle: Int = 1000) -> HTTPServer.Limits {
    var limits = HTTPServer.Limits()
    (limits.headerSeconds, limits.bodySeconds, limits.idleSeconds) = (header, body, idle)
    return limits
  }

  /// The connection of a client that goes no further than this step, with a server that gives this step one second.
  private func connection(
    of step: Step, _ answer: Int
  ) throws -> (server: HTTPServer, connection: RawConnection) {
    let limits =
      switch step {
      case .header: limits(header: 1)
      case .body, .answer: limits(body: 1)
      case .pause: limits(idle: 1)
      }
    let server = try HTTPServer(limits: limits) { _ in
      HTTPServer.Response(body: [UInt8](repeating: 0x78, count: answer))
    }
    let connection = try RawConnection(port: server.port)
    switch step {
    case .header: connection.send("GET / HTTP/1.1\r\nHo")
    case .body: connection.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nx")
    case .answer, .pause: connection.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    }
    return (server, connection)
  }

  @Test(arguments: [Step.header, .body, .pause]) func aClientThatPausesIsCutOff(step: Step) throws {
    let (server, connection) = try connection(of: step, 0)
    #expect(connection.readToEnd() != nil)
    server.stop()
  }

  /// The answer is longer than the system's buffers. A closed connection takes no more bytes.
  @Test func aClientThatDoesNotTakeItsAnswerIsCutOff() throws {
    let (server, connection) = try connection(of: .answer, 32 << 20)
    var isCut = false
    for _ in 0..<1000 where !isCut {
      isCut = !connection.send("x")
      usleep(20_000)
    }
    #expect(isCut)
    server.stop()
  }

  @Test func aBodyHasMoreTimeThanAHeaderAndAPause() throws {
    let server = try HTTPServer(limits: limits(header: 1, idle: 1)) { HTTPServer.Response(body: $0.body) }
    let connection = try RawConnection(port: server.port)
    connection.send("POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhe")
    usleep(1_700_000)
    connection.send("llo")
    #expect(connection.readToEnd()?.hasSuffix("\r\n\r\nhello") == true)
  }
}
