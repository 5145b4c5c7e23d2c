package import DIDComm
package import JSON

/// `invite-action/0.9/invite` (RFC 0547 of Aries): asks the peer to do something that a goal code names.
package struct InviteAction: Equatable, Sendable {
  package static let type = MessageType("invite-action", 0, 9, "invite")
  package let goalCode: String
  /// When the peer is to acknowledge, in order; empty for never.
  package let acknowledgements: [String]

  /// `ACCEPT` when the peer takes the invitation, `OUTCOME` when it is done.
  private static let occasions: Set = ["ACCEPT", "OUTCOME"]

  /// Reads `{"goal_code": …, "ack_on": […]}`, as an application gives it.
  package init(parsing text: String) throws(JSONError) { try self.init(JSON(parsing: text)) }

  package init(_ json: JSON) throws(JSONError) {
    let object = try json.requireObject()
    goalCode = try object.string("goal_code")
    acknowledgements = try object.optionalStrings("ack_on") ?? []
    guard acknowledgements.allSatisfy(Self.occasions.contains) else {
      throw .wrongType(key: "ack_on", expected: "a list of ACCEPT and OUTCOME")
    }
  }

  /// The message, which begins a thread of its own.
  package func json(id: String) -> JSON {
    var thread = Thread(thid: id)
    thread.senderOrder = 0
    thread.receivedOrders = [:]
    var message: JSON = [
      "@type": .string(Self.type.text), "@id": .string(id), "goal_code": .string(goalCode), "~thread": thread.json,
    ]
    if !acknowledgements.isEmpty { message["~please_ack"] = ["on": JSON(acknowledgements)] }
    return message
  }
}
