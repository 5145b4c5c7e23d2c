/// The members of a JSON object as texts, found without building their values, for an object of which some values may be
/// unreadable.
package struct JSONMembers: Sendable {
  /// The names, and the texts of the values with the blanks around them, in their order.
  package let all: [(name: String, text: [UInt8])]

  /// Finds the members. Throws if the text is no object, or if a part of it has no name. A mistake within a value is found
  /// when that value is read.
  package init(of bytes: [UInt8]) throws(JSONError) {
    var all: [(name: String, text: [UInt8])] = []
    for range in try ContainerParts(of: bytes, between: "{", and: "}").ranges {
      guard let start = range.first(where: { ContainerParts.isNotBlank(bytes[$0]) }),
        bytes[start] == UInt8(ascii: "\""),
        case let end = Outline.endOfString(in: bytes, from: start + 1), end < range.upperBound,
        let colon = (end + 1..<range.upperBound).first(where: { ContainerParts.isNotBlank(bytes[$0]) }),
        bytes[colon] == UInt8(ascii: ":"), let name = try JSON(parsing: Array(bytes[start...end])).string
      else { throw .wrongType(key: nil, expected: "an object") }
      all.append((name, Array(bytes[colon + 1..<range.upperBound])))
    }
    self.all = all
  }

  /// Reads the first member of this name. Returns nil if it is absent or unreadable.
  package func read(_ name: String) -> JSON? {
    all.first { $0.name == name }.flatMap { try? JSON(parsing: $0.text) }
  }
}
