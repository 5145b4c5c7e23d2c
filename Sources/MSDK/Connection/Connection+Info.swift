internal import Aries
internal import CloudAgent
internal import DIDComm
internal import JSON

extension Connection {
  /// Returns the facts about both sides as JSON text: `invitation`, `my` and `their`. `my.did` is the DID that the peer
  /// knows. Before `connect` this side has no key, and the invitation describes the other side.
  package func info(with session: Session) throws -> String {
    if isProprietary { throw ConnectionError.proprietary("telling about a connection") }
    let service = try pairwise?.mailbox.map(session.cloudAgent().service(of:))
    let my = Self.side(
      did: machine.presentedDID ?? pairwiseDID, service: service, protocols: .array(SpokenProtocol.own.map(\.json)))
    var info = JSONWriter()
    info.object { info in
      info.member(invitation)
      info.member("my", my)
      info.member("their", their)
    }
    return info.text
  }

  /// The peer. Before the peer is known, the inviter by the first key of its invitation, which signs the response.
  private var their: JSON {
    if let peer {
      let disclosed: JSON? = if case .completed(let machine) = machine { machine.protocols.value } else { nil }
      return Self.side(did: peer.did, service: peer.service, protocols: disclosed)
    }
    guard machine.role == .invitee, let invitation else { return .null }
    return Self.side(did: invitation.inviterName, service: invitation.service?.namingOneKey, protocols: nil)
  }

  private static func side(did: String, service: Service?, protocols: JSON?) -> JSON {
    var side: JSONObject = [
      "did": .string(did), "recipientKeys": JSON((service?.recipientKeys ?? []).map(\.text)),
      "routingKeys": JSON((service?.routingKeys ?? []).map(\.text)),
      "serviceEndpoint": .string(service?.endpoint ?? ""),
    ]
    if let protocols, !protocols.isNull { side["protocols"] = protocols }
    return .object(side)
  }

  /// The peer's DID. An invitee without an answer returns the id of a connection invitation instead, and an empty text
  /// for an out-of-band invitation, as Evernym's library does.
  package func theirDID() throws(ConnectionError) -> String {
    switch machine {
    case .proprietary(let connection): return connection.theirDID
    case .invited, .requested:
      guard let invitation, case .connection = invitation else { return "" }
      return invitation.inviterName
    case .planned, .offered, .responded, .completed, .failed:
      guard let peer else { throw .notReady }
      return peer.did
    }
  }

  /// The report or the hangup that ended the connection, as JSON text; `null` if neither did.
  package func problemReport() throws(ConnectionError) -> String {
    switch machine {
    case .proprietary: throw .proprietary("reporting problems")
    case .failed(let failed): return (failed.report?.json ?? .null).text
    case .planned, .invited, .requested, .offered, .responded, .completed: return JSON.null.text
    }
  }

  /// The invitation as it was received or created, as JSON text; `{}` if it does not exist.
  package var invitationText: String { invitationText(abbreviated: false) }

  /// The invitation in its short form, which only proprietary invitations have. Without an invitation it is `null`.
  package func invitationText(abbreviated: Bool) -> String {
    guard case .proprietary(let connection) = machine else { return invitation?.json.text ?? "{}" }
    return (abbreviated ? connection.invitation?.abbreviated : connection.invitation?.json)?.text ?? JSON.null.text
  }

  /// The connection that the invitee wants to use instead of a proprietary one, as JSON text; `null` if it has named
  /// none.
  package func redirection() throws(ConnectionError) -> String {
    guard case .proprietary(let connection) = machine else { throw .ariesConnection }
    return (connection.record["redirect_detail"] ?? .null).text
  }

  /// Whether this side was invited.
  package var isInvitee: Bool { machine.role == .invitee }

  /// The other side's name for itself, which nobody has checked. Nil if it has given no name so far.
  package var peerLabel: String? { machine.peerLabel }

  package var isProprietary: Bool { if case .proprietary = machine { true } else { false } }
}

// MARK: - Deleting

extension Connection {
  /// Closes the mailbox at the Cloud Agent. Closing a mailbox that does not exist succeeds, so a program can repeat the
  /// call. Keys stay in the wallet, and the peer is not told.
  package func delete(with session: Session) throws {
    guard let mailbox = pairwise?.mailbox else { throw ConnectionError.noMailbox }
    try session.closeMailbox(mailbox)
    PlaceBook(wallet: session.wallet).strike(pairwiseDID)
    NonceBook(wallet: session.wallet).strike(pairwiseDID)
    PeerBook(wallet: session.wallet).strike(pairwiseDID)
    FeatureBook(wallet: session.wallet).strike(pairwiseDID)
    ReuseBook(wallet: session.wallet).strike(
      pairwiseDID, invitation: machine.role == .inviter ? invitation?.id : nil)
  }
}
