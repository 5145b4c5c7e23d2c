internal import Soundness
internal import Wallet

extension CredentialIssuer {
  /// Learns from the published list of a registry about the places and the revocations of another copy of the wallet. A
  /// wallet from an older export does not know of them: it would give out the places again, and its next list would take
  /// back the revocations.
  ///
  /// The list shows the revoked places, and in registries of other libraries the valid ones. A valid place of this
  /// library's registries looks like a free one. The revocations of both copies count: own ones that the list lacks wait
  /// for the next publication.
  ///
  /// Takes a list only if the own keys give the same accumulator for its places, and with `needsPlace`, if it leaves a
  /// place for the next credential. Throws `malformedRegistry` for other lists, and then changes nothing in the wallet.
  /// Returns whether the list had news.
  @discardableResult
  package func learn(_ published: StatusList, in id: String, needsPlace: Bool = true) throws -> Bool {
    try locked(id) {
      let registry = try registry(id)
      guard let news = try registry.news(in: published) else { return false }
      try check(published, against: registry)
      if needsPlace { try checkPlace(in: published, of: registry) }
      var next = try updated(registry, issued: [], revoked: news.revoked)
      next.lastIndex = news.lastIndex
      guard !news.revoked.isEmpty else {
        try wallet.make(registries.noting(next))
        return true
      }
      let rest = try next.listed.subtracting(published.revokedPlaces(of: next.size))
      if rest.isEmpty { next.accumulator = published.accumulator }
      let pending = PendingStatus(
        previousAccumulator: published.accumulator, accumulator: next.accumulator, issued: [], revoked: rest)
      try wallet.make(
        registries.noting(next) + [registries.notingAccumulator(of: next)]
          + registries.noting(rest.isEmpty ? nil : pending, insteadOf: registry.pending, of: id))
      return true
    }
  }

  private func check(_ published: StatusList, against own: OwnRegistry) throws {
    let (revoked, known) = (try published.revokedPlaces(of: own.size), own.revokedPlaces)
    let expected = try updated(own, issued: known.subtracting(revoked), revoked: revoked.subtracting(known))
    guard Accumulator.areEqual(published.accumulator, expected.accumulator) else {
      let others = revoked.symmetricDifference(known).sorted().map(String.init).joined(separator: ", ")
      throw CredentialsError.malformedRegistry(
        "the accumulator of its published status list does not fit the list, which differs from the wallet at \(others)"
      )
    }
  }

  private func checkPlace(in published: StatusList, of own: OwnRegistry) throws {
    guard try own.lastUsed(in: published) < own.size || own.lastIndex == own.size else {
      throw CredentialsError.malformedRegistry(
        "its published status list leaves no place, and the wallet has given out \(own.lastIndex) of \(own.size)")
    }
  }
}
