package import DIDComm
package import JSON

/// An invitation of Evernym's own peer protocol, which came before Aries. msdk reads and shows it, so that programs can
/// tell whom it is from.
package struct ProprietaryInvitation: Equatable, Sendable {
  /// The invitation with the full names of its members, also those that msdk does not know.
  package let json: JSON

  package let id: String
  package let name: String?
  package let logoURL: String?
  package let sender: Party

  /// Who invites: the DID made for this invitation, its key, and the public DID where there is one.
  package struct Party: Equatable, Sendable {
    package let did: String
    package let verkey: VerKey
    package let publicDID: String?
  }

  /// Whether the invitation is meant to be of this form, full or abbreviated, rather than an Aries one.
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
      let detail = try object.object("senderDetail")
      name = try detail.optionalString("name")
      logoURL = try detail.optionalString("logoUrl")
      sender = Party(
        did: try detail.string("DID"), verkey: try VerKey(detail.string("verKey")),
        publicDID: try detail.optionalString("publicDID"))
      let proof = try detail.object("agentKeyDlgProof")
      for member in ["agentDID", "agentDelegatedKey", "signature"] { _ = try proof.string(member) }
      let agency = try object.object("senderAgencyDetail")
      for member in ["DID", "verKey", "endpoint"] { _ = try agency.string(member) }
    } catch {
      throw .malformed("\(error)")
    }
    self.json = full
  }

  /// The invitation with abbreviated names.
  package var abbreviated: JSON { json.abbreviated() }
}

/// The short names of members. One short name stands for several members, so that expanding needs to know where.
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
