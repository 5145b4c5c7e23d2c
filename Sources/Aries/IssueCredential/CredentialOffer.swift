internal import Indy
package import JSON

/// An offer, read in full: the offered attributes, and the object for the engine's request.
package struct CredentialOffer: Equatable, Sendable {
  package let message: IssueCredentialMessage
  /// The attributes of the preview, in the order of the issuer. Nil if the offer has no preview, which version 2.0
  /// permits.
  package let preview: [PreviewAttribute]?
  package let content: AttachedContent
  package let definitionID: String
  package let schemaID: String

  package init(_ message: IssueCredentialMessage) throws(MessageError) {
    self.message = message
    content = try message.content()
    preview = try Self.preview(of: message)
    do {
      let object = try content.json().requireObject()
      definitionID = try object.string("cred_def_id")
      schemaID = try object.string("schema_id")
      // The program may show its user the credential in the other attachment.
      for other in message.contents.compactMap({ try? $0.json() }) {
        guard other["cred_def_id"] == object["cred_def_id"], other["schema_id"] == object["schema_id"] else {
          throw MessageError.ambiguous
        }
      }
    } catch let error as MessageError {
      throw error
    } catch let error as JSONError {
      throw .malformed(error)
    } catch {
      throw .otherType(expected: "an offer")
    }
  }

  /// Reads the text of an offer.
  package init(_ json: JSON) throws(MessageError) { try self.init(IssueCredentialMessage(.offer, json)) }

  private static func preview(of message: IssueCredentialMessage) throws(MessageError) -> [PreviewAttribute]? {
    do throws(JSONError) {
      guard let preview = try message.object.optionalObject("credential_preview") else {
        guard message.dialect.major > 1 else { throw .missing(key: "credential_preview") }
        return nil
      }
      return try PreviewAttribute.all(of: preview)
    } catch {
      throw .malformed(error)
    }
  }

  /// A name for users: the schema's name, otherwise the issuer's, otherwise the comment.
  package var name: String {
    let alias = message.object["~alias"]?["label"]?.string
    return schemaID.schemaNameOfIndy ?? alias ?? message.comment ?? "Credential"
  }

  /// The offer in the form for applications.
  package var summary: JSON {
    [
      "name": .string(name), "attributes": .array((preview ?? []).map(\.summary)), "cred_def_id": .string(definitionID),
      "schema_id": .string(schemaID), "thid": .string(message.thread.thid),
    ]
  }
}

/// An attribute in the preview of a credential.
package struct PreviewAttribute: Equatable, Sendable {
  package let name: String
  /// A text according to the protocol. Some issuers write numbers.
  package let value: JSON
  package let mediaType: String?

  package init(name: String, value: String, mediaType: String? = nil) {
    self.name = name
    self.value = .string(value)
    self.mediaType = mediaType
  }

  init(_ object: JSONObject) throws(JSONError) {
    name = try object.string("name")
    guard let value = object["value"] else { throw .missing(key: "value") }
    self.value = value
    mediaType = try object.optionalString("mime-type")
  }

  /// The limit of attributes in a preview, above every engine's limit.
  private static let maximumCount = 1_000

  /// The attributes of a preview.
  static func all(of preview: JSONObject) throws(JSONError) -> [PreviewAttribute] {
    let attributes = try preview.array("attributes")
    guard attributes.count <= maximumCount else {
      throw .wrongType(key: "attributes", expected: "an array of at most \(maximumCount) attributes")
    }
    var read: [PreviewAttribute] = []
    for attribute in attributes { read.append(try PreviewAttribute(attribute.requireObject())) }
    return read
  }

  /// The attribute in the form for applications.
  var summary: JSON {
    var object: JSONObject = ["name": .string(name), "value": value]
    object["mime-type"] = mediaType.map(JSON.string)
    return .object(object)
  }

  /// The value in the credential: a text, or the JSON text of another value.
  package var raw: String { value.string ?? value.text }
}
