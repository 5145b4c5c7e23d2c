package import DIDComm
package import JSON
internal import Sodium

/// The token with which a sponsor vouches for a user.
package struct ProvisionToken: Equatable, Sendable {
  package let sponseeID: String
  package let sponsorID: String
  package let nonce: String

  /// RFC 3339 with an offset. The text itself is signed.
  package let timestamp: String

  /// Standard base64, padded, of the Ed25519 signature.
  package let signature: String

  /// Base58 of the key that the sponsor signs with.
  package let sponsorVerKey: String

  /// The maker's attestation of the device, if the sponsor asks for it. The sponsor does not sign it.
  package let attestation: Attestation?

  package init(
    sponseeID: String, sponsorID: String, nonce: String, timestamp: String, signature: String, sponsorVerKey: String,
    attestation: Attestation? = nil
  ) {
    self.sponseeID = sponseeID
    self.sponsorID = sponsorID
    self.nonce = nonce
    self.timestamp = timestamp
    self.signature = signature
    self.sponsorVerKey = sponsorVerKey
    self.attestation = attestation
  }

  package init(_ object: JSONObject) throws(JSONError) {
    sponseeID = try object.string("sponseeId")
    sponsorID = try object.string("sponsorId")
    nonce = try object.string("nonce")
    timestamp = try object.string("timestamp")
    signature = try object.string("sig")
    sponsorVerKey = try object.string("sponsorVerKey")
    attestation = try Attestation(object)
  }

  package var json: JSON {
    var json: JSON = [
      "sponseeId": .string(sponseeID), "sponsorId": .string(sponsorID), "nonce": .string(nonce),
      "timestamp": .string(timestamp), "sig": .string(signature), "sponsorVerKey": .string(sponsorVerKey),
    ]
    json[Attestation.algorithmKey] = attestation.map { .string($0.algorithm.rawValue) }
    json[Attestation.dataKey] = attestation.map { .string($0.data) }
    return json
  }

  /// The signed text: four members without separators.
  package var signedText: String { nonce + timestamp + sponseeID + sponsorID }

  /// Whether the signature verifies with the token's key. The caller checks that the key is the sponsor's.
  package var isSignedByItsKey: Bool {
    guard let key = try? VerKey(sponsorVerKey), let bytes = try? Base64.decode(signature, .standard),
      Base64.encode(bytes, .standard) == signature
    else { return false }
    return key.publicKey.verifies(bytes, of: Array(signedText.utf8))
  }
}

/// Asks for an account in one request, with a sponsor's token.
package struct CreateSponsoredAgent: AgencyMessage {
  package static let name = "CREATE_AGENT"
  package static let type = WireType.prefix + "agent-provisioning/0.7/CREATE_AGENT"

  package let token: ProvisionToken?
  package let fromDID: String
  package let fromVerKey: String
  package let thread: String

  package init(token: ProvisionToken?, fromDID: String, fromVerKey: String, thread: String) {
    self.token = token
    self.fromDID = fromDID
    self.fromVerKey = fromVerKey
    self.thread = thread
  }

  package init(_ object: JSONObject) throws(JSONError) {
    token = try object.optionalObject("provisionToken").map { (token) throws(JSONError) in try ProvisionToken(token) }
    let keys = try object.object("requesterKeys")
    fromDID = try keys.string("fromDID")
    fromVerKey = try keys.string("fromVerKey")
    thread = try object.threadID()
  }

  package var members: JSONObject {
    var members: JSONObject = [:]
    members["provisionToken"] = token?.json
    members["requesterKeys"] = ["fromDID": .string(fromDID), "fromVerKey": .string(fromVerKey)]
    members["~thread"] = ["thid": .string(thread), "sender_order": 0, "received_orders": [:]]
    return members
  }
}

/// Answers `CreateSponsoredAgent`: the Cloud Agent.
package struct SponsoredAgentCreated: AgencyMessage {
  package static let name = "AGENT_CREATED"
  package let id: String
  package let agent: Party
  package let thread: String

  package init(id: String, agent: Party, thread: String) {
    self.id = id
    self.agent = agent
    self.thread = thread
  }

  package init(_ object: JSONObject) throws(JSONError) {
    id = try object.optionalString("@id") ?? ""
    agent = try Party(object, did: "selfDID", verkey: "agentVerKey")
    thread = try object.threadID()
  }

  package var members: JSONObject {
    [
      "@id": .string(id), "selfDID": .string(agent.did), "agentVerKey": .string(agent.verkey.text),
      "~thread": ["thid": .string(thread)],
    ]
  }
}

/// Answers `CreateSponsoredAgent` and `GetToken` if they fail.
package struct ProvisioningProblem: AgencyMessage {
  package static let name = "problem-report"
  package let id: String
  package let text: String
  package let thread: String

  package init(id: String, text: String, thread: String) {
    self.id = id
    self.text = text
    self.thread = thread
  }

  package init(_ object: JSONObject) throws(JSONError) {
    id = try object.optionalString("@id") ?? ""
    text = try object.optionalString("msg") ?? ""
    thread = try object.threadID()
  }

  package var members: JSONObject {
    ["@id": .string(id), "msg": .string(text), "~thread": ["thid": .string(thread)]]
  }
}

/// Asks an agency for a token, of a sponsor whose agency gives tokens to anybody.
package struct GetToken: AgencyMessage {
  package static let name = "get-token"
  package static let type = WireType.prefix + "token-provisioning/0.1/get-token"

  package let sponseeID: String
  package let sponsorID: String

  package init(sponseeID: String, sponsorID: String) {
    self.sponseeID = sponseeID
    self.sponsorID = sponsorID
  }

  package init(_ object: JSONObject) throws(JSONError) {
    sponseeID = try object.string("sponseeId")
    sponsorID = try object.string("sponsorId")
  }

  package var members: JSONObject { ["sponseeId": .string(sponseeID), "sponsorId": .string(sponsorID)] }
}

/// Answers `GetToken`.
package struct TokenSent: AgencyMessage {
  package static let name = "send-token"
  package let id: String
  package let token: ProvisionToken

  package init(id: String, token: ProvisionToken) {
    self.id = id
    self.token = token
  }

  package init(_ object: JSONObject) throws(JSONError) {
    id = try object.optionalString("@id") ?? ""
    token = try ProvisionToken(object)
  }

  package var members: JSONObject {
    JSONObject([("@id", .string(id))] + (token.json.object ?? [:]).members.map { ($0.key, $0.value) })
  }
}

extension JSONObject {
  /// The id of the thread, for the few messages that have one; empty for the others.
  fileprivate func threadID() throws(JSONError) -> String {
    try optionalObject("~thread")?.optionalString("thid") ?? ""
  }
}
