internal import AgencyWire
internal import DIDComm

extension Agency {
  /// Serves the first request of provisioning: creates the sender's account, or finds it again.
  func connect(_ layer: Layer) throws(RequestError) -> (message: any AgencyMessage, reader: VerKey) {
    guard rules.admission.mode != .token else { throw .needsToken }
    let request: Connect = try layer.read()
    let (did, owner) = try ownKey(request.fromDID, request.fromDIDVerKey)
    guard layer.sender == owner else { throw .notFound(reason: "not from the key that it names") }
    let agent = try stored { () throws(StorageError) in
      try storage.agent(of: owner, ownerDID: did, orElse: masterKey.newKey())
    }
    return (Connected(agent: agent.party), owner)
  }

  func signUp(_ agent: Account) throws(RequestError) -> any AgencyMessage {
    if agent.state == .connected { try advance(agent, to: .registered) }
    return SignedUp()
  }

  func createAgent(_ agent: Account) throws(RequestError) -> any AgencyMessage {
    switch agent.state {
    case .connected: throw .notProvisioned
    case .registered: try advance(agent, to: .created)
    case .created: break
    }
    return AgentCreated(agent: agent.party)
  }

  private func advance(_ agent: Account, to state: Account.State) throws(RequestError) {
    let isThere = try stored { () throws(StorageError) in try storage.setState(state, of: agent) }
    guard isThere else { throw .notFound(reason: "the agent was removed") }
  }

  /// Reads a client's DID and verkey. The DID must be the verkey's: its first half, or all of it.
  func ownKey(_ did: String, _ verkey: String) throws(RequestError) -> (DID, VerKey) {
    guard let key = try? VerKey(verkey) else { throw .invalid("malformed verkey") }
    guard let did = try? DID(did).unqualified else { throw .invalid("malformed DID") }
    guard did == key.did || did.text == key.text else { throw .invalid("the DID is not the verkey's") }
    return (did, key)
  }
}
