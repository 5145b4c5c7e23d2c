extension JSON {
  /// The text of the JSON Canonicalization Scheme (RFC 8785), over which hashes and signatures are made.
  ///
  /// Throws for an integer beyond 2⁵³: the scheme writes numbers as doubles, and other implementations
  /// write such an integer digit by digit.
  package func canonicalBytes() throws(InexactNumber) -> [UInt8] {
    var writer = CanonicalWriter()
    try writer.write(self)
    return writer.bytes
  }
}

private struct CanonicalWriter {
  private(set) var bytes: [UInt8] = []

  private static let largestInteger: Int64 = 9_007_199_254_740_991

  mutating func write(_ value: JSON) throws(InexactNumber) {
    switch value {
    case .null: bytes += "null".utf8
    case .bool(let value): bytes += (value ? "true" : "false").utf8
    case .integer(let value):
      guard value.magnitude <= Self.largestInteger.magnitude else { throw InexactNumber() }
      bytes += String(value).utf8
    case .real(let value):
      guard let text = value.ecmaScriptText else { throw InexactNumber() }
      bytes += text.utf8
    case .string(let value): write(value)
    case .array(let elements): try write(elements)
    case .object(let object): try write(object)
    }
  }

  private mutating func write(_ elements: [JSON]) throws(InexactNumber) {
    bytes.append(UInt8(ascii: "["))
    for (index, element) in elements.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      try write(element)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  /// The members stand in the order of the UTF-16 units of their names (RFC 8785, 3.2.3).
  private mutating func write(_ object: JSONObject) throws(InexactNumber) {
    let members = object.members.sorted { $0.key.utf16.lexicographicallyPrecedes($1.key.utf16) }
    bytes.append(UInt8(ascii: "{"))
    for (index, member) in members.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      write(member.key)
      bytes.append(UInt8(ascii: ":"))
      try write(member.value)
    }
    bytes.append(UInt8(ascii: "}"))
  }

  private mutating func write(_ string: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in string.utf8 {
      switch byte {
      case 0x08: bytes += "\\b".utf8
      case 0x09: bytes += "\\t".utf8
      case 0x0a: bytes += "\\n".utf8
      case 0x0c: bytes += "\\f".utf8
      case 0x0d: bytes += "\\r".utf8
      case 0..<0x20: bytes += "\\u00\(byte < 0x10 ? "0" : "")\(String(byte, radix: 16))".utf8
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}

extension Double {
  /// The number as ECMAScript writes it (ECMA-262, Number::toString): the shortest digits that read the same. Nil for
  /// infinities and NaN.
  fileprivate var ecmaScriptText: String? {
    guard isFinite else { return nil }
    guard self != 0 else { return "0" }
    let (digits, point) = magnitude.shortestDigits
    return (self < 0 ? "-" : "") + Self.text(digits, point)
  }

  /// The digits without zeros at the ends, and the position of the decimal point behind the first `point` digits. Swift
  /// writes the same digits in another notation, such as `1e-07` or `0.001`.
  private var shortestDigits: (digits: String, point: Int) {
    let parts = description.split(separator: "e")
    let mantissa = parts[0].split(separator: ".", omittingEmptySubsequences: false)
    let fraction = mantissa.count > 1 ? mantissa[1] : ""
    let all = mantissa[0] + fraction
    let significant = all.drop { $0 == "0" }
    var digits = String(significant)
    while digits.last == "0" { digits.removeLast() }
    let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    return (digits, mantissa[0].count - (all.count - significant.count) + exponent)
  }

  private static func text(_ digits: String, _ point: Int) -> String {
    switch point {
    case digits.count...21: return digits + String(repeating: "0", count: point - digits.count)
    case 1...21: return "\(digits.prefix(point)).\(digits.dropFirst(point))"
    case -5...0: return "0." + String(repeating: "0", count: -point) + digits
    default:
      let fraction = digits.count > 1 ? ".\(digits.dropFirst())" : ""
      return "\(digits.prefix(1))\(fraction)e\(point > 0 ? "+" : "-")\(abs(point - 1))"
    }
  }
}

/// A value has a number that its canonical text cannot have.
package struct InexactNumber: Error, Equatable, Sendable {}

extension InexactNumber: CustomStringConvertible {
  package var description: String { "it has a number that doubles do not have exactly" }
}
