/// Base58 in the alphabet of Bitcoin, for DIDs, verkeys and raw wallet keys.
///
/// The effort grows with the square of the length. It converts five characters, or four bytes, at a time.
package enum Base58: Sendable {
  /// The length limit for decoding. The long form of a `did:peer:4` is the longest text in base58; other
  /// implementations' long forms have about 1,000 characters.
  package static let maximumLength = 8_192

  private static let alphabet = Array("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz".utf8)

  /// The value of each byte, 255 for bytes outside of the alphabet.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 255, count: 256)
    for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
    return values
  }()

  package static func encode(_ bytes: [UInt8]) -> String {
    let zeros = bytes.prefix { $0 == 0 }.count
    var number = LongNumber(base: 656_356_768)  // 58 to the 5th
    for chunk in bytes.dropFirst(zeros).chunks(of: 4) {
      number.multiply(by: 1 << (8 * chunk.count), adding: chunk.reduce(0) { $0 << 8 | UInt64($1) })
    }
    let digits = [UInt8](repeating: 0, count: zeros) + number.digits(inBase: 58, perLimb: 5)
    let alphabet = alphabet
    return String(unsafeUninitializedCapacity: digits.count) { text in
      for index in digits.indices { text[index] = alphabet[Int(digits[index])] }
      return digits.count
    }
  }

  /// Decodes at most `limit` characters.
  package static func decode(_ text: String, limit: Int = maximumLength) throws(SodiumError) -> [UInt8] {
    guard text.utf8.count <= limit else { throw .notBase58 }
    let (text, values) = (text.utf8.span, Self.values)
    var zeros = 0
    while zeros < text.count, text[zeros] == alphabet[0] { zeros += 1 }
    var number = LongNumber(base: 1 << 32)
    for start in stride(from: zeros, to: text.count, by: 5) {
      var (factor, value): (UInt64, UInt64) = (1, 0)
      for index in start..<min(start + 5, text.count) {
        let digit = values[Int(text[index])]
        guard digit < 58 else { throw .notBase58 }
        (factor, value) = (factor &* 58, value &* 58 &+ UInt64(digit))  // at most 58 to the 5th
      }
      number.multiply(by: factor, adding: value)
    }
    return [UInt8](repeating: 0, count: zeros) + number.digits(inBase: 256, perLimb: 4)
  }
}
