package import JSON
internal import Sodium

/// The first attachment of a message (RFC 0017), such as the request in an out-of-band invitation. For the messages of an
/// exchange it is the content, which the library itself reads: a member beside it would otherwise show another object.
package struct Attachment: Equatable, Sendable {
  /// The attached text. A JSON value is written compactly; JSON that is attached as text stays as it is.
  package let content: String

  /// The members in which protocols keep attachments, in the order of the search. `agent~attach` is the spelling of
  /// `messages~attach` in Evernym's library.
  static let members = [
    "filters~attach", "proposal~attach", "did_doc~attach", "offers~attach", "request~attach", "requests~attach",
    "credentials~attach", "~attach", "diagram~attach", "messages~attach", "agent~attach",
    "request_presentations~attach", "presentations~attach", "img~attach",
  ]

  /// Finds and decodes the attachment. Agents omit its `@id` and `mime-type`, so neither is required.
  package init(firstOf message: JSON) throws(AttachmentError) {
    if let content = Self.content(of: message, CredentialStep.self) ?? Self.content(of: message, ProofStep.self) {
      self.content = content
      return
    }
    let present = Self.members.lazy.compactMap { message[$0] }.first { !$0.isNull }
    guard let present else { throw .missing }
    // Some protocols hold one attachment outside of an array (DID Exchange's `did_doc~attach`).
    guard let attachments = present.array ?? present.object.map({ [.object($0)] }) else { throw .malformed("no array") }
    guard let first = attachments.first else { throw .empty }
    content = try Self.text(of: first)
  }

  /// The content of a message of this protocol; nil for other messages, and if the content cannot be read.
  private static func content<Step: ExchangeStep>(of message: JSON, _: Step.Type) -> String? {
    guard let object = message.object, object["@type"] != nil else { return nil }
    return try? ExchangeMessage<Step>(typed: object)?.content().text
  }

  /// Decodes one attachment: the text that is encoded in base64, or compact JSON.
  static func text(of attachment: JSON) throws(AttachmentError) -> String {
    if let type = attachment["mime-type"], !type.isNull { try check(mediaType: type) }
    guard let data = attachment["data"], AttachmentForm.forms(of: data) == 1 else { throw .malformed("data") }
    // Some agents write the JSON as text, as Evernym's documents show it.
    if let json = data["json"], !json.isNull { return try terminable(json.string ?? json.text) }
    guard let base64 = data["base64"]?.string else { throw .malformed("data") }
    guard let bytes = try? Base64.decodeAny(base64) else { throw .undecodable("base64") }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .undecodable("UTF-8") }
    return try terminable(text)
  }

  /// A C program would take a zero byte for the end of the text, so it is refused.
  private static func terminable(_ text: String) throws(AttachmentError) -> String {
    guard !text.utf8.contains(0) else { throw .undecodable("UTF-8") }
    return text
  }

  /// The result is a text, so attachments of other media types, such as pictures and archives, are refused.
  private static func check(mediaType: JSON) throws(AttachmentError) {
    guard let type = mediaType.string?.lowercased() else { throw .malformed("mime-type") }
    let bare = type.prefix { $0 != ";" && !$0.isWhitespace }
    guard bare == "application/json" || bare.hasSuffix("+json") || bare.hasPrefix("text/") else {
      throw .malformed("mime-type")
    }
  }
}

/// The reasons why a message gives no attachment.
package enum AttachmentError: Error, Equatable, Sendable {
  /// The message has no member for attachments.
  case missing
  /// The member is empty.
  case empty
  /// The attachment does not conform to RFC 0017, for the given reason.
  case malformed(String)
  /// The content is not in its declared encoding.
  case undecodable(String)
}

extension AttachmentError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .missing: "the message has no attachment"
    case .empty: "the message's list of attachments is empty"
    case .malformed(let part): "malformed attachment: \(part)"
    case .undecodable(let encoding): "the attachment is not \(encoding)"
    }
  }
}
