package import DIDComm
package import JSON

/// A connection of Evernym's own peer protocol: an invitation, and one answer to it.
///
/// The answer to an invitation of another library goes through its agency in a form that msdk does not speak. Such a
/// connection can be kept, shown and deleted, but not completed.
package struct ProprietaryConnection: Equatable, Sendable {
  package private(set) var state: State
  /// Nil on an inviter's side that has not made its invitation yet.
  package private(set) var invitation: ProprietaryInvitation?
  /// The serialized form, with members that msdk does not know.
  package private(set) var record: JSONObject

  /// The C API shows the same numbers.
  package enum State: UInt32, Sendable {
    case deleted = 0
    /// The inviter has not created its invitation yet.
    case planned = 1
    /// The inviter waits for an answer.
    case offered = 2
    /// The invitee has not answered yet.
    case invited = 3
    case accepted = 4
    /// The invitee has named another connection in place of this one.
    case redirected = 8
  }

  /// Begins a connection on the inviter's side.
  package init(sourceID: String) { self.init(sourceID: sourceID, .planned, nil) }

  /// Begins a connection on the invitee's side.
  package init(sourceID: String, invitation: ProprietaryInvitation) {
    self.init(sourceID: sourceID, .invited, invitation)
    setPeer(invitation.sender)
  }

  private init(sourceID: String, _ state: State, _ invitation: ProprietaryInvitation?) {
    self.state = state
    self.invitation = invitation
    record = [
      "agent_did": "", "agent_vk": "", "endpoint": "", "invite_detail": invitation?.json ?? .null, "invite_url": nil,
      "public_did": nil, "pw_did": "", "pw_verkey": "", "redirect_detail": nil, "source_id": .string(sourceID),
      "state": .integer(Int64(state.rawValue)), "their_public_did": nil, "their_pw_did": "", "their_pw_verkey": "",
      "uuid": "", "version": "1.0",
    ]
  }

  /// Reads a stored connection.
  package init(record: JSONObject) throws {
    for member in Self.texts { _ = try record.string(member) }
    let number = UInt32(exactly: try record.integer("state"))
    guard let state = number.flatMap(State.init) else {
      throw JSONError.wrongType(key: "state", expected: "the state of a connection")
    }
    self.state = state
    invitation = try record.optionalObject("invite_detail").map { try ProprietaryInvitation(.object($0)) }
    _ = try record.optionalObject(Self.peerKey).map(ProprietaryParty.init)
    self.record = record
  }

  private static let texts = [
    "agent_did", "agent_vk", "endpoint", "pw_did", "pw_verkey", "source_id", "their_pw_did", "their_pw_verkey", "uuid",
  ]
  /// The member of an inviter's record with the invitee's description of itself. Evernym's records have no such member.
  private static let peerKey = "their_detail"
  /// The member of an invitee's record that says whether a message has come from the peer's key. Evernym's records have
  /// no such member.
  private static let proofKey = "their_key_proven"
}

// MARK: - The other side

extension ProprietaryConnection {
  /// An invitee's peer is the sender of the invitation.
  var role: Role {
    guard let invitation, invitation.sender.verkey == theirVerkey else { return .inviter }
    return .invitee
  }

  package var theirDID: String { record["their_pw_did"]?.string ?? "" }

  package var theirVerkey: VerKey? { record["their_pw_verkey"]?.string.flatMap { try? VerKey($0) } }

  /// The address for messages to the peer. Nil before the peer has accepted, and for a peer of another library.
  package var address: Service? {
    guard state == .accepted else { return nil }
    if let peer = record[Self.peerKey]?.object { return (try? ProprietaryParty(peer))?.service }
    guard let invitation, invitation.takesEnvelopes else { return nil }
    return invitation.sender.service
  }

  /// Whether a message has come from the peer's key. An inviter's peer has proven it by its answer.
  package var isProven: Bool { role == .inviter ? state == .accepted : record[Self.proofKey] == true }

  /// Notes that the peer has proven its key, if the message is from that key.
  mutating func hear(_ sender: Sender) {
    guard state == .accepted, !isProven, let theirVerkey, sender.isOne(of: [theirVerkey]) else { return }
    record[Self.proofKey] = true
  }

  private mutating func setPeer(_ peer: ProprietaryParty) {
    record["their_pw_did"] = .string(peer.did)
    record["their_pw_verkey"] = .string(peer.verkey.text)
    record["their_public_did"] = JSON(peer.publicDID)
  }
}

// MARK: - Steps

extension ProprietaryConnection {
  /// Records the invitation that was sent. Does nothing in later states.
  package mutating func invite(by invitation: ProprietaryInvitation) {
    guard state == .planned else { return }
    self.invitation = invitation
    record["invite_detail"] = invitation.json
    record["public_did"] = JSON(invitation.sender.publicDID)
    enter(.offered)
  }

  /// Accepts the invitation, and completes the connection: the protocol has no answer to the acceptance. `id` is the
  /// same when the call is repeated.
  package mutating func accept(id: String, as own: ProprietaryParty) throws(InvitationError) -> Action {
    guard state == .invited, let invitation else { return .nothing }
    let answer = ProprietaryAnswer(id: id, to: invitation.id, .acceptance(own))
    let address = try invitation.address()
    record["public_did"] = JSON(own.publicDID)
    enter(.accepted)
    return .send(answer.json, to: address)
  }

  /// Answers the invitation with another connection. The caller sends the message from the other connection's key.
  package mutating func redirect(id: String, to redirection: Redirection) throws(InvitationError) -> Action {
    guard state == .invited, let invitation else { return .nothing }
    let answer = ProprietaryAnswer(id: id, to: invitation.id, .redirection(redirection))
    let address = try invitation.address()
    record["redirect_detail"] = .object(redirection.json)
    enter(.redirected)
    return .send(answer.json, to: address)
  }

  /// Applies the first answer to the invitation. Later ones have no effect.
  mutating func receive(_ answer: ProprietaryAnswer, from sender: Sender) throws(ProtocolError) -> Action {
    guard state == .offered, let invitation else { return .leave }
    guard answer.invitation == invitation.id else { throw .wrongThread }
    switch answer.content {
    case .acceptance(let peer):
      try sender.require(oneOf: [peer.verkey])
      guard peer.service != nil else {
        throw .malformed(.malformed(.wrongType(key: "senderDetail", expected: "signed for a mailbox to write to")))
      }
      record[Self.peerKey] = .object(peer.json)
      setPeer(peer)
      enter(.accepted)
    case .redirection(let redirection):
      try redirection.check(sender: sender)
      record["redirect_detail"] = .object(redirection.json)
      enter(.redirected)
    }
    return .nothing
  }

  private mutating func enter(_ next: State) {
    state = next
    record["state"] = .integer(Int64(next.rawValue))
  }
}
