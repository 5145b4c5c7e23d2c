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
}
