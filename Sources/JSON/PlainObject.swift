internal import Platform

/// A JSON object whose members are strings, or objects of strings, read without building a value: it tells where in the
/// text they lie. An envelope inside another message can then be passed on as the text that it is.
///
/// It reads only plain texts, as programs write them: ASCII, no escape, each name once. For any other text it is nil,
/// and `JSON` reads the text or refuses it.
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
    guard bytes.isPrintableASCII else { return nil }
    self.init(unchecked: bytes)
  }

  /// Reads an object of which the caller decodes every string, and refuses control characters and broken UTF-8: this
  /// initializer looks for escapes only. Strings of a megabyte then cost little.
  package init?(unchecked bytes: [UInt8]) {
    var text = Cursor(bytes: bytes)
    guard let members = text.members(), text.isAtEnd else { return nil }
    self.bytes = bytes
    self.members = members
  }

  /// The number of members.
  package var count: Int { members.count }

  /// Whether no member is an object.
  package var holdsOnlyStrings: Bool { members.allSatisfy(\.isString) }

  /// The place of a member's string in the text. Nil if it is absent or an object.
  package subscript(name: String) -> Range<Int>? { member(name).flatMap { $0.isString ? $0.value : nil } }

  /// Whether there is a member of this name.
  package func has(_ name: String) -> Bool { member(name) != nil }

  /// The string of a member. Nil if it is absent or an object.
  package func string(_ name: String) -> String? {
    self[name].map { String(decoding: bytes[$0], as: UTF8.self) }
  }

  /// The text of a member that is an object of strings. Nil if it is absent or a string.
  package func object(_ name: String) -> [UInt8]? {
    guard let member = member(name), !member.isString else { return nil }
    return Array(bytes[member.value])
  }

  private func member(_ name: String) -> Member? {
    members.first { bytes.span.extracting($0.name).hasSameBytes(as: name.utf8.span) }
  }
}

extension Cursor {
  /// Objects with more members are left to the reader.
  private static let maximumMembers = 32

  /// Steps over an object of strings; an object that is not nested may also contain such objects. Returns its members,
  /// or nil for anything else.
  fileprivate mutating func members(isNested: Bool = false) -> [PlainObject.Member]? {
    guard skip(UInt8(ascii: "{")) else { return nil }
    var members: [PlainObject.Member] = []
    repeat {
      guard members.count < Self.maximumMembers, let name = string(), skip(UInt8(ascii: ":")),
        !members.contains(where: { bytes[$0.name] == bytes[name] })
      else { return nil }
      skipBlanks()
      let start = position
      if let value = string() {
        members.append(.init(name: name, value: value, isString: true))
      } else {
        guard !isNested, position == start, self.members(isNested: true) != nil else { return nil }
        members.append(.init(name: name, value: start..<position, isString: false))
      }
    } while skip(UInt8(ascii: ","))
    return skip(UInt8(ascii: "}")) ? members : nil
  }
}
