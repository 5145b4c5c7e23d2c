internal import Aries
internal import DIDComm
internal import JSON

/// The sender of an invitation, as this side reaches it. Nobody has checked the label and the goal.
package struct InvitationSender: Equatable, Sendable {
  package let label, goal: String?
  /// The key that the request is for, and that signs for the inviter. Nil if a public DID names the inviter.
  package let key: String?
  /// The address of the request. Nil if a public DID names the inviter, and if this side cannot write to it.
  package let endpoint: String?
  /// The DID that names the inviter: its resolution gives the key and the endpoint.
  package let publicDID: String?
}

extension Connection {
  /// The sender of the invitation that this side has; nil on an inviter's side.
  package var inviter: InvitationSender? {
    guard isInvitee else { return nil }
    if case .proprietary(let connection) = machine { return connection.invitation?.sender.inviter }
    return invitation?.inviter
  }
}

extension Invitation {
  fileprivate var inviter: InvitationSender {
    let (key, endpoint, publicDID): (String?, String?, String?) =
      switch address {
      case .service(let service): (service.recipientKeys.first?.text, service.endpoint, nil)
      case .publicDID(let did): (nil, nil, did)
      }
    return InvitationSender(label: label, goal: goal, key: key, endpoint: endpoint, publicDID: publicDID)
  }

  /// The purpose, which only out-of-band invitations have.
  private var goal: String? { if case .outOfBand = self { json.value["goal"]?.string } else { nil } }
}

extension ProprietaryParty {
  fileprivate var inviter: InvitationSender {
    InvitationSender(label: name, goal: nil, key: verkey.text, endpoint: service?.endpoint, publicDID: nil)
  }
}
