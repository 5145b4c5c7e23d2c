internal import JSON
internal import ProgramArguments

/// An unread message, as the inbox shows it.
struct InboxMessage {
  let uid, did: String
  /// The message as JSON text; empty if the message is unreadable.
  let text: String
  private let name, kind, content: String
  /// Whether the peer awaits an answer, which the connection sends as long as the message is unread.
  private let asksForAnswer: Bool
  /// Whether the envelope proves that the peer of the connection sent the message.
  let isProven: Bool
  /// Whether the connection has ended, so that nothing is applied or answered any more.
  let isOver: Bool
  /// The id of the credential that the issuer's notice is about; nil for other messages.
  private let credential: String?

  /// `credential` finds the id of the credential that a notice of the peer is about.
  init(
    _ entry: JSON, did: String, from name: String, peerKey: String?, isOver: Bool,
    credential: (_ notice: String) -> String?
  ) {
    self.isOver = isOver
    let payload = entry["decryptedPayload"]?.string.flatMap { try? JSON(parsing: $0) }
    text = payload?["@msg"]?.string ?? ""
    let message = try? JSON(parsing: text)
    uid = entry["uid"]?.string ?? ""
    self.did = did
    self.name = name
    kind = Self.kind(payload?["@type"]?["name"]?.string, type: message?["@type"]?.string)
    asksForAnswer = ["please_ack", "~please_ack"].contains { message?[$0] != nil }
    let words = ["content", "comment", "question_text", "explain"].compactMap { message?[$0]?.string }
    content = words.first ?? message?["description"]?["en"]?.string ?? ""
    isProven = entry["senderVerkey"]?.string.map { $0 == peerKey } ?? false
    self.credential = isProven && kind == Self.revocation ? credential(text) : nil
  }

  /// The library's name of the kind. A type that has none there is named by its protocol, its version and its own name,
  /// such as `didexchange/1.1/request`.
  private static func kind(_ name: String?, type: String?) -> String {
    let parts = (type ?? "").split(separator: "/").suffix(3)
    guard name == "aries", parts.count == 3 else { return name ?? "unreadable" }
    let isNotice = parts.first == "revocation_notification" && parts.last == "revoke"
    return isNotice ? revocation : parts.joined(separator: "/")
  }

  private static let revocation = "revocation"

  private var isBasic: Bool { kind == "message" }

  /// Whether there is nothing to do about the message but to read it. The wallet has noted what a revocation tells.
  var isOnlyToRead: Bool { isBasic || kind == Self.revocation && !(asksForAnswer && isProven) }

  /// The kind of exchange that the message begins; nil for other messages, and if nobody can answer any more.
  var exchange: ExchangeRecord.Kind? {
    switch kind {
    case "credential-offer" where !isOver: .offer
    case "presentation-request" where !isOver: .request
    default: nil
    }
  }

  var json: JSON {
    [
      "connection": .string(name), "kind": .string(kind), "content": .string(content), "uid": .string(uid),
      "proven": .bool(isProven), "credential": JSON(credential),
    ]
  }

  /// The command that shows more about the message.
  private var command: String? {
    if let credential { return "credential \(printable(String(credential.prefix(8))))" }
    return exchange?.list ?? (kind == Self.revocation ? "credentials" : nil)
  }

  /// Only the first line of a message begins at the margin, so that no other line looks like another sender's message.
  var line: String {
    let doubt = isProven ? "" : " (not proven to be the sender)"
    let hint = isProven ? command.map { " (`msdk \($0)` shows it)" } ?? "" : ""
    let text = isBasic ? content : "[\(kind)]" + (content.isEmpty ? "" : " " + content)
    return "\(printable(name))\(doubt)\(hint): \(printable(text, indentation: 4))"
  }
}
