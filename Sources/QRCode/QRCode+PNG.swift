internal import CZlib

extension QRCode {
  /// The code as a picture in PNG (ISO/IEC 15948), black on white, with so many pixels for a module.
  package func png(scale: Int = 8) -> [UInt8] {
    let side = (width + 2 * Self.margin) * scale
    let size = UInt32(side).bytes
    let header = size + size + [1, 0, 0, 0, 0]  // one bit for each pixel, in gray
    return [0x89] + Array("PNG\r\n\u{1A}\n".utf8) + Self.chunk("IHDR", header)
      + Self.chunk("IDAT", Self.compressed(pixels(side, scale))) + Self.chunk("IEND", [])
  }

  /// A row begins with the number of its filter, 0 for none. A bit that is set is white.
  private func pixels(_ side: Int, _ scale: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    for row in 0..<side {
      bytes.append(0)
      for start in stride(from: 0, to: side, by: 8) {
        var byte: UInt8 = 0
        for column in start..<start + 8 {
          let isDark = isDark(row: row / scale - Self.margin, column: column / scale - Self.margin)
          byte = byte << 1 | (isDark ? 0 : 1)
        }
        bytes.append(byte)
      }
    }
    return bytes
  }

  private static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
    let body = Array(type.utf8) + content
    return UInt32(content.count).bytes + body + UInt32(truncatingIfNeeded: crc32(0, body, uInt(body.count))).bytes
  }

  private static func compressed(_ bytes: [UInt8]) -> [UInt8] {
    var length = compressBound(uLong(bytes.count))
    var result = [UInt8](repeating: 0, count: Int(length))
    // The buffer has the size that zlib asks for, and a Swift program ends anyway if memory is missing.
    _ = compress(&result, &length, bytes, uLong(bytes.count))
    return Array(result.prefix(Int(length)))
  }
}

extension UInt32 {
  /// The bytes, the highest first.
  fileprivate var bytes: [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: self >> $0) } }
}
