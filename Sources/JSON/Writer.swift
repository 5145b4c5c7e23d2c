internal import CJansson

extension JSON {
  /// Compact JSON text in UTF-8; characters beyond ASCII stand as they are. A number that is not finite is written
  /// as null, since JSON has no word for it.
  package var bytes: [UInt8] { dump() }

  /// Compact JSON text.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Compact JSON text with the members of every object in alphabetical order.
  package var sortedText: String { String(decoding: dump(sorted: true), as: UTF8.self) }

  private func dump(sorted: Bool = false) -> [UInt8] {
    var writer = Writer(sorted: sorted, expecting: expectedSize)
    writer.write(self)
    return writer.output
  }

  /// How long the text will be when nothing in it needs an escape.
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

/// Puts a text together. What takes knowledge of JSON, escapes and fractions, Jansson writes; the rest is copied:
/// to build Jansson's values for a whole text takes longer than to read and decrypt the records of a wallet.
private struct Writer {
  private(set) var output: [UInt8] = []
  private let sorted: Bool

  init(sorted: Bool, expecting size: Int) {
    self.sorted = sorted
    output.reserveCapacity(size)
  }

  mutating func write(_ value: JSON) {
    switch value {
    case .null: output += "null".utf8
    case .bool(let value): output += (value ? "true" : "false").utf8
    case .integer(let value): output += String(value).utf8
    case .real(let value) where value.isFinite: writeWithJansson(json_real(value))
    case .real: output += "null".utf8
    case .string(let value): write(value)
    case .array(let elements): writeList("[", elements, "]") { $0.write($1) }
    case .object(let object):
      writeList("{", sorted ? object.sortedMembers : object.members, "}") { writer, member in
        writer.write(member.key)
        writer.output.append(UInt8(ascii: ":"))
        writer.write(member.value)
      }
    }
  }

  private mutating func writeList<Element>(
    _ opening: Unicode.Scalar, _ elements: [Element], _ closing: Unicode.Scalar,
    _ write: (inout Writer, Element) -> Void
  ) {
    output.append(UInt8(ascii: opening))
    for (index, element) in elements.enumerated() {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      write(&self, element)
    }
    output.append(UInt8(ascii: closing))
  }

  /// A Swift string is always valid Unicode, so nothing is left to check but the characters that need an escape.
  private mutating func write(_ string: String) {
    var string = string
    let isPlain = string.withUTF8 { bytes in
      guard !bytes.haveEscapes else { return false }
      output.append(UInt8(ascii: "\""))
      output.append(contentsOf: bytes)
      output.append(UInt8(ascii: "\""))
      return true
    }
    guard !isPlain else { return }
    let count = string.utf8.count
    writeWithJansson(string.withCString { json_stringn_nocheck($0, count) })
  }

  /// Takes the value over.
  private mutating func writeWithJansson(_ value: UnsafeMutablePointer<json_t>?) {
    defer { json_decref(value) }
    withUnsafeMutablePointer(to: &output) { output in
      let status = json_dump_callback(
        value,
        { bytes, count, output in
          let bytes = UnsafeRawBufferPointer(start: bytes, count: count)
          output?.assumingMemoryBound(to: [UInt8].self).pointee.append(contentsOf: bytes)
          return 0
        }, output, size_t(JSON_COMPACT | JSON_ENCODE_ANY))
      precondition(status == 0, "a checked value can be written")
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether a byte cannot stand in a JSON string as it is. Looks at eight at a time: texts can be long.
  fileprivate var haveEscapes: Bool {
    let bytes = UnsafeRawBufferPointer(self)
    let whole = count & ~7
    for index in stride(from: 0, to: whole, by: 8)
    where bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self).hasEscapes {
      return true
    }
    return self[whole...].contains { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }
  }
}

extension UInt64 {
  private static let ones: UInt64 = 0x0101_0101_0101_0101

  /// Whether one of the eight bytes is a control character, a quotation mark or a backslash.
  fileprivate var hasEscapes: Bool {
    hasByte(below: 0x20) || (self ^ Self.ones &* 0x22).hasByte(below: 1) || (self ^ Self.ones &* 0x5c).hasByte(below: 1)
  }

  /// Taking `limit` from each byte borrows into the highest bit of the first that is smaller; one that had that bit
  /// before is not. `limit` is at most 128.
  private func hasByte(below limit: UInt64) -> Bool {
    (self &- Self.ones &* limit) & ~self & (Self.ones &* 0x80) != 0
  }
}

extension JSONObject {
  fileprivate var sortedMembers: [Member] {
    members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }
}
