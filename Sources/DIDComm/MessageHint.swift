package import JSON

/// The type of a message and the sender's name, which the sender gives to the recipient's agency in a forward, for a
/// notification. Nobody can check them, so they are only displayed, without characters that could mislead.
package struct MessageHint: Equatable, Sendable {
  /// Printable characters of ASCII without spaces.
  package let type: String?
  /// One line, without characters that change the direction of text.
  package let sender: String?

  /// The size limits of a type, in bytes, and of a name, in code points. A longer type is omitted, a longer name is
  /// cut.
  package static let maximumType = 256
  package static let maximumName = 128

  /// The hint without malformed parts.
  package init(type: String? = nil, sender: String? = nil) {
    self.type = type.flatMap(Self.type)
    self.sender = sender.flatMap(Self.name)
  }

  /// The hint of a forward; empty if the forward has none.
  package init(in forward: JSONObject) { self.init { forward[$0]?.string } }

  /// The hint of a forward whose strings `member` returns by their names.
  package init(_ member: (String) -> String?) {
    self.init(type: member("fwdMsgType"), sender: member("fwdMsgSender"))
  }

  /// The members of a forward that carry the hint.
  package var members: [(String, JSON)] {
    [("fwdMsgType", type), ("fwdMsgSender", sender)].compactMap { key, text in text.map { (key, .string($0)) } }
  }

  private static func type(_ text: String) -> String? {
    let isType = !text.isEmpty && text.utf8.count <= maximumType && text.utf8.allSatisfy { 0x21...0x7e ~= $0 }
    return isType ? text : nil
  }

  private static func name(_ text: String) -> String? {
    let shown = text.unicodeScalars.lazy.filter(isShown).prefix(maximumName)
    let name = String(String.UnicodeScalarView(shown))
    return name.isEmpty ? nil : name
  }

  private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: false
    default: !scalar.properties.isBidiControl
    }
  }
}
