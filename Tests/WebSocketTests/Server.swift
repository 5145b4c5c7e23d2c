@testable import WebSocket

/// Frames of a server, which have no mask.
enum ServerFrame {
  static func bytes(_ opcode: UInt8, _ payload: [UInt8] = [], isFinal: Bool = true, reserved: UInt8 = 0) -> [UInt8] {
    let first = (isFinal ? 0x80 : 0) | reserved | opcode
    return [first] + length(payload.count) + payload
  }

  static func text(_ text: String, isFinal: Bool = true) -> [UInt8] { bytes(1, Array(text.utf8), isFinal: isFinal) }

  static func length(_ count: Int) -> [UInt8] {
    switch count {
    case ...125: [UInt8(count)]
    case ...0xffff: [126, UInt8(count >> 8), UInt8(count & 0xff)]
    default: [127] + (0..<8).reversed().map { UInt8(truncatingIfNeeded: count >> (8 * $0)) }
    }
  }
}

extension ClientSession {
  /// A session whose masks are zero: its frames show their payload.
  static func plain(_ maximum: Int = 1 << 20) -> ClientSession {
    ClientSession(maximumMessage: maximum) { [UInt8](repeating: 0, count: $0) }
  }
}

/// A client's frame under a mask of zeros.
func answer(_ opcode: UInt8, _ payload: [UInt8] = []) -> ClientSession.Event {
  .answer([0x80 | opcode, 0x80 | UInt8(payload.count), 0, 0, 0, 0] + payload)
}

func message(_ bytes: [UInt8]) -> ClientSession.Event { .message(WebSocketMessage(bytes, as: .binary)) }
func message(_ text: String) -> ClientSession.Event { .message(WebSocketMessage(Array(text.utf8), as: .text)) }

/// The code with which the session closes after these bytes; nil if it goes on.
func violation(_ bytes: [UInt8], maximum: Int = 1 << 20) -> Int? {
  var session = ClientSession.plain(maximum)
  guard case .violated(let code, _) = session.take(bytes).last else { return nil }
  return session.isOpen ? 0 : code
}
