internal import AnonCreds
internal import Files
internal import Indy
package import JSON
internal import Sodium
internal import Threading
internal import Wallet

extension CredentialIssuer {
  var registries: RegistryRecords { RegistryRecords(wallet: wallet) }

  /// The registry with this id. Throws `noKeys` if the wallet does not have it.
  package func registry(_ id: String) throws -> OwnRegistry {
    guard let registry = try registries.find(id) else { throw IssuingError.noKeys("revocation registry \(id)") }
    return registry
  }

  /// Makes the revocation registry of a definition for `size` credentials, with its tails file in `folder`, and stores
  /// it. Returns the wallet's registry if there is one. Takes seconds for large registries.
  ///
  /// `publicForm` gets the registry's definition with the local path of its tails file, and returns it as it will be
  /// published: ids that are made from the content need it.
  package func makeRegistry(
    of definition: OwnDefinition, size: Int64, folder: String, naming: ObjectNaming,
    publicForm: (_ definition: JSON) throws -> JSON
  ) throws -> OwnRegistry {
    let choices = [definition.id, Self.registryTag]
    return try locked(JSON(choices).text) {
      let knownID = try knownID(ofRegistry: choices, naming)
      if let knownID, let known = try registries.find(knownID) { return known }
      // If the folder cannot be made, the engine reports it with its path.
      try? Files.makeDirectory(folder, mode: 0o755)
      let made = try engine.createRegistry(
        definitionID: definition.id, definition: definition.text, issuer: naming.issuer, tag: Self.registryTag,
        size: size, tailsFolder: folder)
      let id =
        switch naming {
        case .indy: knownID ?? ""
        case .content(_, let id): try id(publicForm(JSON(parsing: made.definition)))
        }
      let list = try engine.createStatusList(
        definition: definition.text, registryID: id, registry: made.definition, privateKey: made.privateKey,
        issuer: naming.issuer, allAreIssued: true, timestamp: now())
      try wallet.make(
        registries.adding(
          id, definition: JSON(parsing: made.definition), privateKey: made.privateKey,
          accumulator: JSON(parsing: list, limits: .numberLists).requireObject().string("currentAccumulator"))
          + (naming.isByContent ? contentIDs.noting(id, choices, insteadOf: knownID) : []))
      return try registry(id)
    }
  }

  /// The id that a registry has before it is made, or that it was given then.
  private func knownID(ofRegistry choices: [String], _ naming: ObjectNaming) throws -> String? {
    switch naming {
    case .indy(let issuer): IndyID(issuer, .revocationRegistry(definition: choices[0], tag: choices[1])).text
    case .content: try contentIDs.find(choices)
    }
  }

  /// Runs `body`, which reads and changes one registry. Threads of this process wait for each other; after a change by
  /// another process, `body` runs again.
  func locked<Result>(_ id: String, _ body: () throws -> Result) throws -> Result {
    try Self.locks.withLock(of: id) { try wallet.retrying(body) }
  }

  /// The tag of the one registry of a definition.
  private static let registryTag = "tag1"

  // MARK: Issuing

  /// Gives the next place to a credential. The wallet has the note before anything is made for the place, so that no
  /// place serves twice.
  ///
  /// `issuance` is the wallet's note of the exchange, and gets the place. Throws `recordChanged` if another process has
  /// changed the note or the registry.
  func allocate(in id: String, for thread: String, _ issuance: inout Issuance) throws -> Int64 {
    try Self.locks.withLock(of: id) {
      var registry = try registry(id)
      guard registry.lastIndex < registry.size else { throw IssuingError.registryFull }
      registry.lastIndex += 1
      (issuance.index, issuance.registry) = (registry.lastIndex, registry.id)
      try wallet.make(registries.noting(registry) + noting(issuance, on: thread))
      issuance.noteRecorded()
      return registry.lastIndex
    }
  }

  /// Frees the place of an exchange for which no credential was made. Only the last place becomes free: other programs
  /// may know an earlier place as used.
  func giveBack(_ index: Int64, in id: String, from thread: String) throws {
    try locked(id) {
      var registry = try registry(id)
      guard registry.lastIndex == index, var issuance = try issuance(on: thread), issuance.credential == nil
      else { return }
      registry.lastIndex -= 1
      (issuance.index, issuance.registry) = (nil, nil)
      try wallet.make(registries.noting(registry) + noting(issuance, on: thread))
    }
  }

  /// Makes a place valid, in a registry whose places are not valid from the beginning.
  func noteIssued(_ index: Int64, in id: String) throws {
    try change(id) { registry in (registry.issuesByDefault || !registry.isRevoked(index) ? [] : [index], []) }
  }

  // MARK: Revoking

  /// Revokes the credential at a place. A repeated revocation changes nothing. `publishPending` publishes it.
  ///
  /// The wallet may come from an export that is older than the credential: a place after the last one counts as given
  /// from then on. In a registry of another library such a place is not valid, as far as the wallet knows: it throws
  /// `malformedRevocation`, as for places outside of the registry.
  package func revoke(_ index: Int64, in id: String) throws {
    try change(id) { registry in
      // The engine accepts every number, and place 0 would break all credentials of the registry.
      guard (1...registry.size).contains(index), registry.issuesByDefault || index <= registry.lastIndex else {
        throw IssuingError.malformedRevocation("no credential was issued at the place \(index) of the registry")
      }
      return ([], registry.isRevoked(index) ? [] : [index])
    }
  }

  private func change(_ id: String, _ body: (OwnRegistry) throws -> (issued: [Int64], revoked: [Int64])) throws {
    try locked(id) {
      let registry = try registry(id)
      let (issued, revoked) = try body(registry)
      guard !issued.isEmpty || !revoked.isEmpty else { return }
      let next = try updated(registry, issued: Set(issued), revoked: Set(revoked))
      let former = try registry.pending
      let unpublished = former?.issued ?? []
      // Ledgers refuse to revoke a place that they do not know as issued.
      let pending = PendingStatus(
        previousAccumulator: former?.previousAccumulator ?? registry.accumulator, accumulator: next.accumulator,
        issued: unpublished.union(issued).subtracting(revoked),
        revoked: (former?.revoked ?? []).union(Set(revoked).subtracting(unpublished)))
      try wallet.make(
        registries.noting(next) + [registries.notingAccumulator(of: next)]
          + registries.noting(pending, insteadOf: former, of: id))
    }
  }

  /// The registry with these places changed. The engine computes the accumulator with the registry's key.
  func updated(_ registry: OwnRegistry, issued: Set<Int64>, revoked: Set<Int64>) throws -> OwnRegistry {
    guard !issued.isEmpty || !revoked.isEmpty else { return registry }
    let list = try engine.updateStatusList(
      registry.statusList().text, definition: definition(registry.definitionID).text, registry: registry.text,
      privateKey: registry.privateKey, issued: issued.sorted().map { Int32(truncatingIfNeeded: $0) },
      revoked: revoked.sorted().map { Int32(truncatingIfNeeded: $0) }, timestamp: now())
    return try registry.changed(to: JSON(parsing: list, limits: .numberLists), issued: issued, revoked: revoked)
  }

  // MARK: Publishing

  /// The status of a registry for the next publication.
  package struct Status: Sendable {
    package let list: JSON
    /// The accumulator that was published last; nil for the first status.
    package let previousAccumulator: String?
    package let issued: [Int64]
    package let revoked: [Int64]
  }

  private static let publications = LockTable<String>()

  /// Publishes all unpublished changes of a registry with one publication. Changes that are made meanwhile wait for the
  /// next publication.
  package func publishPending(of id: String, _ publish: (Status) throws -> Void) throws {
    try Self.publications.withLock(of: id) {
      guard let (pending, list) = try pendingStatus(of: id) else { return }
      try publish(
        Status(
          list: list, previousAccumulator: pending.previousAccumulator, issued: pending.issued.sorted(),
          revoked: pending.revoked.sorted()))
      try locked(id) {
        let now = try registry(id).pending
        try wallet.make(registries.noting(now.flatMap { $0.without(pending) }, insteadOf: now, of: id))
      }
    }
  }

  private func pendingStatus(of id: String) throws -> (PendingStatus, JSON)? {
    let registry = try registry(id)
    guard let pending = try registry.pending, !pending.isEmpty else { return nil }
    return (pending, registry.statusList())
  }

  /// Publishes the first status of a registry. If that was done before and the registry is still in its place, which
  /// `isThere` tells, the status list was lost, and with it perhaps revocations of another copy of the wallet: a first list
  /// would take them back. Then nothing is published, and the result is false.
  package func publishFirst(of id: String, isThere: Bool, _ publish: (Status) throws -> Void) throws -> Bool {
    guard try !isThere || !registries.isPublished(id) else { return false }
    try publish(firstStatus(of: id))
    try wallet.make([registries.notingPublished(id)])
    return true
  }

  /// The first status of a registry, with no place revoked.
  package func firstStatus(of id: String) throws -> Status {
    Status(list: try registry(id).statusList(), previousAccumulator: nil, issued: [], revoked: [])
  }
}

extension PendingStatus {
  /// Whether the changes cancel each other. The accumulator then equals the published one, but its text may differ: the
  /// next publication must name the published text.
  fileprivate var isEmpty: Bool { issued.isEmpty && revoked.isEmpty }

  /// The changes that remain after a publication; nil if none remain. A place that was revoked while its issuance was
  /// published must still be revoked in the registry.
  fileprivate func without(_ published: PendingStatus) -> PendingStatus? {
    guard accumulator != published.accumulator else { return nil }
    return PendingStatus(
      previousAccumulator: published.accumulator, accumulator: accumulator,
      issued: issued.subtracting(published.issued),
      revoked: revoked.subtracting(published.revoked).union(published.issued.subtracting(issued)))
  }
}
