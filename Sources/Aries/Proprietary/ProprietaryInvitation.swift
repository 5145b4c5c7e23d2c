internal import DIDComm
package import JSON

/// An invitation of Evernym's own peer protocol, which is older than Aries. msdk can read and show every invitation,
/// but answer only invitations that msdk has made.
package struct ProprietaryInvitation: Equatable, Sendable {
  /// The invitation with the full names of its members, including unknown members.
  package let json: JSON

  package let id: String
  /// The inviter, by a DID made for this invitation.
  package let sender: ProprietaryParty

  /// Whether the text is probably an invitation of this form, full or abbreviated, and not an Aries invitation.
  package static func isLikely(_ json: JSON) -> Bool {
    json["recipientKeys"] == nil && (json["senderDetail"] != nil || json["s"] != nil)
  }

  /// Reads either form: with full names, or abbreviated as in a text message or a QR code.
  package init(_ json: JSON) throws(InvitationError) {
    let full = json["senderDetail"] == nil ? json.expanded() : json
    do {
      let object = try full.requireObject()
      id = try object.string("connReqId")
      for member in ["statusCode", "statusMsg", "targetName"] { _ = try object.string(member) }
      sender = try ProprietaryParty(object)
    } catch {
      throw .malformed("\(error)")
    }
    self.json = full
  }

  /// A new invitation.
  package init(id: String, from sender: ProprietaryParty) {
    self.id = id
    self.sender = sender
    let members: [(String, JSON)] = [
      ("accept", [.string(Self.envelopes)]), ("connReqId", .string(id)), ("statusCode", "MS-102"),
      ("statusMsg", "message sent"), ("targetName", "there"), ("version", "2.0"),
    ]
    json = .object(JSONObject(members + sender.json.members.map { ($0.key, $0.value) }))
  }

  /// The invitation with abbreviated names.
  package var abbreviated: JSON { json.abbreviated() }

  /// Evernym's agencies carried the answer to an invitation, and rewrote it on the way. An inviter with msdk takes the
  /// answer in an envelope of the invitee instead, and says so by this media type (RFC 0044).
  private static let envelopes = "didcomm/aip1"

  package var takesEnvelopes: Bool { json["accept"]?.array?.contains(.string(Self.envelopes)) ?? false }

  /// The address for the answer.
  func address() throws(InvitationError) -> Service {
    guard let service = sender.service else { throw .malformed("its sender has not signed for a mailbox to write to") }
    return service
  }
}

/// The short names of members. One short name stands for several members; the object that holds the member decides.
private enum Abbreviations {
  static let short = [
    "statusCode": "sc", "connReqId": "id", "senderDetail": "s", "senderAgencyDetail": "sa", "targetName": "t",
    "statusMsg": "sm", "name": "n", "agentKeyDlgProof": "dp", "agentDID": "d", "agentDelegatedKey": "k",
    "signature": "s", "DID": "d", "logoUrl": "l", "verKey": "v", "endpoint": "e",
  ]

  /// By the full name of the object that holds the members; nil for the outermost.
  static let full: [String?: [String: String]] = [
    nil: [
      "sc": "statusCode", "id": "connReqId", "s": "senderDetail", "sa": "senderAgencyDetail", "t": "targetName",
      "sm": "statusMsg",
    ],
    "senderDetail": ["n": "name", "dp": "agentKeyDlgProof", "d": "DID", "l": "logoUrl", "v": "verKey"],
    "agentKeyDlgProof": ["d": "agentDID", "k": "agentDelegatedKey", "s": "signature"],
    "senderAgencyDetail": ["d": "DID", "v": "verKey", "e": "endpoint"],
  ]
}

extension JSON {
  fileprivate func abbreviated() -> JSON {
    guard let object else { return self }
    return .object(JSONObject(object.members.map { (Abbreviations.short[$0.key] ?? $0.key, $0.value.abbreviated()) }))
  }

  fileprivate func expanded(within parent: String? = nil) -> JSON {
    guard let object else { return self }
    let names = Abbreviations.full[parent] ?? [:]
    return .object(
      JSONObject(
        object.members.map { member in
          let name = names[member.key] ?? member.key
          return (name, member.value.expanded(within: name))
        }))
  }
}
