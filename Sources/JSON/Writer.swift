extension JSON {
  /// Compact JSON text in UTF-8; characters beyond ASCII are not escaped. A number that is not finite is written as
  /// null, since JSON cannot express it.
  package var bytes: [UInt8] { dump() }

  /// Compact JSON text.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Compact JSON text with the members of every object in alphabetical order.
  package var sortedText: String { String(decoding: dump(sorted: true), as: UTF8.self) }

  private func dump(sorted: Bool = false) -> [UInt8] {
    var writer = JSONWriter(sorted: sorted, expecting: expectedSize)
    writer.write(self)
    return writer.bytes
  }

  /// The length of the text if nothing in it needs an escape.
  private var expectedSize: Int {
    switch self {
    case .null, .bool: 5
    case .integer, .real: 24
    case .string(let value): value.utf8.count + 2
    case .array(let elements): elements.reduce(2) { $0 + $1.expectedSize + 1 }
    case .object(let object): object.members.reduce(2) { $0 + $1.key.utf8.count + $1.value.expectedSize + 4 }
    }
  }
}

/// Writes a JSON text piece by piece, without a value of the whole. It writes the separators.
package struct JSONWriter {
  /// The text so far, in UTF-8.
  package private(set) var bytes: [UInt8] = []
  private let sorted: Bool
  /// Whether the next element needs a comma before it.
  private var needsComma = false

  /// `sorted` applies to values that are written as a whole; `size` is the expected number of bytes.
  package init(sorted: Bool = false, expecting size: Int = 0) {
    self.sorted = sorted
    bytes.reserveCapacity(size)
  }

  /// Compact JSON text.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Writes an object; `members` writes each member's name and then its value.
  package mutating func object(_ members: (inout JSONWriter) -> Void) { nest("{", members, "}") }

  /// Writes an array; `elements` writes its elements.
  package mutating func array(_ elements: (inout JSONWriter) -> Void) { nest("[", elements, "]") }

  /// Writes the name of a member, before its value. The caller guarantees that no name occurs twice.
  package mutating func name(_ name: String) {
    write(name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// Writes a member of an object.
  package mutating func member(_ name: String, _ value: JSON) {
    self.name(name)
    write(value)
  }

  /// Writes a member of an object, by the text of its value.
  package mutating func member(_ name: String, _ value: JSONText) {
    self.name(name)
    write(json: value.text)
  }

  /// Writes the members of an object into the object that is being written.
  package mutating func write(membersOf object: JSONObject) {
    for (name, value) in object.members { member(name, value) }
  }

  package mutating func write(_ value: JSON) {
    switch value {
    case .null: writeNull()
    case .bool(let value): writeWord(value ? "true" : "false")
    case .integer(let value): writeWord(String(value))
    case .real(let value) where value.isFinite: writeWord(value.description)  // the shortest text that reads the same
    case .real: writeNull()
    case .string(let value): write(value)
    case .array(let elements): array { writer in for element in elements { writer.write(element) } }
    case .object(let object):
      self.object { writer in
        for (name, value) in writer.sorted ? object.sortedMembers : object.members { writer.member(name, value) }
      }
    }
  }

  /// A string, or null.
  package mutating func write(_ string: String?) {
    if let string { write(string) } else { writeNull() }
  }

  package mutating func write(_ string: String) { writeElement { $0.append(string) } }

  /// Writes a value by its JSON text. The caller guarantees that the text is one value.
  package mutating func write(json text: String) { writeWord(text) }

  /// Writes a value by the bytes of its JSON text, which the caller guarantees to be one value.
  package mutating func write(json text: [UInt8]) { writeElement { $0.bytes += text } }

  /// Writes a string by the bytes that `append` appends. The caller guarantees that they need no escape.
  package mutating func writePlainString(_ append: (inout [UInt8]) -> Void) {
    writeElement { writer in
      writer.bytes.append(UInt8(ascii: "\""))
      append(&writer.bytes)
      writer.bytes.append(UInt8(ascii: "\""))
    }
  }

  package mutating func writeNull() { writeWord("null") }

  private mutating func writeWord(_ word: String) { writeElement { $0.bytes += word.utf8 } }

  private mutating func nest(_ opening: Unicode.Scalar, _ body: (inout JSONWriter) -> Void, _ closing: Unicode.Scalar) {
    writeElement { writer in
      writer.bytes.append(UInt8(ascii: opening))
      writer.needsComma = false
      body(&writer)
      writer.bytes.append(UInt8(ascii: closing))
    }
  }

  private mutating func writeElement(_ body: (inout JSONWriter) -> Void) {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    body(&self)
    needsComma = true
  }

  /// A Swift string is always valid Unicode, so this looks only for characters that need an escape. Texts within texts
  /// have many of them.
  private mutating func append(_ string: String) {
    var string = string
    bytes.append(UInt8(ascii: "\""))
    string.withUTF8 { utf8 in
      let text = UnsafeRawBufferPointer(utf8)
      var start = 0
      while start < text.count {
        let end = text.endOfPlainText(from: start)
        bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: text[start..<end]))
        if end < text.count { appendEscaped(text[end]) }
        start = end + 1
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func appendEscaped(_ byte: UInt8) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    case 0x0a: bytes.append(UInt8(ascii: "n"))
    case 0x0c: bytes.append(UInt8(ascii: "f"))
    case 0x0d: bytes.append(UInt8(ascii: "r"))
    case 0..<0x20: bytes += "u00\(byte < 0x10 ? "0" : "")\(String(byte, radix: 16, uppercase: true))".utf8
    default: bytes.append(byte)
    }
  }
}

extension JSONObject {
  fileprivate var sortedMembers: [Member] {
    members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }
}
