package import DIDComm
package import JSON

/// `basicmessage/1.0/message` (RFC 0095): text between people.
package struct BasicMessage: Equatable, Sendable {
  package static let type = MessageType("basicmessage", 1, 0, "message")
  package let id: String
  package let content: String
  /// The time of writing according to the sender.
  package let sentTime: String?

  package init(id: String, content: String, sentTime: String? = nil) {
    self.id = id
    self.content = content
    self.sentTime = sentTime
  }

  init(_ object: JSONObject) throws(JSONError) {
    id = try object.optionalString("@id") ?? ""
    content = try object.string("content")
    sentTime = try object.optionalString("sent_time")
  }

  package var json: JSON {
    var object: JSONObject = [
      "@type": .string(Self.type.text), "@id": .string(id), "~l10n": ["locale": "en"], "content": .string(content),
    ]
    object["sent_time"] = sentTime.map(JSON.string)
    return .object(object)
  }
}
