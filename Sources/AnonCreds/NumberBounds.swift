internal import JSON

/// The bound of the numbers in objects that strangers made. The library's time grows with the cube of their digits: a
/// presentation with numbers of 600,000 digits takes it 13 seconds, a definition with one of 20,000 digits 31 seconds.
package enum NumberBounds: Sendable {
  /// The most digits of a number, decimal or hexadecimal. The numbers of keys of 4,200 bits have up to 1,415 digits.
  package static let mostDigits = 1_500

  /// The parts of an object that the library reads as numbers. The others hold texts of people.
  enum Parts: Sendable {
    case none
    /// Everything but the raw values of a credential.
    case credential
    /// Everything but the answers of a presentation, with their raw values.
    case presentation
    /// The nonce of a proof request.
    case nonce
    case all
  }

  /// Whether all numbers of a definition, a registry or a status list, as JSON text, have at most `mostDigits` digits.
  package static func permit(_ json: String) -> Bool { permit(Array(json.utf8), .all) }

  /// Whether all numbers in these parts of an object have at most `mostDigits` digits.
  static func permit(_ json: [UInt8], _ parts: Parts) -> Bool {
    guard parts != .none, hasLongRun(json) else { return true }
    // The library cannot read such an object either.
    guard let object = try? JSON(parsing: json) else { return false }
    return !parts.of(object).contains { hasLongNumber($0) }
  }

  private static func hasLongNumber(_ json: JSON) -> Bool {
    switch json {
    case .string(let text): hasLongRun(Array(text.utf8))
    case .array(let elements): elements.contains(where: hasLongNumber)
    case .object(let object): object.members.contains { hasLongNumber($0.value) }
    case .null, .bool, .integer, .real: false
    }
  }

  /// Whether there are more than `mostDigits` digits in a row. The letters and the sign of escapes count: JSON may
  /// write a digit as `\u0039`.
  private static func hasLongRun(_ bytes: [UInt8]) -> Bool {
    // A longer run has one of these places.
    for place in stride(from: mostDigits, to: bytes.count, by: mostDigits) where isPartOfNumber(bytes[place]) {
      var (start, end) = (place, place + 1)
      while start > 0, isPartOfNumber(bytes[start - 1]) { start -= 1 }
      while end < bytes.count, isPartOfNumber(bytes[end]) { end += 1 }
      if end - start > mostDigits { return true }
    }
    return false
  }

  private static func isPartOfNumber(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x46, 0x61...0x66, UInt8(ascii: "\\"), UInt8(ascii: "u"): true
    default: false
    }
  }
}

extension NumberBounds.Parts {
  /// The values that the library reads as numbers.
  fileprivate func of(_ object: JSON) -> [JSON] {
    switch self {
    case .none: return []
    case .all: return [object]
    case .nonce: return [object["nonce"] ?? .null]
    case .presentation: return (object.object?.members ?? []).filter { $0.key != "requested_proof" }.map(\.value)
    case .credential:
      let members = object.object?.members ?? []
      let values = members.first { $0.key == "values" }?.value.object?.members ?? []
      return members.filter { $0.key != "values" }.map(\.value) + values.compactMap { $0.value["encoded"] }
    }
  }
}
