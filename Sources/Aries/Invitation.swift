package import DIDComm
package import JSON

/// The inviter's invitation. Both forms lead to the same handshakes.
package enum Invitation: Equatable, Sendable {
  case connection(ConnectionInvitation)
  case outOfBand(OutOfBandInvitation)

  package var id: String {
    switch self {
    case .connection(let invitation): invitation.id
    case .outOfBand(let invitation): invitation.id
    }
  }

  package var label: String? {
    switch self {
    case .connection(let invitation): invitation.label
    case .outOfBand(let invitation): invitation.label
    }
  }

  package var imageURL: String? {
    switch self {
    case .connection(let invitation): invitation.imageURL
    case .outOfBand(let invitation): invitation.imageURL
    }
  }

  package var publicDID: String? {
    switch self {
    case .connection(let invitation): invitation.publicDID
    case .outOfBand(let invitation): invitation.publicDID
    }
  }

  package var address: InviterAddress {
    switch self {
    case .connection(let invitation): invitation.address
    case .outOfBand(let invitation): invitation.address
    }
  }

  /// Nil if the invitation names its inviter by a public DID only.
  package var service: Service? {
    if case .service(let service) = address { service } else { nil }
  }

  /// The text in place of the inviter's DID while only the invitation is known: the invitation's id, as in Evernym's
  /// library. Anybody can write the DID of somebody else as the id, or a text that looks like it. So the DID of the key, or the
  /// DID that a ledger resolves, takes the place of such an id.
  package var inviterName: String {
    guard mayPassForDID else { return id }
    switch address {
    case .service(let service): return service.recipientKeys[0].did.text
    case .publicDID(let did): return did
    }
  }

  /// Whether the id may look like a DID. A DID has a colon, or is base58, which has letters of both cases. A UUID has neither.
  private var mayPassForDID: Bool {
    let (small, capital) = (UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"))
    let (smalls, others) = (id.utf8.filter(small.contains), id.utf8.filter { !small.contains($0) })
    let (capitals, rest) = (others.filter(capital.contains), others.filter { !capital.contains($0) })
    return !smalls.isEmpty && !capitals.isEmpty || !rest.allSatisfy("0123456789-".utf8.contains)
      || (try? DID(id)) != nil
  }

  /// The key that signs for the inviter: the first recipient key (RFC 0160). Empty if only a ledger knows the key.
  var signers: [VerKey] { Array((service?.recipientKeys ?? []).prefix(1)) }

  /// The received JSON.
  package var json: JSONText {
    switch self {
    case .connection(let invitation): invitation.json
    case .outOfBand(let invitation): invitation.json
    }
  }

  /// Whether the invitation offers a connection.
  package var offersHandshake: Bool {
    switch self {
    case .connection: true
    case .outOfBand(let invitation): invitation.offersHandshake
    }
  }

  /// The handshakes that msdk speaks, in the inviter's order.
  package var handshakes: [Handshake] {
    switch self {
    case .connection: [.connections]
    case .outOfBand(let invitation): invitation.handshakes
    }
  }

  /// Whether the invitation offers a protocol in any minor version: peers answer in each minor version.
  package func offers(_ handshake: Handshake) -> Bool { handshakes.contains(where: handshake.isVersion) }

  /// The first handshake that msdk speaks.
  func preferredHandshake() throws(InvitationError) -> Handshake {
    guard let handshake = handshakes.first else {
      throw .unsupported("it offers none of the handshakes connections/1.0, didexchange/1.0 and 1.1")
    }
    return handshake
  }

  /// Whether a public DID implies the invitation (RFC 0434). Any number of invitees may answer it.
  package var isImplied: Bool {
    guard case .outOfBand = self, case .publicDID(let did) = address else { return false }
    return did == id
  }

  /// Whether a request with this parent thread answers the invitation. Peers write a public DID with or without its
  /// method.
  package func isParent(of thread: Thread) -> Bool {
    guard let parent = thread.pthid else { return true }
    return parent == id || isImplied && DID.name(of: parent) == DID.name(of: id)
  }

  /// The DID that an inviter with msdk has put into its invitation in place of keys and endpoint; otherwise nil.
  var peerDID: String? {
    guard case .outOfBand(let invitation) = self else { return nil }
    return invitation.service.string.flatMap { $0.hasPrefix("did:peer:") ? $0 : nil }
  }
}

/// The inviter's address in an invitation.
package enum InviterAddress: Equatable, Sendable {
  case service(Service)
  /// A DID whose keys and endpoint are on a ledger.
  case publicDID(String)
}
