internal import Sodium

/// The frames of RFC 6455, section 5.2.
enum Frame {
  enum Opcode: UInt8 {
    case continuation = 0
    case text = 1
    case binary = 2
    case close = 8
    case ping = 9
    case pong = 10

    var isControl: Bool { rawValue & 8 != 0 }
  }

  /// The most bytes in a control frame.
  static let maximumControl = 125

  /// The longest header: two bytes, eight of the length, and four of the mask.
  private static let maximumHeader = 14

  /// A whole message in one frame of a client, with a fresh mask, which nobody can foresee (5.3).
  static func bytes(_ opcode: Opcode, _ payload: [UInt8], random: RandomSource = randomBytes) -> [UInt8] {
    let mask = random(4)
    return [UInt8](unsafeUninitializedCapacity: maximumHeader + payload.count) { frame, count in
      frame[0] = 0x80 | opcode.rawValue
      count = 2
      switch payload.count {
      case 0...125: frame[1] = 0x80 | UInt8(payload.count)
      case 126...0xffff:
        frame[1] = 0x80 | 126
        write(payload.count, bytes: 2, to: frame, &count)
      default:
        frame[1] = 0x80 | 127
        write(payload.count, bytes: 8, to: frame, &count)
      }
      for byte in mask {
        frame[count] = byte
        count += 1
      }
      apply(mask, to: payload, UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(frame)[count...]))
      count += payload.count
    }
  }

  private static func write(_ number: Int, bytes: Int, to frame: UnsafeMutableBufferPointer<UInt8>, _ count: inout Int)
  {
    for index in (0..<bytes).reversed() {
      frame[count] = UInt8(truncatingIfNeeded: number >> (8 * index))
      count += 1
    }
  }

  /// Writes the payload under the mask, eight bytes at a time.
  private static func apply(_ mask: [UInt8], to payload: [UInt8], _ target: UnsafeMutableRawBufferPointer) {
    let half = mask.withUnsafeBytes { UInt64($0.loadUnaligned(as: UInt32.self)) }
    let word = half << 32 | half
    payload.withUnsafeBytes { source in
      let whole = source.count & ~7
      for offset in stride(from: 0, to: whole, by: 8) {
        target.storeBytes(
          of: source.loadUnaligned(fromByteOffset: offset, as: UInt64.self) ^ word, toByteOffset: offset,
          as: UInt64.self)
      }
      for offset in whole..<source.count { target[offset] = source[offset] ^ mask[offset & 3] }
    }
  }
}

extension WebSocketMessage.Kind {
  var opcode: Frame.Opcode { self == .text ? .text : .binary }
}

/// The reason why the client ends the connection, and the code of its close frame.
struct Violation: Error, Equatable {
  let code: Int
  let reason: String

  init(_ code: Int, _ reason: String) {
    self.code = code
    self.reason = reason
  }

  /// A violation of the rules for frames.
  init(_ reason: String) { self.init(1002, reason) }
}

/// The header of a frame from a server.
struct FrameHeader: Equatable {
  let opcode: Frame.Opcode
  let isFinal: Bool
  let length: Int

  /// The number of bytes of a header that begins with these bytes; 2 if there are fewer than two. Throws as soon as the
  /// bytes show a header that a server may not send.
  static func size(beginning bytes: [UInt8]) throws(Violation) -> Int {
    guard let first = bytes.first else { return 2 }
    guard first & 0x70 == 0 else { throw Violation("a frame has reserved bits") }
    guard let opcode = Frame.Opcode(rawValue: first & 0x0f) else { throw Violation("a frame has a reserved opcode") }
    guard !opcode.isControl || first & 0x80 != 0 else { throw Violation("a control frame is fragmented") }
    guard bytes.count > 1 else { return 2 }
    guard bytes[1] & 0x80 == 0 else { throw Violation("a frame of the server is masked") }
    guard !opcode.isControl || bytes[1] <= Frame.maximumControl else { throw Violation("a control frame is too long") }
    return switch bytes[1] {
    case 126: 4
    case 127: 10
    default: 2
    }
  }

  /// `bytes` are all bytes of the header, as `size` says.
  init(_ bytes: [UInt8]) throws(Violation) {
    guard let opcode = Frame.Opcode(rawValue: bytes[0] & 0x0f) else { throw Violation("a frame has a reserved opcode") }
    self.opcode = opcode
    isFinal = bytes[0] & 0x80 != 0
    guard bytes.count > 2 else {
      length = Int(bytes[1])
      return
    }
    let number = bytes.dropFirst(2).reduce(0) { $0 << 8 | UInt64($1) }
    guard let length = Int(exactly: number) else { throw Violation("a frame's length has its highest bit set") }
    guard length > (bytes.count == 4 ? 125 : 0xffff) else {
      throw Violation("a frame's length is not in its shortest form")
    }
    self.length = length
  }
}
