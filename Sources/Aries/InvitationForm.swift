package import JSON

/// The form of an invitation, by its members: agents may omit the type, or write the type of another version.
package enum InvitationForm: CaseIterable, Sendable {
  case outOfBand, connection, proprietary

  /// The form in which an invitation of any form is read.
  package init(of invitation: JSON) {
    if invitation["@type"]?.string?.contains("/out-of-band/") ?? false || Self.outOfBand.isPresent(in: invitation) {
      self = .outOfBand
    } else {
      self = ProprietaryInvitation.isLikely(invitation) ? .proprietary : .connection
    }
  }

  /// Whether the invitation has members in which this form names the inviter.
  func isPresent(in invitation: JSON) -> Bool {
    switch self {
    case .outOfBand: invitation["services"] != nil || invitation["service"] != nil
    case .connection: invitation.present("recipientKeys") != nil
    case .proprietary: invitation["senderDetail"] != nil || invitation["s"] != nil
    }
  }
}

extension JSON {
  /// A member; nil if it is null.
  func present(_ name: String) -> JSON? { self[name].flatMap { $0.isNull ? nil : $0 } }
}
