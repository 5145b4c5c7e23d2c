internal import DIDComm
internal import JSON

/// The two forms of an Aries invitation.
package enum InvitationKind: Equatable, Sendable {
  case connection, outOfBand

  /// Refuses an invitation whose type names another message. Many agents omit the type.
  func check(_ invitation: JSONObject) throws(InvitationError) {
    guard let text = invitation["@type"]?.string, !text.isEmpty else { return }
    guard let kind = Self(type: text) else { throw .malformed("its @type is not that of an invitation") }
    guard kind == self else { throw .otherKind(kind) }
  }

  /// Returns nil if the type does not name an invitation.
  private init?(type text: String) {
    guard let type = MessageType(text) else { return nil }
    if type.matches(ConnectionInvitation.type) {
      self = .connection
    } else if type.matches(OutOfBandInvitation.type) {
      self = .outOfBand
    } else {
      return nil
    }
  }
}
