package import DIDComm
package import JSON

/// An agency, or one of its agents: what its messages are addressed to and encrypted for. The DID is an opaque label;
/// some agencies give an agent a DID that its key does not derive from.
package struct Party: Equatable, Sendable {
  package let did: String
  package let verkey: VerKey

  package init(did: String, verkey: VerKey) {
    self.did = did
    self.verkey = verkey
  }
}

/// First request of provisioning: whose agent it will be.
package struct Connect: AgencyMessage {
  package static let name = "CONNECT"
  package let fromDID: String
  package let fromDIDVerKey: String

  package init(fromDID: String, fromDIDVerKey: String) {
    self.fromDID = fromDID
    self.fromDIDVerKey = fromDIDVerKey
  }

  package init(_ object: JSONObject) throws(JSONError) {
    fromDID = try object.string("fromDID")
    fromDIDVerKey = try object.string("fromDIDVerKey")
  }

  package var members: JSONObject { ["fromDID": .string(fromDID), "fromDIDVerKey": .string(fromDIDVerKey)] }
}

/// Second request of provisioning, to the agent named in `Connected`.
package struct SignUp: AgencyMessage {
  package static let name = "SIGNUP"
  package init() {}
  package init(_ object: JSONObject) {}
  package var members: JSONObject { [:] }
}

package struct SignedUp: AgencyMessage {
  package static let name = "SIGNED_UP"
  package init() {}
  package init(_ object: JSONObject) {}
  package var members: JSONObject { [:] }
}

/// Third request of provisioning, in its form without a token.
package struct CreateAgent: AgencyMessage {
  package static let name = "CREATE_AGENT"
  package init() {}
  package init(_ object: JSONObject) {}
  package var members: JSONObject { [:] }
}

/// A request for a pairwise agent, the mailbox of one connection.
package struct CreateKey: AgencyMessage {
  package static let name = "CREATE_KEY"
  package let forDID: String
  package let forDIDVerKey: String

  package init(forDID: String, forDIDVerKey: String) {
    self.forDID = forDID
    self.forDIDVerKey = forDIDVerKey
  }

  package init(_ object: JSONObject) throws(JSONError) {
    forDID = try object.string("forDID")
    forDIDVerKey = try object.string("forDIDVerKey")
  }

  package var members: JSONObject { ["forDID": .string(forDID), "forDIDVerKey": .string(forDIDVerKey)] }
}

/// An answer that names an agent by DID and verkey.
package protocol AgentNaming: AgencyMessage {
  var agent: Party { get }
  init(agent: Party)
}

extension AgentNaming {
  package init(_ object: JSONObject) throws(JSONError) {
    let did = try object.string("withPairwiseDID")
    guard let verkey = try? VerKey(object.string("withPairwiseDIDVerKey")) else {
      throw JSONError.wrongType(key: "withPairwiseDIDVerKey", expected: "a verkey")
    }
    self.init(agent: Party(did: did, verkey: verkey))
  }

  package var members: JSONObject {
    ["withPairwiseDID": .string(agent.did), "withPairwiseDIDVerKey": .string(agent.verkey.text)]
  }
}

/// Answers `Connect`: to whom the next two requests go.
package struct Connected: AgentNaming {
  package static let name = "CONNECTED"
  package let agent: Party
  package init(agent: Party) { self.agent = agent }
}

/// Answers `CreateAgent`: the Cloud Agent.
package struct AgentCreated: AgentNaming {
  package static let name = "AGENT_CREATED"
  package let agent: Party
  package init(agent: Party) { self.agent = agent }
}

/// Answers `CreateKey`: the pairwise agent.
package struct KeyCreated: AgentNaming {
  package static let name = "KEY_CREATED"
  package let agent: Party
  package init(agent: Party) { self.agent = agent }
}
