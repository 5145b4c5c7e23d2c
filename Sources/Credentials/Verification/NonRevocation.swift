internal import JSON

/// The checks of the time for which a presentation proves that its credentials were not revoked, and the status lists
/// that the engine needs for it.
struct NonRevocation {
  let objects: any PublicObjectSource
  /// In seconds since 1970.
  let now: Int64

  /// The permitted difference between the clocks of prover, registry and verifier, in seconds.
  private static let tolerance: Int64 = 300

  /// The reason why the proof does not answer an item with this interval; nil if it does.
  ///
  /// The timestamp of the proof may lie before the interval if the registry has not changed in between: a prover names
  /// the time of the list that was in force.
  func reason(against resolved: ResolvedProof, for interval: Interval?) throws -> Verdict.Reason? {
    let proof = resolved.proof
    guard let timestamp = proof.timestamp else {
      return interval != nil && resolved.isRevocable ? .revocationUnproved : nil
    }
    // The engine ignores the timestamp of a proof that shows nothing about revocation.
    guard resolved.isRevocable, proof.showsNonRevocation, let registry = proof.registryID else {
      return .revocationUnproved
    }
    guard timestamp <= now + Self.tolerance else { return .time }
    guard let interval else { return nil }
    if let to = interval.to, timestamp - Self.tolerance > to { return .time }
    guard let from = interval.from ?? interval.to, timestamp < from else { return nil }
    let (named, first) = (try objects.statusList(registry, at: timestamp), try objects.statusList(registry, at: from))
    return try StatusList(parsing: named).timestamp == StatusList(parsing: first).timestamp ? nil : .time
  }

  /// The status list in force at the time that the proof names. The list carries that time as its own, because the
  /// engine looks for it by that time.
  func statusList(for proof: Presentation.Proof) throws -> String? {
    guard let registry = proof.registryID, let timestamp = proof.timestamp else { return nil }
    let text = try objects.statusList(registry, at: timestamp)
    let list = try StatusList(parsing: text)
    guard list.registryID.isExactly(registry) else {
      throw CredentialsError.malformedRegistry("its status list is another registry's")
    }
    guard list.timestamp != timestamp else { return text }
    var relabelled = try JSON(parsing: text, limits: .numberLists)
    relabelled["timestamp"] = .integer(timestamp)
    return relabelled.text
  }
}
