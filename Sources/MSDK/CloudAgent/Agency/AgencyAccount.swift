internal import CloudAgent
package import DIDComm
internal import HTTP
internal import JSON
internal import Logging
internal import Sodium

/// An account at an agency: the agency, the user's key for it, and the user's Cloud Agent there.
package struct AgencyAccount: Sendable {
  package let endpoint: String
  package let agency: Party
  package let owner: VerKey
  package let agent: Party

  /// Returns nil if the configuration names no agency.
  init?(_ config: SettingsReader) throws(SettingsError) {
    let name = config.name(among: AgencyAddress.endpointNames)
    let endpoint = try config.string(name)
    if let endpoint, !isAbsoluteURL(endpoint) { throw .invalidURL(name) }
    let agency = try Self.party("agency", config)
    let owner = try Self.party("sdk_to_remote", config)
    let agent = try Self.party("remote_to_sdk", config)
    guard let endpoint, let agency, let owner, let agent else { return nil }
    self.endpoint = endpoint
    self.agency = agency
    self.owner = owner.verkey
    self.agent = agent
  }

  private static func party(_ name: String, _ config: SettingsReader) throws(SettingsError) -> Party? {
    let did = try config.did(name + "_did")
    guard let verkey = try config.verkey(name + "_verkey"), let did else { return nil }
    return Party(did: did, verkey: verkey)
  }
}

extension AgencyAccount {
  /// The Cloud Agent of the account.
  func client(keys: any KeyRing, directory: any MailboxDirectory, over http: HTTPClient) -> AgencyClient {
    let channel = AgencyChannel(endpoint: endpoint, agency: agency, keys: keys, http: http)
    return AgencyClient(channel: channel, owner: owner, agent: agent, directory: directory)
  }
}

extension AgencyAddress {
  /// Registers the owner at the agency, with a sponsor's token if there is one. A repetition with the same token
  /// registers the same owner, so that a lost answer can be fetched again.
  func register(_ request: Registration) throws -> (owner: Party, members: JSONObject) {
    let owner = try owner(request)
    let channel = AgencyChannel(endpoint: endpoint, agency: party, keys: request.wallet, http: request.http)
    Log.info(
      "provisioning \(owner.did) at \(HTTPURL.origin(of: channel.endpoint)), \(request.token == nil ? "without" : "with") a token"
    )
    let agent =
      if let token = request.token { try channel.provision(owner: owner.verkey, token: token) } else {
        try channel.provision(owner: owner.verkey)
      }
    guard (try? DID(agent.did)) != nil else { throw CloudAgentError.invalidAnswer("the agent's DID is none") }
    Log.info("the Cloud Agent of \(owner.did) is \(agent.did)")
    let members: JSONObject = [
      "agency_endpoint": .string(channel.endpoint), "agency_did": .string(party.did),
      "agency_verkey": .string(party.verkey.text), "remote_to_sdk_did": .string(agent.did),
      "remote_to_sdk_verkey": .string(agent.verkey.text),
    ]
    return (owner, members)
  }

  private func owner(_ request: Registration) throws -> Party {
    guard request.seed == nil, let token = request.token else {
      return try request.wallet.createParty(seed: request.seed)
    }
    return try request.wallet.party(ofAttempt: token.mark(at: party))
  }
}
