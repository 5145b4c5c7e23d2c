package import HTTP
internal import Logging
package import Platform
internal import Threading

/// A WebSocket (RFC 6455) to a server at a `ws://` or `wss://` URL. It has no thread of its own.
///
/// One thread opens the connection. Then any threads may send, and one thread at a time may receive. A thread should be
/// receiving nearly always: only a receiving thread answers the server's pings, and sends the pings that find out
/// whether the server is still there. Any thread may close or cancel it at any time.
package final class WebSocketConnection: Sendable {
  private struct State {
    var session: ClientSession
    var heartbeat: Heartbeat
    var messages: [WebSocketMessage] = []
    /// The number of bytes that have come.
    var count = 0
    /// The reason why no more messages come; nil while messages may come.
    var end: WebSocketError?
    var isOpen = false
    var isReceiving = false
  }

  private let url: WebSocketURL
  private let stream: ServerStream
  private let limits: WebSocketLimits
  private let state: Monitor<State>

  /// Makes a connection that is not open yet. The client gives the permitted addresses, the certificates, the proxy,
  /// and the time limit of `open` and of each `send`. Throws `invalidURL`, or `connection` if there is no libcurl.
  package init(
    to url: String, over client: HTTPClient, limits: WebSocketLimits = WebSocketLimits()
  ) throws(WebSocketError) {
    guard let url = WebSocketURL(url) else { throw .invalidURL }
    do { stream = try client.stream(to: url.http, named: url.origin) } catch { throw .connection(error) }
    self.url = url
    self.limits = limits
    state = Monitor(
      State(
        session: ClientSession(maximumMessage: limits.maximumMessage),
        heartbeat: Heartbeat(milliseconds: limits.pingMilliseconds, start: .now)))
  }

  /// Connects, and blocks until the server speaks the protocol. Call it once. Throws `refused` for another status than 101,
  /// also for redirects, which it does not follow.
  package func open() throws(WebSocketError) {
    let limit = MonotonicTime.now.after(milliseconds: stream.milliseconds)
    var opening = OpeningHandshake(url)
    try transferring { () throws(HTTPError) in
      try stream.open()
      try stream.send(opening.request)
    }
    let rest = try readAnswer(&opening, until: limit)
    state.withLock { state in
      state.isOpen = true
      state.heartbeat = Heartbeat(milliseconds: limits.pingMilliseconds, start: .now)
      self.take(rest, &state)
    }
    Log.debug("WebSocket \(url.origin): open")
  }

  /// Sends a message, and returns when the connection has taken all of it. Throws `closed` after a close frame of
  /// either side. Other messages and answers to pings wait until this message has left.
  package func send(_ bytes: [UInt8], as kind: WebSocketMessage.Kind = .binary) throws(WebSocketError) {
    let frame = Frame.bytes(kind.opcode, bytes)
    let queued = state.withLock { state -> Result<Int, WebSocketError> in
      if let end = state.end { return .failure(end) }
      guard state.isOpen, state.session.isOpen else { return .failure(.closed(code: 1000, reason: "")) }
      return .success(stream.queue(frame))
    }
    let position = try queued.get()
    try transferring { () throws(HTTPError) in try stream.flush(upTo: position) }
  }

  /// The next message, in the order of arrival; nil if none has come by the deadline. A message that came earlier is
  /// returned even if the deadline has passed. After the last message, each call throws the reason why no more messages
  /// come.
  package func receive(until deadline: MonotonicTime) throws(WebSocketError) -> WebSocketMessage? {
    beginReceiving()
    defer { state.withLock { $0.isReceiving = false } }
    while true {
      let next = state.withLock { state -> Result<WebSocketMessage, WebSocketError>? in
        if !state.messages.isEmpty { return .success(state.messages.removeFirst()) }
        return state.end.map { .failure($0) }
      }
      if let next { return try next.get() }
      guard readOnce(until: deadline) || MonotonicTime.now < deadline else { return nil }
    }
  }

  /// Waits until no other thread receives.
  private func beginReceiving() {
    state.wait { state -> Void? in
      guard !state.isReceiving else { return nil }
      state.isReceiving = true
      return ()
    }
  }

  /// Sends a ping, and blocks until the server has answered it: the server has then read everything that was sent
  /// before. Takes the place of the receiving thread. Messages that come meanwhile stay for `receive`. Throws the
  /// reason of the end, or `silent` at the deadline.
  package func confirm(until deadline: MonotonicTime) throws(WebSocketError) {
    let position = state.withLock { state in stream.queue(state.session.ask()) }
    try transferring { () throws(HTTPError) in try stream.flush(upTo: position) }
    beginReceiving()
    defer { state.withLock { $0.isReceiving = false } }
    while true {
      let (hasAnswered, end) = state.withLock { ($0.session.hasAnswered, $0.end) }
      if hasAnswered { return }
      if let end { throw end }
      guard readOnce(until: deadline) || MonotonicTime.now < deadline else { throw .silent }
    }
  }

  /// Sends a close frame with a code (RFC 6455, 7.4), and blocks until the server has answered, at most for the time of
  /// the limits. Messages that nobody has received by then are lost. Does nothing if a side has closed. Returns the
  /// reason of the end; nil if the server has not answered.
  @discardableResult
  package func close(code: Int = 1000) -> WebSocketError? {
    defer { cancel() }
    let isFirst = state.withLock { state in
      guard state.isOpen, state.end == nil, let frame = state.session.close(code: code) else { return false }
      stream.queue(frame)
      return true
    }
    if isFirst { awaitClose() }
    return state.withLock { $0.end }
  }

  /// Ends the connection at once, without a close frame: a blocked `open`, `send` or `receive` throws `cancelled`.
  package func cancel() { stream.cancel() }
}

extension WebSocketConnection {
  private func readAnswer(_ opening: inout OpeningHandshake, until limit: MonotonicTime) throws(WebSocketError)
    -> [UInt8]
  {
    while true {
      let piece = try transferring { () throws(HTTPError) in try stream.receive(until: limit) }
      guard let piece else { throw .connection(.unreachable("\(url.origin): no answer to the WebSocket's request")) }
      guard !piece.isEmpty else {
        throw .connection(.unreachable("\(url.origin): the server has closed the connection"))
      }
      if let rest = try opening.take(piece) { return rest }
    }
  }

  /// Waits for the server's close frame, in the place of a receiving thread if there is none.
  private func awaitClose() {
    let limit = MonotonicTime.now.after(milliseconds: Deadline.milliseconds(atMost: limits.closeMilliseconds))
    while MonotonicTime.now < limit, state.withLock({ $0.end == nil }) {
      let isOurs = state.withLock { state in
        guard !state.isReceiving else { return false }
        state.isReceiving = true
        return true
      }
      if isOurs {
        _ = readOnce(until: limit)
        // Nobody receives the messages that come now, and they may be many.
        state.withLock { ($0.isReceiving, $0.messages) = (false, []) }
      } else {
        _ = state.wait(milliseconds: limit.millisecondsLeft) { $0.end != nil || !$0.isReceiving ? true : nil }
      }
    }
  }

  /// Reads the next bytes. If none come by the time of the heartbeat's next action, does this action. Returns whether
  /// bytes or the end came.
  private func readOnce(until deadline: MonotonicTime) -> Bool {
    let beat = state.withLock { $0.heartbeat.next }
    let result = Result { () throws(WebSocketError) in
      try transferring { () throws(HTTPError) in try stream.receive(until: min(deadline, beat)) }
    }
    return state.withLock { state in
      switch result {
      case .success(nil): self.beat(&state)
      case .success(let piece?) where piece.isEmpty: self.end(.closed(code: 1006, reason: ""), &state)
      case .success(let piece?): self.take(piece, &state)
      case .failure(let reason): self.end(reason, &state)
      }
      return state.end != nil || (try? result.get())?.isEmpty == false
    }
  }

  private func beat(_ state: inout State) {
    switch state.heartbeat.beat(at: .now) {
    case .none: break
    case .ping: stream.queue(Frame.bytes(.ping, []))
    case .silence: end(.silent, &state)
    }
  }

  /// Reads bytes of the server. The answers to them leave with the next call that sends or receives.
  private func take(_ bytes: [UInt8], _ state: inout State) {
    state.heartbeat.hear(at: .now)
    state.count += bytes.count
    if let limit = limits.maximumInAll, state.count > limit {
      return end(.violated(code: 1009, reason: "more than \(limit) bytes came"), &state)
    }
    for event in state.session.take(bytes) {
      switch event {
      case .message(let message): state.messages.append(message)
      case .answer(let frame): stream.queue(frame, isAnswer: true)
      case .closed(let code, let reason): end(.closed(code: code, reason: reason), &state)
      case .violated(let code, let reason): end(.violated(code: code, reason: reason), &state)
      }
    }
  }

  private func end(_ reason: WebSocketError, _ state: inout State) {
    guard state.end == nil else { return }
    state.end = reason
    Log.debug("WebSocket \(url.origin): \(reason)")
  }

  private func transferring<Value>(
    _ work: () throws(HTTPError) -> Value
  ) throws(WebSocketError) -> Value {
    do { return try work() } catch { throw stream.isCancelled ? .cancelled : .connection(error) }
  }
}
