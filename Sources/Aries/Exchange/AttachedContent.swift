package import JSON
internal import Sodium

/// The two families of formats in which messages of version 2.0 attach objects of AnonCreds. The objects are the same.
package enum ContentFormat: String, Sendable {
  /// `hlindy/…` (RFC 0592), and everything that version 1.0 attaches.
  case indy
  /// `anoncreds/…` (RFC 0771).
  case anonCreds = "anoncreds"

  /// The order of preference among several formats.
  static let preferred: [ContentFormat] = [.anonCreds, .indy]
}

/// An object that a message attaches, as JSON text, with its declared format.
package struct AttachedContent: Equatable, Sendable {
  package let text: String
  package let format: ContentFormat

  package init(text: String, format: ContentFormat) {
    self.text = text
    self.format = format
  }

  package func json() throws(MessageError) -> JSON {
    do { return .object(try JSON(parsing: text).requireObject()) } catch { throw .malformed(error) }
  }
}

/// The member for a message's attachments, and the names of the formats of its content.
package struct AttachmentForm: Sendable {
  /// The member that holds the attachments.
  let member: String
  /// The fixed `@id` of the attachment in version 1.0. Nil if that version attaches nothing.
  let idInVersion1: String?
  let indy: String
  /// The format's names. msdk writes the first; peers also write the others.
  let anonCreds: [String]

  /// The most attachments and formats that a message may have; no agent offers more.
  static let maximumCount = 16
  /// The largest size of one attachment, in bytes. A credential of 125 attributes has 50 KB; a credential with pictures
  /// has a few MB.
  static let maximumSize = 8 << 20

  private func names(of format: ContentFormat) -> [String] {
    switch format {
    case .indy: [indy]
    case .anonCreds: anonCreds
    }
  }
}

// MARK: - Reading

extension AttachmentForm {
  /// Version 1.0 takes the first attachment. Version 2.0 takes the one that is declared in the preferred format.
  func content(of message: JSONObject, major: Int) throws(MessageError) -> AttachedContent {
    let attachments = try list(member, of: message)
    if major > 1 { return try declared(in: list("formats", of: message), among: attachments) }
    guard let first = attachments.first else { throw .malformedAttachment(.empty) }
    return try decoded(first, as: .indy)
  }

  /// The attached objects that readers could take for the content: in version 1.0 all, in version 2.0 those in formats that
  /// msdk knows. Leaves out attachments that cannot be read.
  func contents(of message: JSONObject, major: Int) -> [AttachedContent] {
    let attachments = (try? list(member, of: message)) ?? []
    if major == 1 { return attachments.compactMap { try? decoded($0, as: .indy) } }
    let formats = (try? list("formats", of: message)) ?? []
    return ContentFormat.preferred.flatMap { format -> [AttachedContent] in
      let ids = formats.filter { $0["format"]?.string.map(names(of: format).contains) ?? false }.map { $0["attach_id"] }
      return attachments.filter { ids.contains($0["@id"]) }.compactMap { try? decoded($0, as: format) }
    }
  }

  private func declared(in formats: [JSON], among attachments: [JSON]) throws(MessageError) -> AttachedContent {
    for format in ContentFormat.preferred {
      let names = names(of: format)
      guard let entry = formats.first(where: { $0["format"]?.string.map(names.contains) ?? false }) else { continue }
      guard let id = entry["attach_id"]?.string, let attachment = attachments.first(where: { $0["@id"]?.string == id })
      else { throw .malformed(.missing(key: "the attachment of the format \(names[0])")) }
      return try decoded(attachment, as: format)
    }
    throw .unsupportedFormat
  }

  private func decoded(_ attachment: JSON, as format: ContentFormat) throws(MessageError) -> AttachedContent {
    // Programs that read the message by themselves could take the other form.
    guard Self.forms(of: attachment["data"]) <= 1 else { throw .ambiguous }
    let text: String
    do { text = try Attachment.text(of: attachment) } catch { throw .malformedAttachment(error) }
    guard text.utf8.count <= Self.maximumSize else { throw .tooLarge(member) }
    return AttachedContent(text: text, format: format)
  }

  private func list(_ key: String, of message: JSONObject) throws(MessageError) -> [JSON] {
    let list: [JSON]
    do { list = try message.array(key) } catch { throw .malformed(error) }
    guard list.count <= Self.maximumCount else { throw .tooLarge(key) }
    return list
  }
}

// MARK: - One content

extension AttachmentForm {
  /// Whether readers of the message could take different objects for its content: it has several attachments, in one
  /// member or in several, or one attachment gives its data twice.
  func isAmbiguous(_ message: JSONObject) -> Bool {
    let attachments = message.members.filter { $0.key.hasSuffix("~attach") }.flatMap { $0.value.array ?? [$0.value] }
    let present = attachments.filter { !$0.isNull }
    return present.count > 1 || present.contains { Self.forms(of: $0["data"]) > 1 }
  }

  /// The number of ways in which the data is given.
  static func forms(of data: JSON?) -> Int {
    ["json", "base64", "links"].filter { form in
      guard let value = data?[form] else { return false }
      return !value.isNull && value != []
    }.count
  }
}

// MARK: - Writing

extension AttachmentForm {
  /// The members of a message that attaches this content.
  func members(_ content: AttachedContent, major: Int) -> [(String, JSON)] {
    let id = major == 1 ? idInVersion1 ?? content.format.rawValue : content.format.rawValue
    // Some agents drop the characters `-` and `_`: all agents read the standard alphabet with padding.
    let data = Base64.encode(Array(content.text.utf8), .standard)
    let attachments: JSON = [
      ["@id": .string(id), "mime-type": "application/json", "data": ["base64": .string(data)]]
    ]
    guard major > 1 else { return [(member, attachments)] }
    let format: JSON = ["attach_id": .string(id), "format": .string(names(of: content.format)[0])]
    return [("formats", [format]), (member, attachments)]
  }
}
