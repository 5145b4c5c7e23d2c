package import JSON

/// Reads a mediator's message that may hold envelopes of strangers.
///
/// A stranger's envelope may be a text that the reader refuses, for example one of a hundred levels. It must neither hide
/// the other envelopes nor stay at the mediator for ever. Such an attachment keeps its id alone, so that the client
/// acknowledges it.
package enum DeliveryText {
  /// Throws if a member that is no attachment cannot be read.
  package static func read(_ bytes: [UInt8]) throws(JSONError) -> JSON {
    do { return try JSON(parsing: bytes) } catch {
      guard let members = try? JSONMembers(of: bytes), members.all.contains(where: { isAttached($0.name) })
      else { throw error }
      return try read(members)
    }
  }

  private static func isAttached(_ member: String) -> Bool { Attachment.members.contains(member) }

  private static func read(_ members: JSONMembers) throws(JSONError) -> JSON {
    var object = JSONObject()
    for (name, text) in members.all {
      object[name] = isAttached(name) ? try readAttachments(text) : try JSON(parsing: text)
    }
    return .object(object)
  }

  private static func readAttachments(_ text: [UInt8]) throws(JSONError) -> JSON {
    let elements = try JSONElements(of: text)
    return .array((0..<elements.count).map { (try? elements.read($0)) ?? idOnly(Array(elements.text($0))) })
  }

  private static func idOnly(_ attachment: [UInt8]) -> JSON {
    guard let members = try? JSONMembers(of: attachment), let id = members.read("@id") ?? members.read("id") else {
      return .null
    }
    return ["@id": id]
  }
}
