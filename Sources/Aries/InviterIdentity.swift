internal import DIDComm
package import JSON

/// The identity of an inviter and of one invitation, to compare them with others. It is read from invitations of every
/// form, also from unacceptable ones, since their inviter can still be recognised.
package struct InviterIdentity: Equatable, Sendable {
  /// The invitation's `@id`, or its `connReqId`.
  private let invitation: String?
  /// The inviter's DIDs, without `did:sov:`: its public DID, that of a service, and that of the sender in a proprietary
  /// invitation.
  private let dids: Set<String>
  /// The first recipient key, read from any spelling.
  private let key: VerKey?

  package init(of invitation: JSON) {
    if let proprietary = try? ProprietaryInvitation(invitation) {
      let sender = proprietary.sender
      self.init(proprietary.id, dids: [sender.publicDID, sender.did], key: sender.verkey.text)
      return
    }
    let service = (invitation["services"] ?? invitation["service"])?.array?.first
    let keys = (invitation["recipientKeys"] ?? service?["recipientKeys"])?.array
    self.init(
      invitation["@id"]?.string,
      dids: [invitation["public_did"]?.string, invitation["did"]?.string, service?.string], key: keys?.first?.string)
  }

  private init(_ invitation: String?, dids: [String?], key: String?) {
    self.invitation = invitation.flatMap { $0.isEmpty ? nil : $0 }
    self.dids = Set(dids.compactMap { $0.flatMap { try? DID($0) }?.unqualified.text })
    self.key = key.flatMap { try? VerKey(anyForm: $0) }
  }

  package func isSameInvitation(as other: InviterIdentity) -> Bool {
    invitation != nil && invitation == other.invitation
  }

  package func isSameInviter(as other: InviterIdentity) -> Bool {
    (key != nil && key == other.key) || !dids.isDisjoint(with: other.dids)
  }
}
