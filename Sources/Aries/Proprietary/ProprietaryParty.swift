package import DIDComm
package import JSON
package import Sodium

/// One side of a proprietary connection as it describes itself, in an invitation or in the answer to one.
package struct ProprietaryParty: Equatable, Sendable {
  /// The members `senderDetail` and `senderAgencyDetail`, as they are sent.
  package let json: JSONObject

  package let did: String
  package let verkey: VerKey
  package let publicDID: String?
  package let name: String?
  package let logoURL: String?

  /// An agent between the sender and the party: the party's mailbox, or the agency of that mailbox.
  package struct Agent: Sendable {
    let did: String
    let verkey: VerKey

    package init(did: String, verkey: VerKey) {
      self.did = did
      self.verkey = verkey
    }
  }

  /// Reads the two members. `service` tells whether the party can be reached.
  package init(_ object: JSONObject) throws {
    let detail = try object.object("senderDetail")
    did = try detail.string("DID")
    verkey = try VerKey(detail.string("verKey"))
    publicDID = try detail.optionalString("publicDID")
    name = try detail.optionalString("name")
    logoURL = try detail.optionalString("logoUrl")
    let proof = try detail.object("agentKeyDlgProof")
    for member in ["agentDID", "agentDelegatedKey", "signature"] { _ = try proof.string(member) }
    let agency = try object.object("senderAgencyDetail")
    for member in ["DID", "verKey", "endpoint"] { _ = try agency.string(member) }
    json = ["senderDetail": .object(detail), "senderAgencyDetail": .object(agency)]
  }

  /// This side: the pairwise key signs for its mailbox.
  package init(
    key: KeyPair, mailbox: Agent, agency: Agent, endpoint: String, name: String?, logoURL: String?, publicDID: String?
  ) {
    let signature = key.sign(Self.signedText(mailbox.did, mailbox.verkey.text))
    var detail: JSONObject = [
      "DID": .string(key.verkey.did.text),
      "agentKeyDlgProof": [
        "agentDID": .string(mailbox.did), "agentDelegatedKey": .string(mailbox.verkey.text),
        "signature": .string(Base64.encode(signature, .standard)),
      ],
    ]
    detail["logoUrl"] = logoURL.map(JSON.string)
    detail["name"] = name.map(JSON.string)
    detail["publicDID"] = publicDID.map(JSON.string)
    detail["verKey"] = .string(key.verkey.text)
    let home: JSON = [
      "DID": .string(agency.did), "endpoint": .string(endpoint), "verKey": .string(agency.verkey.text),
    ]
    json = ["senderDetail": .object(detail), "senderAgencyDetail": home]
    (did, verkey) = (key.verkey.did.text, key.verkey)
    (self.name, self.logoURL, self.publicDID) = (name, logoURL, publicDID)
  }

  /// The address for messages to the party: through its agency and its mailbox. Nil unless the party's key has signed
  /// for the mailbox, both DIDs are derived from their keys, and all keys and the endpoint can be used. The signed text
  /// has no separator: without the rule for the mailbox's DID, one signature would name several keys.
  package var service: Service? {
    guard let proof = json["senderDetail"]?["agentKeyDlgProof"], let agency = json["senderAgencyDetail"],
      let mailboxDID = proof["agentDID"]?.string, let mailboxKey = proof["agentDelegatedKey"]?.string,
      let signature = proof["signature"]?.string.flatMap({ try? Base64.decode($0, .standard) }),
      verkey.publicKey.verifies(signature, of: Self.signedText(mailboxDID, mailboxKey)), did == verkey.did.text,
      let mailbox = try? VerKey(mailboxKey), mailboxDID == mailbox.did.text,
      let carrier = agency["verKey"]?.string.flatMap({ try? VerKey($0) }),
      let endpoint = try? Service.endpoint(among: agency["endpoint"] ?? .null)
    else { return nil }
    return Service(recipientKeys: [verkey], routingKeys: [mailbox, carrier], endpoint: endpoint)
  }

  /// The members that lead to the party: its mailbox and its agency.
  var agents: [JSON] { [json["senderDetail"]?["agentKeyDlgProof"], json["senderAgencyDetail"]].map { $0 ?? .null } }

  /// Signatures of this protocol are over a DID with its key behind it.
  static func signedText(_ did: String, _ verkey: String) -> [UInt8] { Array((did + verkey).utf8) }

  /// Whether a text reads as a DID followed by a key, wherever it is cut. A signature over such a text in another
  /// protocol would also be a signature of this protocol.
  static func isSignedText(_ text: String) -> Bool {
    keyLengths.contains { length in
      let (did, key) = (String(text.dropLast(length)), String(text.suffix(length)))
      return (try? DID(did)) != nil && (try? Base58.decode(key, limit: length))?.count == 32
    }
  }

  /// The lengths of 32 bytes in base58.
  private static let keyLengths = 32...44
}
