internal import DIDComm
package import JSON

/// A message of the application over a proprietary connection: a text, and the name of its kind.
package struct ProprietaryMessage: Equatable, Sendable {
  package let id: String
  package let kind: String
  package let text: String
  /// The id of the message that this one answers.
  package let answered: String?

  private static let defaultKind = "message"
  private static let maximumKind = 64

  /// Reads the options of the sending call. Refuses a kind that cannot stand in the type of a message.
  package init(id: String, text: String, options: JSONObject) throws(JSONError) {
    self.id = id
    self.text = text
    kind = try options.optionalString("msg_type") ?? Self.defaultKind
    _ = try options.optionalString("msg_title")
    answered = try options.optionalString("ref_msg_id")
    guard Self.isKind(kind) else {
      throw .wrongType(key: "msg_type", expected: "a name of at most 64 letters, digits, - and _")
    }
  }

  /// Nil for any other message.
  package init?(_ message: JSON) {
    guard let type = message["@type"]?.string, type.hasPrefix(MessageType.proprietaryPrefix),
      let kind = MessageType(type)?.name, Self.isKind(kind), let text = message["@msg"]?.string
    else { return nil }
    self.kind = kind
    self.text = text
    id = message["@id"]?.string ?? ""
    answered = message["~thread"]?["thid"]?.string
  }

  package var json: JSON {
    var json: JSON = [
      "@type": .string(MessageType(kind, 1, 0, kind).proprietaryText), "@id": .string(id), "@msg": .string(text),
    ]
    if let answered { json["~thread"] = ["thid": .string(answered)] }
    return json
  }

  private static func isKind(_ text: String) -> Bool {
    let isNameByte = { (byte: UInt8) in
      (0x30...0x39).contains(byte) || (0x61...0x7a).contains(byte | 0x20) || byte == 0x2d || byte == 0x5f
    }
    return (1...maximumKind).contains(text.utf8.count) && text.utf8.allSatisfy(isNameByte)
  }
}
