internal import CSodium

/// Base64 (RFC 4648), by tables. The time depends on the text, which must be public; `decodeSecret` reads keys.
package enum Base64: Sendable {
  /// `+` and `/`; `-` and `_`.
  package enum Alphabet: Sendable { case standard, url }

  package static func encode(_ bytes: [UInt8], _ alphabet: Alphabet, padded: Bool = true) -> String {
    String(unsafeUninitializedCapacity: (bytes.count + 2) / 3 * 4) { text in
      bytes.withUnsafeBufferPointer { alphabet.table.encode($0, padded: padded, into: text) }
    }
  }

  /// Appends the text of `bytes`, with padding.
  package static func append(_ bytes: Span<UInt8>, _ alphabet: Alphabet, to text: inout [UInt8]) {
    append(count: bytes.count, alphabet, to: &text) { room in
      bytes.withUnsafeBufferPointer { _ = room.initialize(from: $0) }
    }
  }

  /// Appends the text of `count` bytes, with padding. `write` puts the bytes at the end of the room for their text, so
  /// that long bytes need no memory of their own. The encoder then fills that room from its start, and never overwrites
  /// a byte that it has not read.
  static func append(
    count: Int, _ alphabet: Alphabet, to text: inout [UInt8], write: (UnsafeMutableBufferPointer<UInt8>) -> Void
  ) {
    let (start, length) = (text.count, (count + 2) / 3 * 4)
    text.append(contentsOf: repeatElement(0, count: length))
    text.withUnsafeMutableBufferPointer { text in
      let bytes = UnsafeMutableBufferPointer(rebasing: text[(start + length - count)...])
      write(bytes)
      _ = alphabet.table.encode(
        UnsafeBufferPointer(bytes), padded: true, into: UnsafeMutableBufferPointer(rebasing: text[start...]))
    }
  }

  /// Decodes text in one alphabet, with or without padding. White space and trailing bits are refused.
  package static func decode(_ text: String, _ alphabet: Alphabet) throws(SodiumError) -> [UInt8] {
    try decode(text.utf8.span, alphabet)
  }

  /// Decodes the bytes of a text.
  package static func decode(_ text: Span<UInt8>, _ alphabet: Alphabet) throws(SodiumError) -> [UInt8] {
    guard let bytes = alphabet.table.decode(text) else { throw .notBase64 }
    return bytes
  }

  /// Decodes text in either alphabet, with or without padding: peers send all forms.
  package static func decodeAny(_ text: String) throws(SodiumError) -> [UInt8] {
    let isStandard = text.utf8.contains { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/") }
    return try decode(text, isStandard ? .standard : .url)
  }

  /// Decodes a key in the standard alphabet, with padding, in a time that does not depend on it.
  package static func decodeSecret(_ text: String) throws(SodiumError) -> [UInt8] {
    _ = Library.ready
    // libsodium reads each byte from 0x80 on as the last digit of the alphabet.
    guard text.utf8.allSatisfy({ $0 < 0x80 }) else { throw .notBase64 }
    let capacity = text.utf8.count / 4 * 3 + 3
    var bytes = [UInt8](repeating: 0, count: capacity)
    var count = 0
    let isWhole = text.withCString { start in
      var end: UnsafePointer<CChar>?
      let status = sodium_base642bin(
        &bytes, capacity, start, text.utf8.count, nil, &count, &end, sodium_base64_VARIANT_ORIGINAL)
      return status == 0 && end == start + text.utf8.count
    }
    guard isWhole else { throw .notBase64 }
    bytes.removeLast(capacity - count)
    return bytes
  }
}

extension Base64.Alphabet {
  fileprivate var table: Base64Table {
    switch self {
    case .standard: .standard
    case .url: .url
    }
  }
}
