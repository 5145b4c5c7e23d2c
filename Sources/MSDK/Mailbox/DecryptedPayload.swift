internal import Aries
internal import DIDComm
internal import JSON

/// A message in the form of `decryptedPayload`: its text, or the application's text in a proprietary one, and a short name
/// of its type for applications.
struct DecryptedPayload {
  let text: String
  /// The text's value. Nil if the text of a proprietary message is no JSON.
  let message: JSON?
  let name: String
  /// The type, for the log.
  let kind: String

  init(_ bytes: [UInt8]) throws(JSONError) {
    let json = try JSON(parsing: bytes)
    let object = try json.requireObject()
    let type = MessageType(try object.string("@type"))
    kind = type.kind
    if let proprietary = ProprietaryMessage(json) {
      (text, name) = (proprietary.text, proprietary.kind)
      message = try? JSON(parsing: text)
    } else {
      text = String(decoding: bytes, as: UTF8.self)
      message = json
      name = type.map(Self.name) ?? Self.other
    }
  }

  var json: JSON { ["@msg": .string(text), "@type": ["fmt": "json", "name": .string(name), "ver": "1.0"]] }

  /// The message, if it is about the revocation of a credential.
  var revocation: Message? {
    kind.hasPrefix("revocation_notification/") ? message.flatMap { try? Message($0) } : nil
  }

  private static let other = "aries"

  /// Types without an entry are called `aries`: the handshake, acks, and types that msdk does not know.
  private static func name(of type: MessageType) -> String {
    switch (type.family, type.name) {
    case ("issue-credential", "propose-credential"): "credential-proposal"
    case ("issue-credential", "offer-credential"): "credential-offer"
    case ("issue-credential", "issue-credential"): "credential"
    case ("present-proof", "request-presentation"): "presentation-request"
    case ("committedanswer", "question"): "committed-question"
    case ("committedanswer", "answer"): "committed-answer"
    case ("invite-action", "invite"): "invite-action"
    case ("present-proof", "propose-presentation"), ("present-proof", "presentation"),
      ("trust_ping", "ping"), ("trust_ping", "ping_response"),
      ("discover-features", "query"), ("discover-features", "disclose"),
      ("out-of-band", "handshake-reuse"), ("out-of-band", "handshake-reuse-accepted"),
      ("questionanswer", "question"), ("questionanswer", "answer"),
      ("basicmessage", "message"):
      type.name
    case ("connecting", "ACCEPT_CONN_REQ"): "connReqAnswer"
    case ("connecting", "REDIRECT_CONN_REQ"): "connReqRedirect"
    case ("issue-credential", "problem-report"), ("present-proof", "problem-report"),
      ("invite-action", "problem-report"):
      "problem-report"
    default: other
    }
  }
}
