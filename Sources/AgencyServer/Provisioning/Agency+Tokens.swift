internal import AgencyWire
internal import DIDComm

extension Agency {
  /// Serves provisioning in one request, with a sponsor's token if the agency requires one.
  func createSponsoredAgent(_ layer: Layer) throws(RequestError) -> (message: any AgencyMessage, reader: VerKey) {
    let request: CreateSponsoredAgent = try layer.read()
    let (did, owner) = try ownKey(request.fromDID, request.fromVerKey)
    guard layer.sender == owner else { throw .notFound(reason: "not from the key that it names") }
    switch try provision(owner, did, request.token) {
    case .success(let agent):
      return (SponsoredAgentCreated(id: .randomUUID(), agent: agent.party, thread: request.thread), owner)
    case .failure(let problem):
      log.note("no agent given", ["reason": problem.rawValue])
      return (ProvisioningProblem(id: .randomUUID(), text: problem.rawValue, thread: request.thread), owner)
    }
  }

  private func provision(
    _ owner: VerKey, _ did: DID, _ token: ProvisionToken?
  ) throws(RequestError) -> Result<Account, TokenProblem> {
    let sponsorship: Sponsorship?
    do { sponsorship = try check(token) } catch { return .failure(error) }
    let provisioned = try stored { () throws(StorageError) in
      try storage.provision(owner, ownerDID: did, sponsorship, orElse: masterKey.newKey())
    }
    return switch provisioned {
    case .agent(let agent): .success(agent)
    case .tokenUsed: .failure(.used)
    case .keyInUse: .failure(.keyInUse)
    }
  }

  /// Returns nil if the agency needs no token.
  private func check(_ token: ProvisionToken?) throws(TokenProblem) -> Sponsorship? {
    guard let token else {
      guard rules.admission.mode == .open else { throw .missing }
      return nil
    }
    let now = clock()
    let sponsor = try rules.admission.check(token, at: now)
    return Sponsorship(
      sponsorID: sponsor.id, sponseeID: token.sponseeID, marks: token.marks, expiry: rules.admission.expiry(at: now))
  }

  /// Returns a token of a sponsor who lets the agency hand them out. The agency itself signs for nobody.
  func sendToken(_ layer: Layer) throws(RequestError) -> (message: any AgencyMessage, reader: VerKey) {
    guard let sender = layer.sender else { throw .notFound(reason: "an anonymous request") }
    let request: GetToken = try layer.read()
    do {
      return (TokenSent(id: .randomUUID(), token: try token(request)), sender)
    } catch {
      log.note("no token given", ["reason": error.rawValue])
      return (ProvisioningProblem(id: .randomUUID(), text: error.rawValue, thread: ""), sender)
    }
  }

  private func token(_ request: GetToken) throws(TokenProblem) -> ProvisionToken {
    guard let sponsor = rules.admission[sponsor: request.sponsorID] else { throw .unknownSponsor }
    guard sponsor.isActive else { throw .inactiveSponsor }
    guard sponsor.tokenEndpoint != nil else { throw .elsewhere }
    guard request.sponseeID.utf8.count <= ProvisionToken.longestMember else { throw .malformed }
    guard let token = tokenSource(request.sponseeID, sponsor), token.sponseeID == request.sponseeID,
      token.sponsorID == sponsor.id
    else { throw .none }
    _ = try rules.admission.check(token, at: clock())
    return token
  }
}
