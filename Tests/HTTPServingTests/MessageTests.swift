import Dispatch
import HTTP
import TestSupport
import Testing
import Threading

@testable import HTTPServing

/// Requests, refusals and errors as a server's user sees them.
@Suite struct MessageTests {
  @Test func fieldsAreFoundInAnyCase() {
    let request = HTTPServer.Request(
      method: "GET", target: "/", headers: [("X-a", "1"), ("other", "2"), ("x-A", "3")], client: "127.0.0.1")
    #expect(request.header("X-A") == "1" && request.lastHeader("x-a") == "3")
    #expect(request.header("OTHER") == "2" && request.lastHeader("Other") == "2")
    #expect(request.header("x") == nil && request.lastHeader("x-ab") == nil)
  }

  @Test func refusalsHaveTheirStatus() {
    for (refusal, status) in [
      (HTTPServer.Refusal.malformed, 400), (.bodyTooLarge, 413), (.tooBusy, 503), (.stopping, 503),
    ] {
      #expect(refusal.status == status)
    }
  }

  @Test func errorsNameTheAddress() {
    #expect(HTTPServerError.malformedAddress("localhost").description == "not a numeric IP address: localhost")
    let taken = HTTPServerError.cannotListen(address: "::1", port: 80)
    #expect(taken.description == "cannot listen on ::1, port 80")
  }

  @Test func theEndpointOfAnIPv6AddressHasBrackets() throws {
    let server = try HTTPServer(address: "::1") { HTTPServer.Response(body: Array($0.client.utf8)) }
    #expect(server.endpoint == "http://[::1]:\(server.port)")
    #expect(try HTTPClient().get(server.endpoint).body == Array("::1".utf8))
  }

  /// A body that is announced as far too long is refused before it comes. For a shorter one the server waits, so that the
  /// client can read the answer.
  @Test(arguments: [(4000, false), (4001, true)]) func anAnnouncedBodyIsRefusedEarlyIfItIsFarTooLong(
    length: Int, isEarly: Bool
  ) throws {
    var limits = HTTPServer.Limits()
    limits.body = 1000
    let server = try HTTPServer(limits: limits) { _ in HTTPServer.Response() }
    let connection = try RawConnection(port: server.port)
    connection.send("POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: \(length)\r\n\r\n")
    if isEarly {
      #expect(connection.readToEnd()?.hasPrefix("HTTP/1.1 413 ") == true)
    } else {
      _ = DispatchSemaphore(value: 0).wait(timeout: .now() + 0.3)
      #expect(!connection.isReadable)
    }
  }

  /// Beyond three times the limit, the server closes the connection.
  @Test(arguments: [(3000, true), (3001, false)]) func aBodyOfUnknownLengthIsReadWithinReason(
    length: Int, isAnswered: Bool
  ) throws {
    var limits = HTTPServer.Limits()
    limits.body = 1000
    let server = try HTTPServer(limits: limits) { _ in HTTPServer.Response() }
    let connection = try RawConnection(port: server.port)
    connection.send("POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n")
    // The first piece is beyond the limit with its last byte, and all of it is discarded.
    let sizes = [1001, length - 1001]
    for size in sizes { connection.send("\(String(size, radix: 16))\r\n\(String(repeating: "x", count: size))\r\n") }
    connection.send("0\r\n\r\n")
    #expect(connection.readToEnd()?.hasPrefix("HTTP/1.1 413 ") ?? false == isAnswered)
  }

  /// On a connection that is there already: the server takes no new ones.
  @Test func aRequestToAStoppingServerIsRefused() throws {
    let (gate, started, stopped, handled) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), Locked(0)
    )
    let server = try HTTPServer { request in
      handled.withLock { $0 += 1 }
      guard request.path == "/slow" else { return HTTPServer.Response() }
      started.signal()
      gate.wait()
      return HTTPServer.Response()
    }
    let (kept, slow) = (try RawConnection(port: server.port), try RawConnection(port: server.port))
    kept.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    #expect(kept.read()?.hasPrefix("HTTP/1.1 200 ") == true)
    slow.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
    started.wait()
    Threads.shared.post {
      server.stop()
      stopped.signal()
    }
    let deadline = ContinuousClock.now + .seconds(20)
    while ContinuousClock.now < deadline, (try? RawConnection(port: server.port)) != nil {}
    kept.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    let answer = kept.readToEnd()
    #expect(answer?.hasPrefix("HTTP/1.1 503 ") == true && answer?.lowercased().contains("connection: close") == true)
    gate.signal()
    #expect(slow.readToEnd()?.hasPrefix("HTTP/1.1 200 ") == true)
    #expect(stopped.wait(timeout: .now() + 20) == .success)
    #expect(handled.withLock { $0 } == 2)
  }
}
