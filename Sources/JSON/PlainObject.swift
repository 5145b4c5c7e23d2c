/// A JSON object whose members are strings, or objects of strings, read without building a value: it tells where in the
/// text they lie. An envelope inside another message can then be passed on as the text that it is.
///
/// It knows only plain texts, as programs write them: ASCII, no escape, each name once. For any other text it is nil, and
/// `JSON` reads the text or refuses it.
package struct PlainObject {
  /// The whole text.
  package let bytes: [UInt8]
  private let members: [Member]

  fileprivate struct Member {
    let name: Range<Int>
    /// A string without its quotation marks, or an object with its braces.
    let value: Range<Int>
    let isString: Bool
  }

  package init?(_ bytes: [UInt8]) {
    guard bytes.isASCII else { return nil }
    var text = Cursor(bytes: bytes)
    guard let members = text.members(), text.isAtEnd else { return nil }
    self.bytes = bytes
    self.members = members
  }

  /// Whether there is a member of this name.
  package func has(_ name: String) -> Bool { member(name) != nil }

  /// The string of a member. Nil if it is absent or an object.
  package func string(_ name: String) -> String? {
    guard let member = member(name), member.isString else { return nil }
    return String(decoding: bytes[member.value], as: UTF8.self)
  }

  /// The text of a member that is an object of strings. Nil if it is absent or a string.
  package func object(_ name: String) -> [UInt8]? {
    guard let member = member(name), !member.isString else { return nil }
    return Array(bytes[member.value])
  }

  private func member(_ name: String) -> Member? {
    members.first { $0.name.count == name.utf8.count && bytes[$0.name].elementsEqual(name.utf8) }
  }
}

extension Cursor {
  /// Objects with more members are left to the reader.
  private static let maximumMembers = 32

  /// Steps over an object of strings, or, if it is not nested itself, of strings and such objects. Returns its members, or
  /// nil for anything else.
  fileprivate mutating func members(isNested: Bool = false) -> [PlainObject.Member]? {
    guard skip(UInt8(ascii: "{")) else { return nil }
    var members: [PlainObject.Member] = []
    repeat {
      guard members.count < Self.maximumMembers, let name = plainString(), skip(UInt8(ascii: ":")),
        !members.contains(where: { bytes[$0.name] == bytes[name] })
      else { return nil }
      skipBlanks()
      let start = position
      if let value = plainString() {
        members.append(.init(name: name, value: value, isString: true))
      } else {
        guard !isNested, position == start, self.members(isNested: true) != nil else { return nil }
        members.append(.init(name: name, value: start..<position, isString: false))
      }
    } while skip(UInt8(ascii: ","))
    return skip(UInt8(ascii: "}")) ? members : nil
  }
}
