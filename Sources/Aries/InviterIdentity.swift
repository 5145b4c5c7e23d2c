internal import DIDComm
package import JSON

/// The names of an inviter and of one invitation, to compare them with others. They are read from invitations of every
/// form, also from unacceptable ones, since their inviter can still be recognised.
///
/// An invitation proves none of these names: anybody may write any name. So they are compared with `KnownInviter`. Of
/// several services, only the service that an answer would go to counts: the names of another service lead nowhere.
package struct InviterIdentity: Equatable, Sendable {
  /// The invitation's `@id`, or its `connReqId`.
  fileprivate let invitation: String?
  /// The DID that stands for the inviter's keys: a service's DID.
  fileprivate let serviceDID: DID?
  /// The inviter's DIDs, without `did:sov:`: its public DID and its service's DID.
  fileprivate let dids: Set<DID>
  /// The first recipient key of the service that an answer would go to, read from any spelling.
  fileprivate let key: VerKey?
  /// The address for an answer. Nil if the invitation names it by a DID, or if it cannot be read.
  fileprivate let way: InviterWay?

  /// Reads the names in the form in which `msdk_connection_accept` reads the invitation. The members of another form lead
  /// nowhere, and functions that take one form only could follow them: with such members the invitation names nobody.
  package init(of invitation: JSON) {
    guard InvitationForm.allCases.count(where: { $0.isPresent(in: invitation) }) <= 1 else {
      self.init(nil, serviceDID: nil, dids: [], key: nil, way: nil)
      return
    }
    switch InvitationForm(of: invitation) {
    case .proprietary: self.init(proprietary: invitation)
    case .outOfBand: self.init(outOfBand: invitation)
    case .connection:
      let keys = invitation.present("recipientKeys")
      let did = keys == nil ? invitation["did"]?.string : nil
      self.init(
        invitation["@id"]?.string, serviceDID: did, dids: [invitation["public_did"]?.string, did],
        key: keys?.array?.first?.string,
        way: InviterWay((try? ConnectionInvitation(invitation))?.service))
    }
  }

  private init(proprietary invitation: JSON) {
    let read = try? ProprietaryInvitation(invitation)
    self.init(
      read?.id, serviceDID: nil, dids: [read?.sender.publicDID, read?.sender.did], key: read?.sender.verkey.text,
      way: (read?.sender.agents).map(InviterWay.agents))
  }

  private init(outOfBand invitation: JSON) {
    let services = (invitation.present("services") ?? invitation.present("service"))?.array ?? []
    let service = OutOfBandInvitation.usableService(among: services) ?? services.first
    let did = service?.string
    self.init(
      invitation["@id"]?.string, serviceDID: did, dids: [invitation["public_did"]?.string, did],
      key: service?["recipientKeys"]?.array?.first?.string,
      way: InviterWay((try? OutOfBandInvitation(invitation)).flatMap { Invitation.outOfBand($0).service }))
  }

  private init(_ invitation: String?, serviceDID: String?, dids: [String?], key: String?, way: InviterWay?) {
    self.invitation = invitation.flatMap { $0.isEmpty ? nil : $0 }
    self.serviceDID = serviceDID.flatMap(Self.did)
    self.dids = Set(dids.compactMap { $0.flatMap(Self.did) })
    self.key = key.flatMap { try? VerKey(anyForm: $0) }
    self.way = way
  }

  fileprivate static func did(_ text: String) -> DID? { try? DID(DID.name(of: text)) }
}

/// The address for the answer to an invitation.
private enum InviterWay: Equatable, Sendable {
  case service(Service)
  /// The mailbox and the agency of a proprietary invitation.
  case agents([JSON])

  /// Nil if the invitation cannot be read, or if only a ledger knows the address.
  init?(_ service: Service?) {
    guard let service else { return nil }
    self = .service(service)
  }
}

/// The inviter of a connection, as far as the connection proves it.
package struct KnownInviter: Equatable, Sendable {
  /// The invitation's `@id`, or its `connReqId`.
  private let invitation: String?
  /// The key that signs for the inviter, or the DID in its place.
  private let signer: VerKey?
  private let named: DID?
  private let way: InviterWay?
  /// The keys and the DIDs that a completed handshake has proven.
  private let keys: Set<VerKey>
  private let dids: Set<DID>

  /// Reads the inviter of an Aries connection. Returns nil for this side's own invitation, for a failed connection, and
  /// for an invitation without a handshake, in which nobody has proven anything.
  package init?(of machine: ConnectionMachine) {
    guard machine.role == .invitee, let invitation = machine.invitation, invitation.offersHandshake else { return nil }
    if case .failed = machine { return nil }
    self.invitation = invitation.id
    signer = invitation.signers.first
    way = invitation.service.map(InviterWay.service)
    named = invitation.namedDID.flatMap(InviterIdentity.did)
    guard case .completed(let connection) = machine else {
      (keys, dids) = ([], [])
      return
    }
    keys = Set(invitation.signers + [connection.peer.key])
    dids = Set([named, connection.peer.provenDID].compactMap(\.self))
  }

  /// The inviter of a proprietary connection. Its key is in the invitation. The invitation has no answer, so the key is
  /// proven by the first message from it.
  package init?(of connection: ProprietaryConnection) {
    guard connection.role == .invitee, connection.state != .redirected, connection.state != .deleted,
      let invitation = connection.invitation
    else { return nil }
    self.invitation = invitation.id
    (signer, named, way) = (invitation.sender.verkey, nil, .agents(invitation.sender.agents))
    (keys, dids) = (connection.isProven ? [invitation.sender.verkey] : [], [])
  }

  /// Whether the connection comes from the invitation with this identity: the same id, from the same key at the same
  /// address, or from the same DID in place of both. Anybody can copy an invitation with another address.
  package func isOf(_ other: InviterIdentity) -> Bool {
    guard let invitation, !invitation.isEmpty, invitation == other.invitation else { return false }
    if let named { return other.key == nil && other.serviceDID == named }
    return signer != nil && signer == other.key && way == other.way
  }

  /// Whether the inviter has proven a key or a DID that the invitation names.
  package func isInviter(of other: InviterIdentity) -> Bool {
    other.key.map(keys.contains) ?? false || !dids.isDisjoint(with: other.dids)
  }
}

extension Invitation {
  /// The DID that stands for the inviter's keys. Nil if the invitation names the keys, even beside a DID.
  fileprivate var namedDID: String? {
    if case .publicDID(let did) = address { return did }
    guard let peerDID, let contained = try? DIDDocument(resolving: peerDID), contained.service == service else {
      return nil
    }
    return peerDID
  }
}

extension Peer {
  /// The DID, if it contains the key, or if a ledger has confirmed the key. A DID that is only derived from the key is
  /// a claim: its owner may have replaced the key on a ledger.
  fileprivate var provenDID: DID? {
    let names = [document.id] + (document.json.value["alsoKnownAs"]?.array ?? []).compactMap(\.string)
    let isProven = names.contains { name in
      guard DID.name(of: name) == did, !name.hasPrefix("did:peer:1"),
        let introduced = try? IntroducedDID(name, document)
      else { return false }
      guard introduced.publicDID == nil else { return isConfirmed }
      return (try? introduced.peer(owning: key, by: .none)) != nil
    }
    return isProven ? InviterIdentity.did(did) : nil
  }
}
