/// A message that is put together from data frames (RFC 6455, section 5.4).
struct MessageAssembly {
  private let maximum: Int
  /// Nil between messages.
  private var kind: WebSocketMessage.Kind?
  private var bytes: [UInt8] = []
  private var check = UTF8Check()

  init(maximum: Int) { self.maximum = maximum }

  /// Begins a data frame. Its length counts at once, before its bytes have come.
  mutating func begin(_ frame: FrameHeader) throws(Violation) {
    switch frame.opcode {
    case .continuation: guard kind != nil else { throw Violation("a frame continues no message") }
    default:
      guard kind == nil else { throw Violation("a message begins within another") }
      kind = frame.opcode == .text ? .text : .binary
    }
    guard frame.length <= maximum - bytes.count else {
      throw Violation(1009, "a message has more than \(maximum) bytes")
    }
    if frame.isFinal { bytes.reserveCapacity(bytes.count + frame.length) }
  }

  mutating func append(_ piece: ArraySlice<UInt8>) throws(Violation) {
    if kind == .text, !check.take(piece) { throw Violation(1007, "a text is not UTF-8") }
    bytes += piece
  }

  /// Ends the message with the end of its last frame.
  mutating func finish() throws(Violation) -> WebSocketMessage {
    guard check.isWhole else { throw Violation(1007, "a text ends within a character") }
    defer { (kind, bytes) = (nil, []) }
    return WebSocketMessage(bytes, as: kind ?? .binary)
  }
}
