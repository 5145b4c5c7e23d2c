internal import Aries
package import JSON

/// A message that an application holds as text, read without a connection.
package struct MessageText: Sendable {
  private let json: JSON

  /// Requires a JSON object.
  package init(parsing text: String) throws(JSONError) {
    json = .object(try JSON(parsing: text).requireObject())
  }

  /// The first attachment as text: decoded from base64, or compact JSON. If the message is an invitation without a
  /// handshake, the attachment gets the members that an answer needs.
  package func attachedMessage() throws -> String {
    let content = try Attachment(firstOf: json).content
    guard let invitation = try? OutOfBandInvitation(json), !invitation.offersHandshake,
      let message = (try? JSON(parsing: content))?.object
    else { return content }
    return JSON.object(invitation.answerable(message)).text
  }

  /// The thread of the message: the thread in its `~thread`, or otherwise its own `@id`, which every message needs.
  package func threadID() throws(JSONError) -> String {
    let id = try json.requireObject().string("@id")
    return json["~thread"]?["thid"]?.string ?? id
  }
}
