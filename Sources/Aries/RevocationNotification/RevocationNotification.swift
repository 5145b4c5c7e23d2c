internal import DIDComm
package import JSON

/// `revocation_notification` 1.0 (RFC 0183), 2.0 and 2.1 (RFC 0721): the issuer reports that it has revoked a
/// credential, or restored it. Only the issuer may send it: the caller accepts it from the connection over which the
/// credential came.
package struct RevocationNotification: Equatable, Sendable {
  package let id: String
  package let thread: Thread
  package let dialect: Dialect
  package let credential: RevokedCredential
  package let isRevoked: Bool
  package let comment: String?
  /// Whether the issuer asks for an ack.
  package let asksForAck: Bool

  init(_ object: JSONObject) throws(JSONError) {
    let type = try object.string("@type")
    guard let dialect = Dialect(type: type) else { throw .wrongType(key: "@type", expected: "the type of a message") }
    self.dialect = dialect
    id = try object.string("@id")
    thread = Thread(of: object)
    isRevoked = MessageType(type)?.name == "revoke"
    comment = try object.optionalString("comment")
    asksForAck = object["~please_ack"].map { !$0.isNull } ?? false
    let key = dialect.major == 1 ? "thread_id" : "credential_id"
    let named = try RevokedCredential(object.string(key), mayBeThread: dialect.major == 1)
    guard let named else { throw .wrongType(key: key, expected: "the id of a credential") }
    credential = named
  }

  /// The ack, in the family of the notification.
  package func ack(id: String) -> JSON {
    Ack(id: id, thread: Thread(thid: thread.thid, pthid: thread.pthid)).json(in: dialect)
  }
}

extension RevocationNotification {
  /// The notification that a credential is revoked. Version 1 names it by the thread of its issuance, version 2 by its
  /// place in its registry.
  static func json(major: Int, id: String, thread: String, registryID: String, index: Int64) -> JSON {
    let type = JSON.string(Dialect("revocation_notification", major).type("revoke"))
    guard major > 1 else { return ["@type": type, "@id": .string(id), "thread_id": .string(thread)] }
    return [
      "@type": type, "@id": .string(id), "revocation_format": "indy-anoncreds",
      "credential_id": .string("\(registryID)::\(index)"),
    ]
  }
}

/// The name of the credential in a notification.
package enum RevokedCredential: Equatable, Sendable {
  /// The thread of the credential's issuance.
  case thread(String)
  /// The credential's revocation registry and its index there.
  case registry(String, index: UInt32)

  /// Reads `<registry>::<index>`, with or without `indy::` before, or a thread id. Returns nil for anything else.
  init?(_ text: String, mayBeThread: Bool) {
    if let entry = Self.entry(text.hasPrefix("indy::") ? text.dropFirst(6) : text[...]) {
      self = entry
    } else if mayBeThread, !text.isEmpty {
      self = .thread(text)
    } else {
      return nil
    }
  }

  private static func entry(_ text: Substring) -> RevokedCredential? {
    let digits = text.reversed().prefix(while: \.isNumber)
    let registry = text.dropLast(digits.count)
    guard registry.hasSuffix("::"), registry.count > 2, let index = UInt32(String(digits.reversed())) else {
      return nil
    }
    return .registry(String(registry.dropLast(2)), index: index)
  }
}
