package import DIDComm
package import JSON

/// First request of provisioning: names the owner.
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

/// Second request of provisioning, to the account in `Connected`.
package struct SignUp: BareMessage {
  package static let name = "SIGNUP"
  package init() {}
}

/// Answers `SignUp`.
package struct SignedUp: BareMessage {
  package static let name = "SIGNED_UP"
  package init() {}
}

/// Third request of provisioning, in its form without a token.
package struct CreateAgent: BareMessage {
  package static let name = "CREATE_AGENT"
  package init() {}
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
    self.init(agent: try Party(object, did: "withPairwiseDID", verkey: "withPairwiseDIDVerKey"))
  }

  package var members: JSONObject {
    ["withPairwiseDID": .string(agent.did), "withPairwiseDIDVerKey": .string(agent.verkey.text)]
  }
}

/// Answers `Connect`: the addressee of the next two requests.
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
