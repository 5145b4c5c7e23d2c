internal import Sodium

/// The client's side of an open WebSocket (RFC 6455), without I/O: it turns the server's bytes into messages and answers.
struct ClientSession {
  enum Event: Equatable, Sendable {
    case message(WebSocketMessage)
    /// A frame to be sent.
    case answer([UInt8])
    /// The server's close frame, which may answer the client's. No event follows.
    case closed(code: Int, reason: String)
    /// The server broke the protocol. The event before has the client's close frame with this code. No event follows.
    case violated(code: Int, reason: String)
  }

  /// The code that stands for a close frame without a code (7.1.5).
  static let noCode = 1005

  private let random: RandomSource
  private var header: [UInt8] = []
  private var frame: FrameHeader?
  /// The number of bytes that the frame still lacks.
  private var missing = 0
  private var control: [UInt8] = []
  private var message: MessageAssembly
  private var hasClosed = false
  private var isOver = false
  /// The content of the last ping of `ask`; nil if none was sent.
  private var asked: [UInt8]?
  /// Whether the server has answered the ping of `ask`. It has then read everything that was sent before the ping.
  private(set) var hasAnswered = false

  init(maximumMessage: Int, random: @escaping RandomSource = randomBytes) {
    message = MessageAssembly(maximum: maximumMessage)
    self.random = random
  }

  /// Whether neither side has closed.
  var isOpen: Bool { !hasClosed && !isOver }

  /// The client's close frame. Returns nil if one of the sides has closed. Later frames are still read, because the
  /// server's answer is one of them.
  mutating func close(code: Int, reason: String = "") -> [UInt8]? {
    guard isOpen else { return nil }
    hasClosed = true
    return Frame.bytes(.close, Closure(code: code, reason: reason).payload, random: random)
  }

  /// A ping whose content nobody can guess.
  mutating func ask() -> [UInt8] {
    let content = random(Self.askedCount)
    (asked, hasAnswered) = (content, false)
    return Frame.bytes(.ping, content, random: random)
  }

  private static let askedCount = 16

  /// Reads the next bytes of the server, which come in pieces of any size. Ignores bytes after the end.
  mutating func take(_ bytes: [UInt8]) -> [Event] {
    var events: [Event] = []
    do throws(Violation) {
      var rest = bytes[...]
      while !isOver, !rest.isEmpty { try read(&rest, &events) }
    } catch {
      if let frame = close(code: error.code, reason: error.reason) { events.append(.answer(frame)) }
      events.append(.violated(code: error.code, reason: error.reason))
      isOver = true
    }
    return events
  }

  /// Reads one byte of a header, or all bytes of a payload that have come.
  private mutating func read(_ rest: inout ArraySlice<UInt8>, _ events: inout [Event]) throws(Violation) {
    guard let frame else {
      try readHeader(&rest)
      if missing == 0 { try finishFrame(&events) }
      return
    }
    let piece = rest.prefix(missing)
    rest = rest.dropFirst(piece.count)
    missing -= piece.count
    if frame.opcode.isControl { control += piece } else { try message.append(piece) }
    if missing == 0 { try finishFrame(&events) }
  }

  private mutating func readHeader(_ rest: inout ArraySlice<UInt8>) throws(Violation) {
    guard let byte = rest.popFirst() else { return }
    header.append(byte)
    guard try header.count == FrameHeader.size(beginning: header) else { return }
    let frame = try FrameHeader(header)
    if !frame.opcode.isControl { try message.begin(frame) }
    header.removeAll(keepingCapacity: true)
    self.frame = frame
    missing = frame.length
  }

  private mutating func finishFrame(_ events: inout [Event]) throws(Violation) {
    guard let frame else { return }
    self.frame = nil
    if frame.opcode.isControl {
      defer { control = [] }
      try take(frame.opcode, control, &events)
    } else if frame.isFinal {
      events.append(.message(try message.finish()))
    }
  }

  private mutating func take(_ opcode: Frame.Opcode, _ payload: [UInt8], _ events: inout [Event]) throws(Violation) {
    switch opcode {
    case .pong where payload == asked: hasAnswered = true
    case .ping where isOpen: events.append(.answer(Frame.bytes(.pong, payload, random: random)))
    case .close:
      let closure = try Closure(payload)
      if !hasClosed { events.append(.answer(Frame.bytes(.close, closure.payload, random: random))) }
      (hasClosed, isOver) = (true, true)
      events.append(.closed(code: closure.code, reason: closure.reason))
    default: break
    }
  }
}

/// The content of a close frame (7.4).
struct Closure: Equatable {
  let code: Int
  let reason: String

  init(code: Int, reason: String) {
    self.code = code
    self.reason = reason
  }

  init(_ payload: [UInt8]) throws(Violation) {
    guard !payload.isEmpty else {
      self.init(code: ClientSession.noCode, reason: "")
      return
    }
    guard payload.count > 1 else { throw Violation("a close frame has half a code") }
    let code = Int(payload[0]) << 8 | Int(payload[1])
    guard Self.isPermitted(code) else { throw Violation("a close frame has the code \(code)") }
    guard let reason = String(validating: payload.dropFirst(2), as: UTF8.self) else {
      throw Violation(1007, "the reason of a close frame is not UTF-8")
    }
    self.init(code: code, reason: reason)
  }

  /// Whether a close frame may have the code: a private code, or a code of the IANA registry other than 1004 to 1006
  /// and 1015.
  private static func isPermitted(_ code: Int) -> Bool {
    switch code {
    case 1000...1003, 1007...1014, 3000...4999: true
    default: false
    }
  }

  var payload: [UInt8] {
    guard code != ClientSession.noCode else { return [] }
    return [UInt8(truncatingIfNeeded: code >> 8), UInt8(truncatingIfNeeded: code)] + reason.utf8
  }
}
