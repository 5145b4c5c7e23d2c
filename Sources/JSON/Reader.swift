extension JSON {
  /// Reads a JSON text in UTF-8 with any kind of value at the top. Throws before it builds anything if the text exceeds
  /// the limits.
  package init(
    parsing bytes: [UInt8], limits: JSONLimits = .standard, repeatedNames: RepeatedNames = .lastCounts
  ) throws(JSONError) {
    var reader = Reader(bytes, try Outline(of: bytes, limits: limits), repeatedNames)
    self = try reader.readText()
  }

  /// The treatment of a name that occurs twice in one object (RFC 8259, section 4, leaves it open).
  package enum RepeatedNames: Sendable {
    /// The last value counts, as for messages of peers.
    case lastCounts
    /// The text is an error, since its author cannot have meant both values.
    case refused
  }

  package init(parsing text: String, limits: JSONLimits = .standard) throws(JSONError) {
    try self.init(parsing: Array(text.utf8), limits: limits)
  }
}

/// Walks over the bytes of a text once, and builds its values.
///
/// The outline gives the size of each container: an array that grew would take up to three times as much memory.
private struct Reader {
  private let bytes: [UInt8]
  private let outline: Outline
  private let repeatedNames: JSON.RepeatedNames
  private var position = 0
  private var containers = 0

  init(_ bytes: [UInt8], _ outline: Outline, _ repeatedNames: JSON.RepeatedNames) {
    self.bytes = bytes
    self.outline = outline
    self.repeatedNames = repeatedNames
  }

  mutating func readText() throws(JSONError) -> JSON {
    let value = try readValue()
    skipBlanks()
    guard position == bytes.count else { throw malformed("the end of the text was expected") }
    return value
  }

  private mutating func readValue() throws(JSONError) -> JSON {
    skipBlanks()
    switch next {
    case UInt8(ascii: "{"): return .object(try readObject())
    case UInt8(ascii: "["): return .array(try readArray())
    case UInt8(ascii: "\""): return .string(try readString())
    case UInt8(ascii: "-"), 0x30...0x39: return try readNumber()
    case UInt8(ascii: "t"): return try readWord("true", .bool(true))
    case UInt8(ascii: "f"): return try readWord("false", .bool(false))
    case UInt8(ascii: "n"): return try readWord("null", .null)
    default: throw malformed("a value was expected")
    }
  }

  /// The byte at the position; 0 at the end, since JSON never contains this byte.
  private var next: UInt8 { position < bytes.count ? bytes[position] : 0 }

  private mutating func skipBlanks() {
    while next == 0x20 || next == 0x0a || next == 0x0d || next == 0x09 { position += 1 }
  }

  /// Steps over the byte if it comes next.
  private mutating func skip(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    position += 1
    return true
  }

  private mutating func readWord(_ word: StaticString, _ value: JSON) throws(JSONError) -> JSON {
    let end = position + word.utf8CodeUnitCount
    guard end <= bytes.count, word.withUTF8Buffer({ bytes.span.extracting(position..<end).hasSameBytes(as: $0.span) })
    else {
      throw malformed("a value was expected")
    }
    position = end
    return value
  }

  private func malformed(_ reason: String) -> JSONError {
    let lines = bytes[..<position].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    return .malformed(reason: reason, line: lines.count, column: (lines.last?.count ?? 0) + 1)
  }
}

// MARK: - Containers

extension Reader {
  private mutating func readArray() throws(JSONError) -> [JSON] {
    var elements: [JSON] = []
    guard let room = try openContainer(UInt8(ascii: "]")) else { return [] }
    elements.reserveCapacity(room)
    repeat { elements.append(try readValue()) } while try isContinued(until: UInt8(ascii: "]"))
    return elements
  }

  private mutating func readObject() throws(JSONError) -> JSONObject {
    var members: [JSONObject.Member] = []
    guard let room = try openContainer(UInt8(ascii: "}")) else { return JSONObject() }
    members.reserveCapacity(room)
    repeat {
      skipBlanks()
      guard next == UInt8(ascii: "\"") else { throw malformed("a member name was expected") }
      let name = try readString()
      skipBlanks()
      guard skip(UInt8(ascii: ":")) else { throw malformed("':' was expected") }
      members.append((name, try readValue()))
    } while try isContinued(until: UInt8(ascii: "}"))
    if repeatedNames == .refused { try members.requireDistinctNames() }
    members.mergeRepeatedNames()
    return JSONObject(distinct: members)
  }

  /// Steps into a container. Returns the highest number of its elements, or nil after stepping over an empty container.
  private mutating func openContainer(_ close: UInt8) throws(JSONError) -> Int? {
    position += 1
    let room = Int(outline.commas[containers]) + 1
    containers += 1
    skipBlanks()
    return skip(close) ? nil : room
  }

  /// Steps over a comma, or over the end of the container and returns false.
  private mutating func isContinued(until close: UInt8) throws(JSONError) -> Bool {
    skipBlanks()
    if skip(UInt8(ascii: ",")) { return true }
    guard skip(close) else { throw malformed("',' or the end of a container was expected") }
    return false
  }
}

// MARK: - Numbers

extension Reader {
  /// An integer of 64 bits, or a fraction in the range of a double.
  private mutating func readNumber() throws(JSONError) -> JSON {
    let start = position
    _ = skip(UInt8(ascii: "-"))
    if !skip(UInt8(ascii: "0")) { try skipDigits() }
    var isInteger = true
    if skip(UInt8(ascii: ".")) {
      isInteger = false
      try skipDigits()
    }
    if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
      isInteger = false
      _ = skip(UInt8(ascii: "+")) || skip(UInt8(ascii: "-"))
      try skipDigits()
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if isInteger, let value = Int64(text) { return .integer(value) }
    guard !isInteger, let value = Double(text), value.isFinite else { throw malformed("the number is too large") }
    return .real(value)
  }

  /// Steps over one digit or more.
  private mutating func skipDigits() throws(JSONError) {
    let start = position
    while (0x30...0x39).contains(next) { position += 1 }
    guard position > start else { throw malformed("a digit was expected") }
  }
}

// MARK: - Strings

extension Reader {
  private mutating func readString() throws(JSONError) -> String {
    position += 1
    let start = position
    skipPlainBytes()
    // Most strings have no escape, and are copied only once.
    let text =
      next == UInt8(ascii: "\\")
      ? try unescaped(from: start) : Self.text(bytes.span.extracting(start..<position))
    guard skip(UInt8(ascii: "\"")) else { throw malformed("the string has no end, or a control character") }
    guard let text else { throw malformed("the string is not UTF-8") }
    return text
  }

  /// Returns nil if the bytes are not UTF-8. The standard library's initializer for any encoding takes as long as all
  /// other reading.
  private static func text(_ bytes: Span<UInt8>) -> String? {
    do { return String(copying: try UTF8Span(validating: bytes)) } catch { return nil }
  }

  /// Steps to an escape, the end of the string, or a byte that cannot stand in one.
  private mutating func skipPlainBytes() { position = bytes.endOfPlainText(from: position) }

  /// The rest of a string that has an escape at the position. Returns nil if it is not UTF-8.
  private mutating func unescaped(from start: Int) throws(JSONError) -> String? {
    var text = Array(bytes[start..<position])
    while skip(UInt8(ascii: "\\")) {
      text += Array(String(try readEscape()).utf8)
      let plain = position
      skipPlainBytes()
      text += bytes[plain..<position]
    }
    return Self.text(text.span)
  }

  private mutating func readEscape() throws(JSONError) -> Unicode.Scalar {
    defer { position += 1 }
    switch next {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(next)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{c}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try readUnicodeEscape()
    default: throw malformed("there is an unknown escape")
    }
  }

  /// Reads the character of `\uXXXX`, or of a surrogate pair such as `\ud83d\ude00`. Ends at the last digit. Refuses the
  /// null character, which C programs take for the end of a text.
  private mutating func readUnicodeEscape() throws(JSONError) -> Unicode.Scalar {
    let unit = try readHexDigits()
    guard unit != 0 else { throw malformed("there is a null character") }
    if let scalar = Unicode.Scalar(unit) { return scalar }
    guard UTF16.isLeadSurrogate(unit) else { throw malformed("a surrogate pair is incomplete") }
    position += 1
    guard skip(UInt8(ascii: "\\")), next == UInt8(ascii: "u") else { throw malformed("a surrogate pair is incomplete") }
    let trail = try readHexDigits()
    guard UTF16.isTrailSurrogate(trail) else { throw malformed("a surrogate pair is incomplete") }
    return UTF16.decode(UTF16.EncodedScalar([unit, trail]))
  }

  /// The four digits behind the `u` at the position. Ends at the last one.
  private mutating func readHexDigits() throws(JSONError) -> UInt16 {
    let digits = bytes[min(position + 1, bytes.count)...].prefix(4)
    let text = String(decoding: digits, as: UTF8.self)
    guard digits.count == 4, digits.first != UInt8(ascii: "+"), digits.first != UInt8(ascii: "-"),
      let unit = UInt16(text, radix: 16)
    else {
      throw malformed("four hexadecimal digits were expected")
    }
    position += 4
    return unit
  }
}
