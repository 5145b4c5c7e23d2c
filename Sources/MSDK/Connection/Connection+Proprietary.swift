internal import Aries
internal import CloudAgent
internal import DIDComm
internal import JSON

// Connections of Evernym's own protocol. Its library left the work to the agencies: they made invitations, and carried
// answers and messages to each other. Here the library does that work, and the agencies see envelopes as for any
// connection.

extension Connection {
  /// Makes the own DID and its mailbox. Then an inviter makes its invitation, and an invitee accepts the invitation
  /// that it has.
  mutating func connect(
    _ connection: ProprietaryConnection, _ options: ConnectionOptions, with session: Session
  ) throws {
    try options.requireNoHandshake()
    switch connection.state {
    case .planned:
      var next = connection
      let id = String.randomUUID()
      next.invite(by: ProprietaryInvitation(id: id, from: try ownParty(options, for: id, with: session)))
      enter(.proprietary(next))
    case .offered: return
    case .invited:
      let invitation = try answerable(connection)
      let own = try ownParty(options, for: invitationDigest, with: session)
      try step(through: { try PairwiseOutbox(own.verkey, with: session) }) { machine in
        var next = connection
        let action = try next.accept(id: .uuid(derivedFrom: own.verkey.text + invitation.id), as: own)
        machine = .proprietary(next)
        return action
      }
      notePeer(with: session)
    case .accepted, .redirected, .deleted: throw ConnectionError.notReady
    }
  }

  private func answerable(_ connection: ProprietaryConnection) throws(ConnectionError) -> ProprietaryInvitation {
    guard connection.state == .invited, let invitation = connection.invitation else { throw .notReady }
    guard invitation.takesEnvelopes else { throw .foreignInvitation }
    return invitation
  }

  private mutating func ownParty(
    _ options: ConnectionOptions, for invitation: String, with session: Session
  ) throws -> ProprietaryParty {
    let own = try openMailbox(options, for: invitation, with: session)
    guard let mailbox = pairwise?.mailbox else { throw ConnectionError.noMailbox }
    guard let (agent, agency) = try session.cloudAgent().agents(of: mailbox) else {
      throw ConnectionError.proprietary("connecting without an agency")
    }
    let profile = session.profile
    return ProprietaryParty(
      key: own.key, mailbox: .init(did: agent.did, verkey: agent.verkey),
      agency: .init(did: agency.did, verkey: agency.verkey), endpoint: own.service.endpoint,
      name: profile.name ?? sourceID, logoURL: profile.logoURL,
      publicDID: options.usesPublicDID ? session.settings.institutionDID : nil)
  }
}

// MARK: - Redirecting

extension Connection {
  /// Answers the invitation with another connection between the inviter and this side.
  package mutating func redirect(to existing: Connection, with session: Session) throws {
    guard case .proprietary(let connection) = machine, case .proprietary(let other) = existing.machine else {
      throw ConnectionError.ariesConnection
    }
    let invitation = try answerable(connection)
    guard other.state == .accepted, let key = existing.pairwise?.key, let theirVerkey = other.theirVerkey else {
      throw ConnectionError.notReady
    }
    guard let pair = try session.wallet.keyPair(for: key) else { throw CloudAgentError.missingKey(key) }
    let redirection = Redirection(
      did: other.theirDID, verkey: theirVerkey, publicDID: other.record["their_public_did"]?.string, to: pair,
      ownPublicDID: other.record["public_did"]?.string)
    // The key of the other connection proves that the connection is ours.
    try step(through: { try PairwiseOutbox(key, with: session) }) { machine in
      var next = connection
      let action = try next.redirect(id: .uuid(derivedFrom: key.text + invitation.id), to: redirection)
      machine = .proprietary(next)
      return action
    }
  }

  /// Refuses a redirection unless its sender is the peer of the named connection, a proprietary connection of this
  /// wallet. The wallet has noted the peers of all proprietary connections: a key of this side without a noted peer
  /// belongs to an Aries connection, an invitation, a deleted connection, or no connection at all.
  func checkRedirection(in message: Message, with session: @autoclosure () throws -> Session) throws {
    guard isProprietary, case .proprietaryAnswer(let answer) = message,
      case .redirection(let redirection) = answer.content
    else { return }
    let wallet = try session().wallet
    guard redirection.verkey != pairwise?.key, try wallet.keyPair(for: redirection.verkey) != nil,
      try PeerBook(wallet: wallet).peer(over: redirection.verkey.did.text) == redirection.theirVerkey
    else { throw ProtocolError.notFromPeer }
  }

  /// Notes the peer of a proprietary connection once it is accepted, for later redirections.
  func notePeer(with session: Session) {
    guard case .proprietary(let connection) = machine, connection.state == .accepted, let peer = connection.theirVerkey
    else { return }
    PeerBook(wallet: session.wallet).note(peer, over: pairwiseDID)
  }
}

// MARK: - Messages

extension Connection {
  /// Sends a text as a message of the kind that the options name. Returns the message's id.
  func send(
    _ text: String, options: String, over connection: ProprietaryConnection, with session: Session
  ) throws -> String {
    guard connection.state == .accepted, let key = pairwise?.key else { throw ConnectionError.notReady }
    guard let service = connection.address else {
      throw ConnectionError.proprietary("sending a message to another library")
    }
    let options = try JSON(parsing: options).requireObject()
    let message = try ProprietaryMessage(id: .randomUUID(), text: text, options: options)
    try session.send(message.json, from: key, to: service)
    return message.id
  }
}
