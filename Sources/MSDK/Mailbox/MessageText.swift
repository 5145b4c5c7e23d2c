internal import Aries
package import JSON

/// A message that an application holds as text, to be looked into without a connection.
package struct MessageText: Sendable {
  private let json: JSON

  /// Needs a JSON object.
  package init(parsing text: String) throws(JSONError) {
    json = .object(try JSON(parsing: text).requireObject())
  }

  /// The first attachment as text: the text that was encoded in base64, or compact JSON. A message that came with an
  /// invitation without a handshake gets the members of it that an answer needs.
  package func attachedMessage() throws -> String {
    let content = try Attachment(firstOf: json).content
    guard let invitation = try? OutOfBandInvitation(json), !invitation.offersHandshake,
      let message = (try? JSON(parsing: content))?.object
    else { return content }
    return JSON.object(invitation.answerable(message)).text
  }

  /// The thread of the message: that of its `~thread`, else its own `@id`, which every message needs.
  package func threadID() throws(JSONError) -> String {
    let id = try json.requireObject().string("@id")
    return json["~thread"]?["thid"]?.string ?? id
  }
}
