package import DIDComm
package import JSON

/// What the inviter gave: either form leads into the same handshake.
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

  package var service: Service {
    switch self {
    case .connection(let invitation): invitation.service
    case .outOfBand(let invitation): invitation.service
    }
  }

  /// As it was received.
  package var json: JSON {
    switch self {
    case .connection(let invitation): invitation.json
    case .outOfBand(let invitation): invitation.json
    }
  }

  /// Whether a connection is offered at all.
  package var offersHandshake: Bool {
    switch self {
    case .connection: true
    case .outOfBand(let invitation): invitation.offersHandshake
    }
  }

  /// The handshakes that msdk speaks, in the inviter's order.
  var handshakes: [Handshake] {
    switch self {
    case .connection: [.connections]
    case .outOfBand(let invitation): invitation.handshakes
    }
  }

  /// Whether the invitation offers a protocol, in whichever minor version: peers answer in each.
  package func offers(_ handshake: Handshake) -> Bool { handshakes.contains(where: handshake.isVersion) }

  /// The first that msdk speaks.
  func preferredHandshake() throws(InvitationError) -> Handshake {
    guard let handshake = handshakes.first else {
      throw .unsupported("it offers none of the handshakes connections/1.0, didexchange/1.0 and 1.1")
    }
    return handshake
  }

  /// The inviter as a document, as far as the invitation tells.
  package var document: DIDDocument {
    DIDDocument(id: id, key: service.recipientKeys[0], service: service)
  }
}
