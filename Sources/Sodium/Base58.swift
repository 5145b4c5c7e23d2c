/// Base58 in the alphabet of Bitcoin: how DIDs, verkeys and raw wallet keys are written.
package enum Base58: Sendable {
  private static let alphabet = Array("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz".utf8)

  /// The value of each ASCII character, 255 for those that are not in the alphabet.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 255, count: 128)
    for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
    return values
  }()

  package static func encode(_ bytes: [UInt8]) -> String {
    let zeros = bytes.prefix { $0 == 0 }.count
    var digits: [UInt8] = []  // least significant first
    for byte in bytes.dropFirst(zeros) { multiplyAdd(&digits, radix: 256, adding: byte, base: 58) }
    let text = [UInt8](repeating: alphabet[0], count: zeros) + digits.reversed().map { alphabet[Int($0)] }
    return String(decoding: text, as: UTF8.self)
  }

  /// Decodes at most `limit` characters; the effort grows with the square of the length.
  package static func decode(_ text: String, limit: Int = 16_384) throws(SodiumError) -> [UInt8] {
    guard text.utf8.count <= limit else { throw .notBase58 }
    let zeros = text.utf8.prefix { $0 == alphabet[0] }.count
    var bytes: [UInt8] = []  // least significant first
    for character in text.utf8.dropFirst(zeros) {
      guard character < 128, values[Int(character)] < 58 else { throw .notBase58 }
      multiplyAdd(&bytes, radix: 58, adding: values[Int(character)], base: 256)
    }
    return [UInt8](repeating: 0, count: zeros) + bytes.reversed()
  }

  /// number = number × radix + adding, in digits of `base`.
  private static func multiplyAdd(_ digits: inout [UInt8], radix: Int, adding: UInt8, base: Int) {
    var carry = Int(adding)
    for index in digits.indices {
      carry += Int(digits[index]) * radix
      digits[index] = UInt8(carry % base)
      carry /= base
    }
    while carry > 0 {
      digits.append(UInt8(carry % base))
      carry /= base
    }
  }
}
