import Foundation
import HTTP
import Platform
import Testing
import Threading

@testable import WebSocket

/// A client and servers, well-behaved and others, over real sockets.
@Suite struct ConnectionTests {
  static var soon: MonotonicTime { .now.after(milliseconds: 20_000) }

  static func open(
    _ server: SocketServer, limits: WebSocketLimits = WebSocketLimits()
  ) throws(WebSocketError) -> WebSocketConnection {
    let socket = try WebSocketConnection(to: server.url, over: HTTPClient(timeout: 20), limits: limits)
    try socket.open()
    return socket
  }

  @Test func messagesGoBothWays() throws {
    let server = try SocketServer { connection in
      connection.upgrade()
      while let frame = connection.frame(), frame.opcode != 8 {
        connection.send(ServerFrame.bytes(frame.opcode, frame.payload.reversed()))
      }
      connection.send(ServerFrame.bytes(8, [0x03, 0xe8]))
    }
    let socket = try Self.open(server)
    for bytes in [[], [1, 2, 3], [UInt8](0...255), [UInt8](repeating: 7, count: 1 << 20) + [1]] as [[UInt8]] {
      try socket.send(bytes)
      #expect(try socket.receive(until: Self.soon) == WebSocketMessage(bytes.reversed(), as: .binary))
    }
    try socket.send(Array("ab".utf8), as: .text)
    #expect(try socket.receive(until: Self.soon) == WebSocketMessage(Array("ba".utf8), as: .text))
    #expect(try socket.receive(until: .now) == nil)
    #expect(socket.close() == .closed(code: 1000, reason: ""))
    #expect(throws: WebSocketError.self) { try socket.send([1]) }
  }

  /// The server's first messages may come in one piece with its answer, and the piece may end within a frame.
  @Test func bytesRightBehindTheAnswerAreRead() throws {
    let server = try SocketServer { connection in
      connection.upgrade()
      connection.send(ServerFrame.text("first") + ServerFrame.text("second").dropLast(3))
      connection.send(
        Array(ServerFrame.text("second").suffix(3)) + ServerFrame.bytes(8, [0x0f, 0xa0] + Array("bye".utf8)))
      connection.readToEnd()
    }
    let socket = try Self.open(server)
    #expect(try socket.receive(until: Self.soon)?.bytes == Array("first".utf8))
    #expect(try socket.receive(until: Self.soon)?.bytes == Array("second".utf8))
    for _ in 0..<2 {
      #expect(throws: WebSocketError.closed(code: 4000, reason: "bye")) { try socket.receive(until: Self.soon) }
    }
    #expect(throws: WebSocketError.closed(code: 4000, reason: "bye")) { try socket.send([1]) }
  }

  @Test func aPingIsAnsweredWhileAThreadReceives() throws {
    let answered = Monitor<[ServerConnection.Received]>([])
    let server = try SocketServer { connection in
      connection.upgrade()
      connection.send(ServerFrame.bytes(9, [1, 2]))
      if let frame = connection.frame() { answered.withLock { $0.append(frame) } }
      connection.send(ServerFrame.text("answered"))
      connection.readToEnd()
    }
    let socket = try Self.open(server)
    #expect(try socket.receive(until: Self.soon)?.bytes == Array("answered".utf8))
    #expect(answered.withLock { $0 } == [ServerConnection.Received(10, [1, 2])])
  }

  /// The server answers two pings of ours, then no more: it is given up.
  @Test func aServerThatNoLongerAnswersIsGivenUp() throws {
    let pings = Monitor(0)
    let server = try SocketServer { connection in
      connection.upgrade()
      while connection.frame() == ServerConnection.Received(9) {
        let count = pings.withLock { count in
          count += 1
          return count
        }
        if count <= 2 { connection.send(ServerFrame.bytes(10)) }
      }
    }
    let socket = try Self.open(server, limits: WebSocketLimits(pingMilliseconds: 100))
    #expect(throws: WebSocketError.silent) { try socket.receive(until: Self.soon) }
    #expect(pings.withLock { $0 } >= 3)
  }

  @Test func theServersViolationIsAnsweredWithItsCode() throws {
    let closed = Monitor<ServerConnection.Received?>(nil)
    let server = try SocketServer { connection in
      connection.upgrade()
      connection.send(ServerFrame.text("good") + ServerFrame.bytes(1, [0xff]))
      let frame = connection.frame()
      closed.withLock { $0 = frame }
    }
    let socket = try Self.open(server)
    #expect(try socket.receive(until: Self.soon)?.bytes == Array("good".utf8))
    #expect(throws: WebSocketError.violated(code: 1007, reason: "a text is not UTF-8")) {
      try socket.receive(until: Self.soon)
    }
    let frame = closed.wait(milliseconds: 20_000) { $0 }
    #expect(frame?.opcode == 8 && frame?.payload.prefix(2) == [0x03, 0xef])
  }

  @Test func aMessageOverTheLimitEndsTheConnection() throws {
    let server = try SocketServer { connection in
      connection.upgrade()
      connection.send(ServerFrame.bytes(2, [UInt8](repeating: 1, count: 1001)))
      connection.readToEnd()
    }
    let socket = try Self.open(server, limits: WebSocketLimits(maximumMessage: 1000))
    #expect(throws: WebSocketError.violated(code: 1009, reason: "a message has more than 1000 bytes")) {
      try socket.receive(until: Self.soon)
    }
  }

  @Test func aConnectionThatEndsWithoutACloseIsTold() throws {
    let server = try SocketServer { $0.upgrade() }
    let socket = try Self.open(server)
    #expect(throws: WebSocketError.closed(code: 1006, reason: "")) { try socket.receive(until: Self.soon) }
  }

  @Test(arguments: [301, 403, 503]) func anHTTPStatusIsTheError(status: Int) throws {
    let server = try SocketServer { connection in
      _ = connection.head()
      connection.send("HTTP/1.1 \(status) x\r\nLocation: ws://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n")
    }
    #expect(throws: WebSocketError.refused(status: status)) { try Self.open(server) }
  }

  @Test func aServerThatEndsInsteadOfAnsweringIsUnreachable() throws {
    let server = try SocketServer { _ = $0.head() }
    let error = #expect(throws: WebSocketError.self) { try Self.open(server) }
    #expect(error == .connection(.unreachable("ws://127.0.0.1:\(server.port): the server has closed the connection")))
  }

  @Test func aServerThatDoesNotAnswerIsGivenUpAtTheTimeLimit() throws {
    let server = try SocketServer { $0.readToEnd() }
    let socket = try WebSocketConnection(to: server.url, over: HTTPClient(timeout: 1))
    let error = #expect(throws: WebSocketError.self) { try socket.open() }
    #expect(error == .connection(.unreachable("ws://127.0.0.1:\(server.port): no answer to the WebSocket's request")))
  }

  @Test func nothingListensThere() throws {
    let port = try SocketServer { _ in }.port
    let socket = try WebSocketConnection(to: "ws://127.0.0.1:\(port)", over: HTTPClient(timeout: 5))
    let error = #expect(throws: WebSocketError.self) { try socket.open() }
    guard case .connection(.notConnected(let reason)) = error else { throw try #require(error) }
    #expect(reason.hasPrefix("ws://127.0.0.1:\(port): "))
  }

  /// The same rule as for posts: a peer's endpoint may not lead into the machine's own network.
  @Test func loopbackIsNotReachedWherePublicAddressesAreAsked() throws {
    let server = try SocketServer { $0.upgrade() }
    let client = HTTPClient(timeout: 5, reach: .publicAddresses)
    let socket = try WebSocketConnection(to: server.url, over: client)
    #expect(throws: WebSocketError.connection(.notPublic)) { try socket.open() }
  }
}

@Suite struct EndingTests {
  /// A thread's result, which the test waits for.
  static func onThread<Value: Sendable>(_ work: @escaping @Sendable () -> Value) -> Monitor<Value?> {
    let result = Monitor<Value?>(nil)
    Thread.detachNewThread {
      let value = work()
      result.withLock { $0 = value }
    }
    return result
  }

  static func error(_ work: () throws -> Void) -> WebSocketError? {
    do { try work() } catch { return error as? WebSocketError }
    return nil
  }

  @Test func cancellingEndsABlockedReceive() throws {
    let isReading = Monitor(false)
    let server = try SocketServer { connection in
      connection.upgrade()
      _ = connection.frame()
      isReading.withLock { $0 = true }
      connection.readToEnd()
    }
    let socket = try ConnectionTests.open(server)
    let result = Self.onThread { Self.error { _ = try socket.receive(until: .now.after(milliseconds: 600_000)) } }
    try socket.send([1])
    isReading.wait { $0 ? () : nil }
    socket.cancel()
    #expect(result.wait(milliseconds: 20_000) { $0 } == .cancelled)
  }

  @Test func cancellingEndsABlockedOpen() throws {
    let hasCome = Monitor(false)
    let server = try SocketServer { connection in
      _ = connection.head()
      hasCome.withLock { $0 = true }
      connection.readToEnd()
    }
    let socket = try WebSocketConnection(to: server.url, over: HTTPClient(timeout: 600))
    let result = Self.onThread { Self.error { try socket.open() } }
    hasCome.wait { $0 ? () : nil }
    socket.cancel()
    #expect(result.wait(milliseconds: 20_000) { $0 } == .cancelled)
  }

  /// A server that reads nothing, behind full buffers.
  @Test func cancellingEndsABlockedSend() throws {
    let isOver = Monitor(false)
    defer { isOver.withLock { $0 = true } }
    let server = try SocketServer { connection in
      connection.upgrade()
      connection.send(ServerFrame.text("go"))
      isOver.wait { $0 ? () : nil }
    }
    let socket = try ConnectionTests.open(server)
    _ = try socket.receive(until: ConnectionTests.soon)
    let result = Self.onThread { Self.error { try socket.send([UInt8](repeating: 0, count: 64 << 20)) } }
    #expect(result.wait(milliseconds: 200) { $0 } == nil)
    socket.cancel()
    #expect(result.wait(milliseconds: 20_000) { $0 } == .cancelled)
  }

  /// Both sides send more than all buffers hold, and each reads: nobody waits for the other.
  @Test func sendingAndReceivingAtATimeDoNotWaitForEachOther() throws {
    let (count, size) = (12, 1 << 20)
    let server = try SocketServer { connection in
      connection.upgrade()
      for _ in 0..<count { connection.send(ServerFrame.bytes(2, [UInt8](repeating: 1, count: size))) }
      for _ in 0..<count { _ = connection.frame() }
      connection.send(ServerFrame.bytes(8, [0x03, 0xe8]))
      connection.readToEnd()
    }
    // The server answers no ping.
    let socket = try ConnectionTests.open(server, limits: WebSocketLimits(pingMilliseconds: 600_000))
    let sending = Self.onThread {
      Self.error { for _ in 0..<count { try socket.send([UInt8](repeating: 2, count: size)) } } == nil
    }
    for _ in 0..<count { #expect(try socket.receive(until: .now.after(milliseconds: 300_000))?.bytes.count == size) }
    #expect(sending.wait(milliseconds: 300_000) { $0 } == true)
    // The server closes once it has read everything, which a sanitizer makes slow.
    #expect(throws: WebSocketError.closed(code: 1000, reason: "")) {
      try socket.receive(until: .now.after(milliseconds: 300_000))
    }
  }

  @Test func closingWhileAnotherThreadReceivesEndsThatToo() throws {
    let server = try SocketServer { connection in
      connection.upgrade()
      guard let frame = connection.frame(), frame.opcode == 8 else { return }
      connection.send(ServerFrame.bytes(8, frame.payload))
      connection.readToEnd()
    }
    let socket = try ConnectionTests.open(server)
    let result = Self.onThread { Self.error { _ = try socket.receive(until: .now.after(milliseconds: 600_000)) } }
    #expect(socket.close(code: 1001) == .closed(code: 1001, reason: ""))
    #expect(result.wait(milliseconds: 20_000) { $0 } == .closed(code: 1001, reason: ""))
  }

  @Test func aServerThatDoesNotAnswerACloseIsLeft() throws {
    let server = try SocketServer { connection in
      connection.upgrade()
      connection.readToEnd()
    }
    let socket = try ConnectionTests.open(server, limits: WebSocketLimits(closeMilliseconds: 50))
    #expect(socket.close() == nil)
    #expect(throws: WebSocketError.cancelled) { try socket.receive(until: ConnectionTests.soon) }
  }

  /// Nobody receives them then, and there may be many.
  @Test func messagesInPlaceOfTheAnswerToACloseAreDropped() throws {
    let server = try SocketServer { connection in
      connection.upgrade()
      guard let frame = connection.frame(), frame.opcode == 8 else { return }
      connection.send(ServerFrame.text("late") + ServerFrame.bytes(8, frame.payload))
      connection.readToEnd()
    }
    let socket = try ConnectionTests.open(server)
    #expect(socket.close() == .closed(code: 1000, reason: ""))
    #expect(throws: WebSocketError.closed(code: 1000, reason: "")) { try socket.receive(until: ConnectionTests.soon) }
  }

  /// A server may send pings without end, and read nothing: what this side keeps stays within bounds.
  @Test func pingsWithoutEndFillNoMemory() throws {
    let sent = Monitor(0)
    let server = try SocketServer { connection in
      connection.upgrade()
      let pings = (0..<1000).flatMap { _ in ServerFrame.bytes(9, [UInt8](repeating: 1, count: 125)) }
      for _ in 0..<1000 {
        guard connection.send(pings) else { return }
        sent.withLock { $0 += 1 }
      }
    }
    let socket = try ConnectionTests.open(server, limits: WebSocketLimits(pingMilliseconds: 500))
    #expect(throws: WebSocketError.silent) { try socket.receive(until: .now.after(milliseconds: 60_000)) }
    #expect(sent.withLock { $0 } < 1000, "the server could not send everything")
  }
}

@Suite struct DeliveryTests {
  @Test func aDeliveryIsOneBinaryMessageWithAPingAndAClose() throws {
    let frames = Monitor<[ServerConnection.Received]>([])
    let server = try SocketServer { connection in
      connection.upgrade()
      while let frame = connection.frame() {
        frames.withLock { $0.append(frame) }
        if frame.opcode == 9 { connection.send(ServerFrame.bytes(10, frame.payload)) }
        if frame.opcode == 8 { connection.send(ServerFrame.bytes(8, frame.payload)) }
      }
    }
    for _ in 0..<2 { try WebSocketConnection.deliver([1, 2, 3], to: server.url, over: HTTPClient(timeout: 20)) }
    let received = frames.withLock { $0 }
    #expect(received.map(\.opcode) == [2, 9, 8, 2, 9, 8])
    #expect(received.first == ServerConnection.Received(2, [1, 2, 3]) && received[2].payload == [0x03, 0xe8])
    #expect(received[1].payload.count == 16 && received[1] != received[4], "nobody can guess the ping")
  }

  /// Otherwise nobody knows whether the message was read.
  @Test(arguments: [[], ServerFrame.bytes(8, [0x03, 0xf3])] as [[UInt8]])
  func aDeliveryNeedsTheServersGoodbye(answer: [UInt8]) throws {
    let server = try SocketServer { connection in
      connection.upgrade()
      _ = connection.frame()
      if let ping = connection.frame() { connection.send(ServerFrame.bytes(10, ping.payload)) }
      _ = connection.frame()
      connection.send(answer)
    }
    #expect(throws: WebSocketError.closed(code: answer.isEmpty ? 1006 : 1011, reason: "")) {
      try WebSocketConnection.deliver([1], to: server.url, over: HTTPClient(timeout: 20))
    }
  }

  /// A server may close without reading the message, and answer pings that it has not read.
  @Test(arguments: [[], ServerFrame.bytes(10), ServerFrame.bytes(10, [UInt8](repeating: 0, count: 16))] as [[UInt8]])
  func aServerThatReadsNothingHasNotGotTheMessage(pong: [UInt8]) throws {
    let server = try SocketServer { connection in
      connection.upgrade()
      _ = connection.read(1)  // the message is on its way
      connection.send(pong + ServerFrame.bytes(8, [0x03, 0xe8]))
      connection.readToEnd()
    }
    #expect(throws: WebSocketError.closed(code: 1000, reason: "")) {
      try WebSocketConnection.deliver([1], to: server.url, over: HTTPClient(timeout: 20))
    }
  }

  /// The server stops answering before the handshake, the pong, or the close.
  @Test(arguments: 0...2) func aDeliveryEndsWithItsDeadline(answers: Int) throws {
    let server = try SocketServer { connection in
      if answers > 0 { connection.upgrade() }
      while let frame = connection.frame() {
        if answers > 1, frame.opcode == 9 { connection.send(ServerFrame.bytes(10, frame.payload)) }
      }
    }
    let start = MonotonicTime.now
    #expect(throws: WebSocketError.self) {
      try Deadline.serving(start.after(milliseconds: 300)) {
        try WebSocketConnection.deliver([1], to: server.url, over: HTTPClient(timeout: 20))
      }
    }
    #expect(MonotonicTime.now < start.after(milliseconds: 8000), "the limits without a deadline are 10 and 20 seconds")
  }

  /// Nobody reads what a server sends during a delivery, before its answer to the ping or after it.
  @Test(arguments: [0, 1]) func aDeliveryTakesNoMoreThanItsLimit(answeredPings: Int) throws {
    let sent = Monitor(0)
    let server = try SocketServer { connection in
      connection.upgrade()
      _ = connection.frame()
      for _ in 0..<answeredPings {
        if let ping = connection.frame() { connection.send(ServerFrame.bytes(10, ping.payload)) }
      }
      let message = ServerFrame.bytes(2, [UInt8](repeating: 1, count: 60_000))
      for _ in 0..<1000 {
        guard connection.send(message) else { return }
        sent.withLock { $0 += 1 }
      }
    }
    #expect(throws: WebSocketError.violated(code: 1009, reason: "more than 65536 bytes came")) {
      try WebSocketConnection.deliver([1], to: server.url, over: HTTPClient(timeout: 20))
    }
    #expect(sent.withLock { $0 } < 1000, "the server could not send everything")
  }
}
