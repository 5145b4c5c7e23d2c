extension HTTPServer.Request {
  /// The path and the parameters of a target (RFC 9112, section 3.2.1), percent-decoded. As in forms, a plus sign in the query
  /// means a space.
  static func parts(of target: String) -> (path: String, query: [Field]) {
    let parts = target.utf8.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
    let parameters = parts.dropFirst().flatMap { $0.split(separator: UInt8(ascii: "&")) }
    return (path: parts.first.map { decoded($0) } ?? "", query: parameters.map { field($0) })
  }

  private static func field(_ parameter: Substring.UTF8View) -> Field {
    let parts = parameter.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
    let texts = parts.map { part in decoded(part.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }) }
    return (name: texts.first ?? "", value: texts.dropFirst().first ?? "")
  }

  /// A percent sign without two hexadecimal digits stays as it is. Bytes that are no UTF-8 are replaced.
  private static func decoded(_ bytes: some Collection<UInt8>) -> String {
    var (decoded, rest) = ([UInt8](), Array(bytes)[...])
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%"), let value = hexadecimal(rest.prefix(2)) else {
        decoded.append(byte)
        continue
      }
      decoded.append(value)
      rest = rest.dropFirst(2)
    }
    return String(decoding: decoded, as: UTF8.self)
  }

  private static func hexadecimal(_ digits: ArraySlice<UInt8>) -> UInt8? {
    let text = String(decoding: digits, as: UTF8.self)
    return digits.count == 2 && text.allSatisfy(\.isHexDigit) ? UInt8(text, radix: 16) : nil
  }
}
