import Dispatch
import HTTP
import HTTPServing
import TestSupport
import Testing
import Threading

/// The limits of clients: connections, memory, threads.
@Suite struct ServerLimitsTests {
  private static let get = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"

  /// Asks, and keeps the connection.
  private func ask(_ connection: RawConnection) -> Bool {
    connection.send(Self.get) && connection.read()?.hasPrefix("HTTP/1.1 200") == true
  }

  private func limits(connections: Int = 960, perClient: Int = 64) -> HTTPServer.Limits {
    var limits = HTTPServer.Limits()
    limits.connections = connections
    limits.connectionsPerClient = perClient
    return limits
  }

  // MARK: - Connections

  @Test func aFullTableTakesNewClientsAndTheLongestIdleOneGoes() throws {
    let server = try HTTPServer(limits: limits(connections: 3)) { _ in HTTPServer.Response() }
    let old = try (0..<3).map { _ in try RawConnection(port: server.port) }
    for connection in old { #expect(ask(connection)) }
    #expect(ask(old[0]))  // now the second one is idle for longest
    let new = try RawConnection(port: server.port)
    #expect(ask(new))
    #expect(old[1].readToEnd() == "")
    for connection in [old[0], old[2], new] { #expect(ask(connection)) }
  }

  /// A connection that was cut counts no longer, and is not taken off once more when it is over.
  @Test func aTableThatWasFullIsAsLargeAsBefore() throws {
    let server = try HTTPServer(limits: limits(connections: 2)) { _ in HTTPServer.Response() }
    var open = try (0..<2).map { _ in try RawConnection(port: server.port) }
    for connection in open { #expect(ask(connection)) }
    for _ in 0..<4 {
      let new = try RawConnection(port: server.port)
      #expect(ask(new))
      #expect(open.removeFirst().readToEnd() == "")
      open.append(new)
    }
  }

  @Test func manyIdleConnectionsKeepNobodyOut() throws {
    let server = try HTTPServer(limits: limits(connections: 40, perClient: 1000)) { _ in HTTPServer.Response() }
    let idle = try (0..<100).map { _ in try RawConnection(port: server.port) }
    for _ in 0..<5 { #expect(ask(try RawConnection(port: server.port))) }
    #expect(idle.last.map(ask) == true)
  }

  /// Clients that send half a header or half a body keep nobody out either.
  @Test(arguments: ["POST / HTTP/1.1\r\nHost: x\r\n", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nx"])
  func unfinishedRequestsKeepNobodyOut(start: String) throws {
    let server = try HTTPServer(limits: limits(connections: 20)) { _ in HTTPServer.Response() }
    let unfinished = try (0..<40).map { _ in try RawConnection(port: server.port) }
    for connection in unfinished { connection.send(start) }
    for _ in 0..<5 { #expect(ask(try RawConnection(port: server.port))) }
  }

  @Test func aRequestThatIsHandledIsNotCut() throws {
    let gate = DispatchSemaphore(value: 0)
    let started = DispatchSemaphore(value: 0)
    let server = try HTTPServer(limits: limits(connections: 2)) { request in
      if request.path == "/slow" {
        started.signal()
        gate.wait()
      }
      return HTTPServer.Response()
    }
    let slow = try (0..<2).map { _ in try RawConnection(port: server.port) }
    for connection in slow { connection.send("GET /slow HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n") }
    for _ in 0..<2 { started.wait() }
    // There is nobody else who could go.
    let surplus = try RawConnection(port: server.port)
    surplus.send(Self.get)
    #expect(surplus.read() == nil)
    for _ in 0..<2 { gate.signal() }
    for connection in slow { #expect(connection.readToEnd()?.hasPrefix("HTTP/1.1 200") == true) }
    #expect(ask(try RawConnection(port: server.port)))
  }

  @Test func oneClientHasAFewConnectionsAndOthersKeepTheirs() throws {
    let server = try HTTPServer(limits: limits(perClient: 3)) { _ in HTTPServer.Response() }
    let other = try RawConnection(port: server.port, from: 2)
    #expect(ask(other))
    let own = try (0..<4).map { _ in try RawConnection(port: server.port) }
    #expect(own[0].readToEnd() == "")
    for connection in own.dropFirst() + [other] { #expect(ask(connection)) }
    // Connections that have ended do not count.
    for _ in 0..<10 { #expect(ask(try RawConnection(port: server.port, from: 3))) }
    let next = try (0..<3).map { _ in try RawConnection(port: server.port, from: 3) }
    for connection in next { #expect(ask(connection)) }
  }

  /// The remaining ones of the client count on.
  @Test func aConnectionThatEndsTakesOnlyItselfAway() throws {
    let server = try HTTPServer(limits: limits(perClient: 3)) { _ in HTTPServer.Response() }
    let other = try RawConnection(port: server.port, from: 2)
    var own = try (0..<3).map { _ in try RawConnection(port: server.port) }
    for connection in own { #expect(ask(connection)) }
    own.removeLast()
    for _ in 0..<10 { #expect(ask(other)) }  // meanwhile the server sees the end
    let new = try (0..<2).map { _ in try RawConnection(port: server.port) }
    for connection in new { #expect(ask(connection)) }
    #expect(own[0].readToEnd() == "")
    for connection in new + [own[1]] { #expect(ask(connection)) }
  }

  @Test func anAddressThatManyShareHasNoLimitOfItsOwn() throws {
    let server = try HTTPServer(limits: limits(perClient: 3), isShared: { $0 == "127.0.0.1" }) { _ in
      HTTPServer.Response()
    }
    let shared = try (0..<10).map { _ in try RawConnection(port: server.port) }
    let own = try (0..<4).map { _ in try RawConnection(port: server.port, from: 2) }
    #expect(own[0].readToEnd() == "")
    for connection in shared { #expect(ask(connection)) }
  }

  // MARK: - Memory

  /// A server that holds what it gets until it may answer, and clients that send so many bytes each.
  private func answers(
    to sizes: [(client: UInt8, bytes: Int)], isShared: Bool = false, announced: Bool = true
  ) throws -> [String] {
    var limits = HTTPServer.Limits()
    limits.body = 1000
    limits.bodies = 4000
    let arrived = Monitor(0)
    let isOpen = Monitor(false)
    let server = try HTTPServer(limits: limits, isShared: { _ in isShared }) { request in
      arrived.withLock { $0 += 1 }
      isOpen.wait { $0 ? () : nil }
      return HTTPServer.Response(body: Array("\(request.body.count)".utf8))
    }
    defer { isOpen.withLock { $0 = true } }
    var results: [String] = []
    var held: [RawConnection] = []
    for (client, bytes) in sizes {
      let connection = try RawConnection(port: server.port, from: client)
      let before = arrived.withLock { $0 }
      connection.send("POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n")
      let body = String(repeating: "x", count: bytes)
      connection.send(
        announced
          ? "Content-Length: \(bytes)\r\n\r\n\(body)"
          : "Transfer-Encoding: chunked\r\n\r\n\(String(bytes, radix: 16))\r\n\(body)\r\n0\r\n\r\n")
      // Either the handler has it, or the server has refused it.
      var isHandled = false
      for _ in 0..<2000 where !isHandled && !connection.isReadable {
        isHandled = arrived.wait(milliseconds: 10) { $0 > before ? true : nil } ?? false
      }
      held.append(connection)
      results.append(isHandled ? "handled" : String((connection.readToEnd() ?? "").prefix(12)))
    }
    isOpen.withLock { $0 = true }
    for (connection, result) in zip(held, results) where result == "handled" {
      #expect(connection.readToEnd()?.hasPrefix("HTTP/1.1 200") == true)
    }
    // All is given back.
    let last = try RawConnection(port: server.port)
    last.send("POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 1000\r\n\r\n")
    last.send([UInt8](repeating: 0, count: 1000))
    #expect(last.readToEnd()?.hasSuffix("1000") == true)
    return results
  }

  @Test(arguments: [true, false])
  func bodiesBeyondTheMemoryAreRefused(announced: Bool) throws {
    let sizes = (1...6).map { (client: UInt8($0), bytes: 900) }
    let results = try answers(to: sizes, announced: announced)
    #expect(results == ["handled", "handled", "handled", "handled", "HTTP/1.1 503", "HTTP/1.1 503"])
  }

  @Test func oneClientMayHoldAPartOfTheMemory() throws {
    let sizes: [(client: UInt8, bytes: Int)] = [(1, 900), (1, 200), (1, 100), (2, 900), (1, 1)]
    let results = try answers(to: sizes)
    #expect(results == ["handled", "HTTP/1.1 503", "handled", "handled", "HTTP/1.1 503"])
    #expect(try answers(to: [(1, 900), (1, 900), (1, 900)], isShared: true) == ["handled", "handled", "handled"])
  }

  /// Of bodies that never come whole, nothing stays when their time is over.
  @Test func abandonedBodiesAreGivenBack() throws {
    var limits = HTTPServer.Limits()
    limits.body = 1000
    limits.bodies = 4000
    limits.bodySeconds = 1
    let server = try HTTPServer(limits: limits) { _ in HTTPServer.Response() }
    let head = "POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 900\r\n\r\n"
    for _ in 0..<10 { try RawConnection(port: server.port).send(head + String(repeating: "x", count: 800)) }
    var answer: String?
    for _ in 0..<100 where answer?.hasPrefix("HTTP/1.1 200") != true {
      usleepTenth()
      let connection = try RawConnection(port: server.port)
      connection.send(head + String(repeating: "x", count: 900))
      answer = connection.readToEnd()
    }
    #expect(answer?.hasPrefix("HTTP/1.1 200") == true)
  }

  /// A client that announces a body and sends little takes little.
  @Test func announcedBodiesTakeNoMemoryBeforeTheyCome() throws {
    var limits = HTTPServer.Limits()
    (limits.body, limits.bodies) = (1000, 4000)
    let server = try HTTPServer(limits: limits, isShared: { _ in true }) { _ in HTTPServer.Response() }
    let head = "POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 1000\r\n\r\n"
    let silent = try (0..<20).map { _ in try RawConnection(port: server.port) }
    for connection in silent { connection.send(head + "x") }
    let connection = try RawConnection(port: server.port)
    connection.send(head + String(repeating: "x", count: 1000))
    #expect(connection.readToEnd()?.hasPrefix("HTTP/1.1 200 ") == true)
  }

  /// Clients that do not read their answers hold a bounded memory; it is given back when they go.
  @Test(arguments: [true, false]) func answersThatNobodyReadsAreBounded(isReserved: Bool) throws {
    let size = 16 << 20  // more than the system takes for a socket
    var limits = HTTPServer.Limits()
    (limits.body, limits.bodies) = (size, 4 * size)
    let server = try HTTPServer(limits: limits, isShared: { _ in true }) { request in
      guard request.path == "/long" else { return HTTPServer.Response() }
      let isFree = !isReserved || request.memory?.reserveAnswer(size, for: ["account"]) == true
      return isFree ? HTTPServer.Response(body: [UInt8](repeating: 7, count: size)) : HTTPServer.Response(status: 503)
    }
    func statuses(_ count: Int) throws -> ([RawConnection], [String]) {
      let connections = try (0..<count).map { _ in
        let connection = try RawConnection(port: server.port, receiving: 2048)
        connection.send("GET /long HTTP/1.1\r\nHost: x\r\n\r\n")
        return connection
      }
      return (connections, connections.map { String(($0.read(atMost: 12) ?? "").prefix(12)) })
    }
    // All answers that are accepted are held at the same time: nobody reads one to its end.
    var (held, answers) = try statuses(12)
    let most = isReserved ? 1 : 4
    #expect(answers.filter { $0 == "HTTP/1.1 200" }.count == most)
    #expect(answers.filter { $0 == "HTTP/1.1 503" }.count == 12 - most)
    held = []
    answers = []
    for _ in 0..<2000 where answers != ["HTTP/1.1 200"] { (held, answers) = try statuses(1) }
    #expect(answers == ["HTTP/1.1 200"])
    withExtendedLifetime(held) {}
  }

  @Test(arguments: [0, 1, 32 << 10, (32 << 10) + 1, 3_000_000]) func anAnswerOfAnyLengthComesWhole(length: Int) throws {
    let body = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let server = try HTTPServer { _ in HTTPServer.Response(body: body) }
    #expect(try HTTPClient().get(server.endpoint).body == body)
  }

  // MARK: - Threads

  @Test func quickRequestsWaitForNoOthers() throws {
    let gate = DispatchSemaphore(value: 0)
    let started = DispatchSemaphore(value: 0)
    var limits = HTTPServer.Limits()
    limits.handlers = 2
    let server = try HTTPServer(limits: limits, isQuick: { $0 == "GET" && $1 == "/" }) { request in
      if request.path == "/slow" {
        started.signal()
        gate.wait()
      }
      return HTTPServer.Response()
    }
    let slow = try (0..<4).map { _ in try RawConnection(port: server.port) }
    for connection in slow { connection.send("GET /slow HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n") }
    for _ in 0..<2 { started.wait() }
    #expect(ask(try RawConnection(port: server.port)))
    for _ in 0..<4 { gate.signal() }
    for connection in slow { #expect(connection.readToEnd()?.hasPrefix("HTTP/1.1 200") == true) }
  }

  /// Requests that still wait for a handler when the time is over are refused; requests with a handler are answered.
  @Test(arguments: [(0, [200, 503, 503]), (20, [200, 200, 200])]) func stoppingTakesAnEnd(
    seconds: Int, statuses: [Int]
  ) throws {
    let gate = DispatchSemaphore(value: 0)
    let started = DispatchSemaphore(value: 0)
    var limits = HTTPServer.Limits()
    limits.handlers = 1
    limits.stopSeconds = seconds
    let server = try HTTPServer(limits: limits) { _ in
      started.signal()
      gate.wait()
      return HTTPServer.Response()
    }
    let connections = try (0..<3).map { _ in try RawConnection(port: server.port) }
    for connection in connections { connection.send(Self.get) }
    started.wait()
    for _ in 0..<3 { usleepTenth() }  // so that the others have arrived, too
    let stopped = DispatchSemaphore(value: 0)
    Threads.shared.post {
      server.stop()
      stopped.signal()
    }
    #expect(stopped.wait(timeout: .now() + 0.3) == .timedOut)
    for _ in statuses { gate.signal() }
    #expect(stopped.wait(timeout: .now() + 20) == .success)
    let answers = connections.map { String(($0.readToEnd() ?? "").prefix(12)) }
    #expect(answers.sorted() == statuses.map { "HTTP/1.1 \($0)" })
  }

  private func usleepTenth() { _ = DispatchSemaphore(value: 0).wait(timeout: .now() + 0.1) }
}
