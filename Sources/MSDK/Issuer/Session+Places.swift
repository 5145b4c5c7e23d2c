internal import Credentials
internal import Logging
internal import Registry
internal import Time

extension Session {
  /// Lets the issuer of a revocation registry learn from its published list, before this session gives out the first
  /// place. The wallet may come from an export that is older than the list.
  ///
  /// Throws if a registry that could have the list does not answer: the next call asks again.
  func learnPlaces(of registryID: String) throws {
    guard !learnedRegistries.withLock({ $0.contains(registryID) }) else { return }
    if let list = try publishedList(of: registryID) { try credentialIssuer().learn(list, in: registryID) }
    learnedRegistries.withLock { known in _ = known.insert(registryID) }
  }

  /// The published status list of a registry; nil if no list is published, or no registry is configured to read it
  /// from.
  private func publishedList(of registryID: String) throws -> StatusList? {
    do {
      return try StatusList(parsing: registries.statusList(of: registryID, at: systemClock()).text)
    } catch let failure as RegistryFailure where [.notFound, .notConfigured].contains(failure.error) {
      return nil
    }
  }
}
