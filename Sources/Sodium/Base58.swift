/// Base58 in the alphabet of Bitcoin, for DIDs, verkeys and raw wallet keys.
///
/// The effort grows with the square of the length. It converts five characters, or four bytes, at a time.
package enum Base58: Sendable {
  /// The length limit for decoding. The long form of a `did:peer:4` is the longest text in base58; other
  /// implementations' have some 1,000 characters.
  package static let maximumLength = 8_192

  private static let alphabet = Array("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz".utf8)

  /// The value of each ASCII character, 255 for characters outside of the alphabet.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 255, count: 128)
    for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
    return values
  }()

  package static func encode(_ bytes: [UInt8]) -> String {
    let zeros = bytes.prefix { $0 == 0 }.count
    var number = LongNumber(base: 656_356_768)  // 58 to the 5th
    for chunk in bytes.dropFirst(zeros).chunks(of: 4) {
      number.multiply(by: 1 << (8 * chunk.count), adding: chunk.reduce(0) { $0 << 8 | UInt64($1) })
    }
    let digits = number.digits(inBase: 58, perLimb: 5)
    let text = [UInt8](repeating: alphabet[0], count: zeros) + digits.map { alphabet[Int($0)] }
    return String(decoding: text, as: UTF8.self)
  }

  /// Decodes at most `limit` characters.
  package static func decode(_ text: String, limit: Int = maximumLength) throws(SodiumError) -> [UInt8] {
    guard text.utf8.count <= limit else { throw .notBase58 }
    let zeros = text.utf8.prefix { $0 == alphabet[0] }.count
    var number = LongNumber(base: 1 << 32)
    for chunk in Array(text.utf8.dropFirst(zeros))[...].chunks(of: 5) {
      var (factor, value): (UInt64, UInt64) = (1, 0)
      for character in chunk {
        guard character < 128, values[Int(character)] < 58 else { throw .notBase58 }
        (factor, value) = (factor * 58, value * 58 + UInt64(values[Int(character)]))
      }
      number.multiply(by: factor, adding: value)
    }
    return [UInt8](repeating: 0, count: zeros) + number.digits(inBase: 256, perLimb: 4)
  }
}
