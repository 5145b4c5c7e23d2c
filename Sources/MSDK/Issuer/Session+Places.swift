internal import Credentials
internal import JSON
internal import Logging
internal import Registry

// The wallet may come from an export that is older than the published list, or another copy of it may be in use. The list
// shows the revocations of all copies.

extension Session {
  /// Lets the issuer of a revocation registry learn from its published list, before this session gives out the first
  /// place.
  ///
  /// Throws if a registry that could have the list does not answer, or if there is no list although the wallet has given
  /// out places: the next call asks again.
  func learnPlaces(of registryID: String) throws {
    guard !learnedRegistries.withLock({ $0.contains(ExactText(registryID)) }) else { return }
    let issuer = try credentialIssuer()
    do { try issuer.learn(newestList(of: registryID), in: registryID) } catch let failure as RegistryFailure {
      let isNew = try failure.error == .notFound && !issuer.registry(registryID).hasGivenPlaces
      guard isNew || failure.error == .notConfigured else { throw failure }
    }
    learnedRegistries.withLock { known in _ = known.insert(ExactText(registryID)) }
  }

  /// Publishes the unpublished changes of a revocation registry. If another copy of the wallet has published
  /// revocations, learns of them, and publishes the revocations of both.
  func publishPending(of registryID: String) throws {
    for _ in 0..<Self.mostConflicts {
      do { return try publishOnce(registryID) } catch let failure as PublicationFailure where failure.isConflict {
        let hasNews = try credentialIssuer().learn(newestList(of: registryID), in: registryID, needsPlace: false)
        guard hasNews else { throw failure }
        Log.info("revocation registry \(registryID): another copy of the wallet has published revocations")
      }
    }
    try publishOnce(registryID)
  }

  /// The attempts against other copies. For each lost attempt, another copy has published.
  private static let mostConflicts = 10

  private func publishOnce(_ registryID: String) throws {
    try credentialIssuer().publishPending(of: registryID) { status in
      try registries.publish(StatusUpdate(status, of: registryID))
      Log.info("revocation registry \(registryID): \(status.revoked.count) revocations are published")
    }
  }

  private func newestList(of registryID: String) throws -> StatusList {
    try StatusList(parsing: registries.newestStatusList(of: registryID).text)
  }
}

extension PublicationFailure {
  /// Whether the published status has revocations that the refused one lacks.
  fileprivate var isConflict: Bool {
    if case .exists = error { kind == .statusList } else { false }
  }
}

extension StatusUpdate {
  init(_ status: CredentialIssuer.Status, of registryID: String) {
    self.init(
      registryID: registryID, list: status.list, previousAccumulator: status.previousAccumulator,
      issued: status.issued, revoked: status.revoked)
  }
}
