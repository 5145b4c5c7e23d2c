import Dispatch
import HTTP
import HTTPServing
import TestSupport
import Testing
import Threading

@Suite struct ServerTests {
  private static let echo: HTTPServer.Handler = { request in
    HTTPServer.Response(
      status: request.path == "/teapot" ? 418 : 200, contentType: "text/x-test",
      headers: [("X-Method", request.method), ("X-Path", request.path)],
      body: request.body)
  }

  private static var smallBodies: HTTPServer.Limits {
    var limits = HTTPServer.Limits()
    limits.body = 1000
    return limits
  }

  /// Long enough for a prompt client on a busy machine.
  private static var shortDeadlines: HTTPServer.Limits {
    var limits = smallBodies
    limits.headerSeconds = 2
    limits.bodySeconds = 2
    limits.idleSeconds = 1
    return limits
  }

  @Test func answersCarryStatusTypeHeadersAndBody() throws {
    let server = try HTTPServer(handler: Self.echo)
    let connection = try RawConnection(port: server.port)
    connection.send("POST /teapot HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello")
    let answer = try #require(connection.readToEnd())
    #expect(answer.hasPrefix("HTTP/1.1 418 "))
    #expect(answer.contains("Content-Type: text/x-test\r\n"))
    #expect(answer.contains("X-Method: POST\r\n") && answer.contains("X-Path: /teapot\r\n"))
    #expect(answer.hasSuffix("\r\n\r\nhello"))
  }

  @Test func requestsKeepPathQueryAndHeaders() throws {
    let seen = Locked<HTTPServer.Request?>(nil)
    let server = try HTTPServer { request in
      seen.withLock { $0 = request }
      return HTTPServer.Response()
    }
    #expect(try HTTPClient().get(server.endpoint + "/a%20b?c_i=e%2By&flag&c_i=2").status == 200)
    let request = try #require(seen.withLock { $0 })
    #expect(request.method == "GET")
    #expect(request.path == "/a b")
    #expect(request.query.map(\.name) == ["c_i", "flag", "c_i"])
    #expect(request.query.map(\.value) == ["e+y", "", "2"])
    #expect(request.header("host") == "127.0.0.1:\(server.port)")
    #expect(request.client == "127.0.0.1")
    #expect(request.body.isEmpty)
  }

  @Test(arguments: [0, 1, 999, 1000])
  func bodiesUpToTheLimitArriveWhole(size: Int) throws {
    let server = try HTTPServer(limits: Self.smallBodies, handler: Self.echo)
    let body = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
    #expect(try HTTPClient().post(body, to: server.endpoint, contentType: "a/b").body == body)
  }

  @Test(arguments: ["Content-Length: 1001", "Content-Length: 2000000", "Content-Length: 99999999999999"])
  func announcedBodiesBeyondTheLimitAreRefused(header: String) throws {
    let handled = Locked(0)
    let server = try HTTPServer(limits: Self.smallBodies, refuse: Self.refuse) { _ in
      handled.withLock { $0 += 1 }
      return HTTPServer.Response()
    }
    let connection = try RawConnection(port: server.port)
    connection.send("POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\(header)\r\n\r\n")
    if header.hasSuffix(" 1001") { connection.send([UInt8](repeating: 0, count: 1001)) }
    let answer = try #require(connection.readToEnd())
    #expect(answer.hasPrefix("HTTP/1.1 413 "))
    #expect(answer.hasSuffix("refused 413"))
    #expect(handled.withLock { $0 } == 0)
  }

  private static let refuse: @Sendable (HTTPServer.Refusal) -> HTTPServer.Response = {
    HTTPServer.Response(status: $0.status, body: Array("refused \($0.status)".utf8))
  }

  @Test func chunkedBodiesBeyondTheLimitAreRefused() throws {
    let server = try HTTPServer(limits: Self.smallBodies, refuse: Self.refuse, handler: Self.echo)
    let connection = try RawConnection(port: server.port)
    connection.send("POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n")
    for _ in 0..<11 { connection.send("64\r\n" + String(repeating: "x", count: 100) + "\r\n") }
    connection.send("0\r\n\r\n")
    #expect(try #require(connection.readToEnd()).hasPrefix("HTTP/1.1 413 "))
  }

  @Test func anEndlessBodyIsCutOff() throws {
    let server = try HTTPServer(limits: Self.smallBodies, handler: Self.echo)
    let connection = try RawConnection(port: server.port)
    connection.send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
    let chunk = "64\r\n" + String(repeating: "x", count: 100) + "\r\n"
    var sent = 0
    while sent < 100_000, connection.send(chunk) { sent += 1 }
    #expect(sent < 100_000)
  }

  private static let garbage = [
    "another protocol": "\u{16}\u{3}\u{1}\u{2}\0\u{1}garbage",
    "half a request line": "GET\r\n\r\n",
    "unknown version": "GET / HTTP/9.9\r\n\r\n",
    "negative length": "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
    "length that is no number": "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n",
    "chunk without a size": "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nnot a size\r\n",
    "long path": "GET /" + String(repeating: "a", count: 100_000) + " HTTP/1.1\r\nHost: x\r\n\r\n",
    "long header": "GET / HTTP/1.1\r\n"
      + String(repeating: "X: " + String(repeating: "y", count: 900) + "\r\n", count: 100)
      + "\r\n",
  ]

  @Test(arguments: garbage.keys.sorted())
  func garbageIsRefusedAndOthersAreServed(kind: String) throws {
    let server = try HTTPServer(limits: Self.smallBodies) { _ in HTTPServer.Response(status: 200) }
    let connection = try RawConnection(port: server.port)
    connection.send(Self.garbage[kind] ?? "")
    connection.finishSending()
    let answer = try #require(connection.readToEnd())
    #expect(!answer.hasPrefix("HTTP/1.1 200"))
    #expect(try HTTPClient().get(server.endpoint).status == 200)
  }

  @Test func slowClientsAreCutOffAndDelayNobody() throws {
    let server = try HTTPServer(limits: Self.shortDeadlines, handler: Self.echo)
    let silent = try RawConnection(port: server.port)
    let halfHeader = try RawConnection(port: server.port)
    halfHeader.send("POST / HTTP/1.1\r\nHo")
    let dripping = try RawConnection(port: server.port)
    dripping.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n")
    #expect(try HTTPClient().get(server.endpoint).status == 200)
    var drops = 0
    while drops < 100, dripping.send("x") {
      drops += 1
      pause()
    }
    #expect(drops < 100)
    #expect(silent.readToEnd() == "")
    #expect(halfHeader.readToEnd() != nil)
    #expect(try HTTPClient().get(server.endpoint).status == 200)
  }

  /// Deadlines are the clients': a handler may take longer than they may.
  @Test func slowHandlersAreNotCutOff() throws {
    let server = try HTTPServer(limits: Self.shortDeadlines) { _ in
      _ = DispatchSemaphore(value: 0).wait(timeout: .now() + 3)
      return HTTPServer.Response(body: Array("late".utf8))
    }
    #expect(try HTTPClient().get(server.endpoint).body == Array("late".utf8))
  }

  @Test func idleConnectionsEnd() throws {
    let server = try HTTPServer(limits: Self.shortDeadlines, handler: Self.echo)
    let connection = try RawConnection(port: server.port)
    connection.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    #expect(connection.readToEnd()?.hasPrefix("HTTP/1.1 200") == true)
  }

  private func pause() { _ = DispatchSemaphore(value: 0).wait(timeout: .now() + 0.1) }

  @Test func slowHandlersDelayNobody() throws {
    let gate = DispatchSemaphore(value: 0)
    let started = DispatchSemaphore(value: 0)
    let server = try HTTPServer { request in
      if request.path == "/slow" {
        started.signal()
        gate.wait()
      }
      return HTTPServer.Response()
    }
    let finished = DispatchSemaphore(value: 0)
    let endpoint = server.endpoint
    for _ in 0..<30 {
      Threads.shared.post {
        _ = try? HTTPClient().get(endpoint + "/slow")
        finished.signal()
      }
    }
    for _ in 0..<30 { started.wait() }
    #expect(try HTTPClient().get(endpoint).status == 200)
    for _ in 0..<30 { gate.signal() }
    for _ in 0..<30 { #expect(finished.wait(timeout: .now() + 20) == .success) }
  }

  @Test func stoppingAnswersTheArrivedRequests() throws {
    let gate = DispatchSemaphore(value: 0)
    let started = DispatchSemaphore(value: 0)
    let server = try HTTPServer { _ in
      started.signal()
      gate.wait()
      return HTTPServer.Response(body: Array("done".utf8))
    }
    let (endpoint, port) = (server.endpoint, server.port)
    let idle = try RawConnection(port: port)
    let answers = Locked<[[UInt8]]>([])
    let finished = DispatchSemaphore(value: 0)
    for _ in 0..<5 {
      Threads.shared.post {
        if let answer = try? HTTPClient().get(endpoint) { answers.withLock { $0.append(answer.body) } }
        finished.signal()
      }
    }
    for _ in 0..<5 { started.wait() }
    let stopped = DispatchSemaphore(value: 0)
    Threads.shared.post {
      server.stop()
      stopped.signal()
    }
    #expect(stopped.wait(timeout: .now() + 0.3) == .timedOut)
    for _ in 0..<5 { gate.signal() }
    #expect(stopped.wait(timeout: .now() + 20) == .success)
    for _ in 0..<5 { #expect(finished.wait(timeout: .now() + 20) == .success) }
    #expect(answers.withLock { $0 } == [[UInt8]](repeating: Array("done".utf8), count: 5))
    #expect(idle.readToEnd() == "")
    #expect(throws: RawConnection.Failure.self) { try RawConnection(port: port) }
  }

  @Test func anAnswerOfAStoppingServerEndsItsConnection() throws {
    let (gate, started, stopped) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    let server = try HTTPServer { request in
      guard request.path == "/slow" else { return HTTPServer.Response(status: 200) }
      started.signal()
      gate.wait()
      return HTTPServer.Response(body: Array("done".utf8))
    }
    let connection = try RawConnection(port: server.port)
    connection.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
    started.wait()
    Threads.shared.post {
      server.stop()
      stopped.signal()
    }
    while (try? HTTPClient().get(server.endpoint).isSuccess) == true {}
    gate.signal()
    #expect(connection.readToEnd()?.lowercased().contains("connection: close") == true)
    #expect(stopped.wait(timeout: .now() + 20) == .success)
  }

  @Test func stoppingTwiceIsFine() throws {
    let server = try HTTPServer(handler: Self.echo)
    server.stop()
    server.stop()
  }

  @Test func aTakenPortAndAMalformedAddressAreErrors() throws {
    let server = try HTTPServer(handler: Self.echo)
    #expect(throws: HTTPServerError.cannotListen(address: "127.0.0.1", port: server.port)) {
      try HTTPServer(port: server.port, handler: Self.echo)
    }
    #expect(throws: HTTPServerError.malformedAddress("localhost")) {
      try HTTPServer(address: "localhost", handler: Self.echo)
    }
  }

  @Test func manyRequestsOnKeptConnections() throws {
    let server = try HTTPServer(handler: Self.echo)
    let endpoint = server.endpoint
    let finished = DispatchSemaphore(value: 0)
    let failures = Locked(0)
    for thread in 0..<16 {
      Threads.shared.post {
        let client = HTTPClient()
        for number in 0..<50 {
          let body = Array("\(thread)/\(number)".utf8)
          let answer = try? client.post(body, to: endpoint, contentType: "a/b")
          if answer?.body != body { failures.withLock { $0 += 1 } }
        }
        finished.signal()
      }
    }
    for _ in 0..<16 { #expect(finished.wait(timeout: .now() + 60) == .success) }
    #expect(failures.withLock { $0 } == 0)
  }
}
