internal import CSodium

extension Sequence<UInt8> {
  /// Lower-case hexadecimal digits.
  package var hex: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}

/// Base64 (RFC 4648).
package enum Base64: Sendable {
  /// `+` and `/`; `-` and `_`.
  package enum Alphabet: Sendable { case standard, url }

  package static func encode(_ bytes: [UInt8], _ alphabet: Alphabet, padded: Bool = true) -> String {
    _ = Library.ready
    let variant = variant(alphabet, padded: padded)
    let capacity = sodium_base64_encoded_len(bytes.count, variant)
    var text = [CChar](repeating: 0, count: capacity)
    sodium_bin2base64(&text, capacity, bytes, bytes.count, variant)
    return String(decoding: text.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Decodes text in one alphabet, with or without padding. White space and trailing bits are refused.
  package static func decode(_ text: String, _ alphabet: Alphabet) throws(SodiumError) -> [UInt8] {
    _ = Library.ready
    // libsodium reads each byte from 0x80 on as the last digit of the alphabet.
    guard text.utf8.allSatisfy({ $0 < 0x80 }) else { throw .notBase64 }
    let variant = variant(alphabet, padded: text.utf8.last == UInt8(ascii: "="))
    let capacity = text.utf8.count / 4 * 3 + 3
    var bytes = [UInt8](repeating: 0, count: capacity)
    var count = 0
    let isWhole = text.withCString { start in
      var end: UnsafePointer<CChar>?
      let status = sodium_base642bin(&bytes, capacity, start, text.utf8.count, nil, &count, &end, variant)
      return status == 0 && end == start + text.utf8.count
    }
    guard isWhole else { throw .notBase64 }
    bytes.removeLast(capacity - count)
    return bytes
  }

  /// Decodes text in either alphabet, with or without padding, because peers send both.
  package static func decodeAny(_ text: String) throws(SodiumError) -> [UInt8] {
    let isStandard = text.utf8.contains { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/") }
    return try decode(text, isStandard ? .standard : .url)
  }

  private static func variant(_ alphabet: Alphabet, padded: Bool) -> Int32 {
    switch (alphabet, padded) {
    case (.standard, true): sodium_base64_VARIANT_ORIGINAL
    case (.standard, false): sodium_base64_VARIANT_ORIGINAL_NO_PADDING
    case (.url, true): sodium_base64_VARIANT_URLSAFE
    case (.url, false): sodium_base64_VARIANT_URLSAFE_NO_PADDING
    }
  }
}
