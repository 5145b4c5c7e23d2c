package import JSON

/// A connection of Evernym's own peer protocol. msdk keeps it, shows it and deletes it, and cannot take it further.
package struct ProprietaryConnection: Equatable, Sendable {
  /// Nil on an inviter's side that has not made its invitation yet.
  package let invitation: ProprietaryInvitation?
  /// The number of the API: 0 deleted, 1 created, 2 invitation sent, 3 invitation received, 4 accepted, 8 redirected.
  package let state: UInt32
  /// What the serialized form holds, with members that msdk does not know.
  package let record: JSONObject

  /// The invitee of an invitation.
  package init(sourceID: String, invitation: ProprietaryInvitation) {
    self.invitation = invitation
    state = 3
    record = [
      "agent_did": "", "agent_vk": "", "endpoint": "", "invite_detail": invitation.json, "invite_url": nil,
      "public_did": nil, "pw_did": "", "pw_verkey": "", "redirect_detail": nil, "source_id": .string(sourceID),
      "state": 3, "their_public_did": JSON(invitation.sender.publicDID), "their_pw_did": .string(invitation.sender.did),
      "their_pw_verkey": .string(invitation.sender.verkey.text), "uuid": "", "version": "1.0",
    ]
  }

  /// A connection that was stored.
  package init(record: JSONObject) throws {
    for member in Self.texts { _ = try record.string(member) }
    guard let state = UInt32(exactly: try record.integer("state")), Self.states.contains(state) else {
      throw JSONError.wrongType(key: "state", expected: "the state of a connection")
    }
    self.state = state
    invitation = try record.optionalObject("invite_detail").map { try ProprietaryInvitation(.object($0)) }
    self.record = record
  }

  private static let texts = [
    "agent_did", "agent_vk", "endpoint", "pw_did", "pw_verkey", "source_id", "their_pw_did", "their_pw_verkey", "uuid",
  ]
  private static let states: Set<UInt32> = [0, 1, 2, 3, 4, 8]
}
