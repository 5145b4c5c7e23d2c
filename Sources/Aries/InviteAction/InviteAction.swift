package import DIDComm
package import JSON

/// `invite-action/0.9/invite` (Aries RFC 0547): asks the peer for an action by its goal code.
package struct InviteAction: Equatable, Sendable {
  package static let type = MessageType("invite-action", 0, 9, "invite")
  package let goalCode: String
  /// The events that the peer is to acknowledge, in order.
  package let acknowledgements: [String]

  /// `ACCEPT` when the peer accepts the invitation, `OUTCOME` when the action is done.
  private static let occasions: Set = ["ACCEPT", "OUTCOME"]

  /// Reads the application's `{"goal_code": …, "ack_on": […]}`.
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
