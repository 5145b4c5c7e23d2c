internal import AnonCreds

extension CredentialHolder {
  /// Whether the issuer has revoked a credential, from the registry's present state. The wallet notes it.
  package func isRevoked(_ id: String) throws -> Bool {
    let content = try store.credential(id).held.content
    guard let registryID = content.registryID, let index = content.revocationIndex else { return false }
    let list = try statusList(of: registryID, at: now())
    let isRevoked = try list.isRevoked(at: index)
    try store.mark(id, revoked: isRevoked)
    return isRevoked
  }

  /// The proof that a credential was not revoked in the requested time. Nil if the request does not ask for such a
  /// proof, or the credential cannot be revoked. Throws `revoked` for a revoked credential, unless the user wants to
  /// present it all the same: then the result is nil, too. The engine would make a proof that fails, and with it the
  /// verifier could not tell a revoked credential from a forged one.
  ///
  /// The proof names the time of the status list, which may be before the interval if nothing has changed since.
  func evidence(
    for credential: HeldCredential, in group: PresentationPlan.Group
  ) throws -> RevocationEvidence? {
    let content = credential.content
    guard let interval = group.interval, let registryID = content.registryID, let index = content.revocationIndex else {
      return nil
    }
    let registry = try RegistryDefinition(parsing: objects.registry(registryID))
    try content.check(registry: registry, of: objects.definition(content.definitionID))
    let time = now()
    let list = try statusList(of: registryID, at: min(interval.to ?? time, time))
    if try list.isRevoked(at: index) {
      guard group.presentsRevoked else { throw CredentialsError.revoked }
      return nil
    }
    let state = try engine.createRevocationState(
      registry: registry.text, statusList: list.text, index: index,
      tailsFile: tails.path(of: registry.tails, given: group.tails), former: nil)
    return RevocationEvidence(timestamp: list.timestamp, state: state)
  }

  private func statusList(of registryID: String, at time: Int64) throws -> StatusList {
    let list = try StatusList(parsing: objects.statusList(registryID, at: time))
    guard list.registryID == registryID else {
      throw CredentialsError.malformedRegistry("its status list is another registry's")
    }
    objects.keepListTime(ofRegistry: registryID)
    return list
  }
}
