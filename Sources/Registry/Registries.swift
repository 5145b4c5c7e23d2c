internal import Indy
package import JSON
internal import Threading

/// A public object as a value, and as a text for the AnonCreds engine.
package struct PublicObject: Equatable, Sendable {
  package let json: JSON
  package let text: String

  init(_ json: JSON) {
    self.json = json
    text = json.text
  }
}

extension PublicObject {
  /// Whether a definition names its schema by the number in a ledger in place of the id.
  fileprivate var namesSchemaByNumber: Bool { json["schemaId"]?.string.flatMap { Int64($0) } != nil }
}

/// Keeps public objects that never change for later processes. The library fetches an object again if it could not be
/// kept.
package protocol RegistryCache: Sendable {
  func find(_ kind: ObjectKind, _ id: String) -> String?
  /// `time` is now, in seconds since 1970.
  func keep(_ text: String, _ kind: ObjectKind, _ id: String, at time: Int64)
}

/// All configured registries, and their answers.
///
/// Every answer is checked against the requested id. Schemas, definitions and revocation registries never change and
/// are kept for ever, in memory and in the cache. An object of a registry that is open to all is kept once it was of use:
/// until then it is remembered beside a limited number of others. A passing answer is remembered for five seconds, so that a proof with
/// many items waits only once for a registry that is down: a failure, and the object of a later registry while an earlier
/// one, which may have another object of this id, gives no valid answer.
package final class Registries: Sendable {
  private let configured: @Sendable () -> [any Registry]
  let publisher: @Sendable (_ id: String) -> (any Publisher)?
  let tailsServer: TailsServer?
  private let cache: any RegistryCache
  private let now: @Sendable () -> Int64
  private let memory = Locked(Memory())
  /// Each registry has its own threads, by its position among the configured registries. Callers block their own threads
  /// until one of these has an answer; a registry that does not answer must not hold the threads for other registries, or
  /// for other agents.
  private let threads = Locked<[Int: Threads]>([:])

  /// The seconds for which a passing answer is remembered.
  private static let passingLife: Int64 = 5
  /// The most bytes of the objects that were of no use yet.
  private static let mostUnproven = 16 << 20
  /// The most bytes of the passing answers.
  private static let mostPassing = 4 << 20
  /// The most bytes of an object from a registry that is open to all, if the cache shall keep it. A definition with 500
  /// attributes has less.
  private static let mostKept = 512 << 10

  private struct Memory: Sendable {
    var objects: [ObjectKey: PublicObject] = [:]
    /// The objects of registries that are open to all, which were of no use yet.
    var unproven = BoundedMemory<ObjectKey, PublicObject>(limit: Registries.mostUnproven)
    var passing = BoundedMemory<ObjectKey, PassingAnswer>(limit: Registries.mostPassing)
    var statusLists = StatusListMemory()
  }

  private struct PassingAnswer: Sendable {
    let answer: Answer
    let time: Int64

    /// The bytes of the answer's object.
    var weight: Int { (try? answer.get())?.text.utf8.count ?? 0 }
  }

  /// `now` returns the seconds since 1970. `configured` returns the registries, whose number may grow, and `publisher`
  /// the registry that takes this program's own objects of an id. Its tails files go to `tailsServer`, if there is one.
  package init(
    cache: any RegistryCache, now: @escaping @Sendable () -> Int64,
    publisher: @escaping @Sendable (_ id: String) -> (any Publisher)? = { _ in nil }, tailsServer: TailsServer? = nil,
    configured: @escaping @Sendable () -> [any Registry]
  ) {
    self.cache = cache
    self.now = now
    self.publisher = publisher
    self.tailsServer = tailsServer
    self.configured = configured
  }

  /// Whether there is any registry to ask.
  package var isConfigured: Bool { !configured().isEmpty }

  package func schema(_ id: String) throws(RegistryFailure) -> PublicObject {
    try object(ObjectKey(.schema, id)) { (registry) throws(RegistryError) in try registry.schema(id) }
  }

  package func definition(_ id: String) throws(RegistryFailure) -> PublicObject {
    try object(ObjectKey(.definition, id)) { (registry) throws(RegistryError) in try registry.definition(id) }
  }

  /// The credential definition with the id of its schema. Older libraries kept definitions of ledgers with the schema's
  /// number instead: such a copy is fetched again.
  package func definitionNamingSchema(_ id: String) throws(RegistryFailure) -> PublicObject {
    let known = try definition(id)
    guard known.namesSchemaByNumber else { return known }
    let key = ObjectKey(.definition, id)
    return try naming(key) { () throws(RegistryError) -> PublicObject in
      let fresh = try fetched(key) { (registry) throws(RegistryError) in try registry.definition(id) }
      guard !fresh.namesSchemaByNumber else { throw RegistryError.invalid("its schema is not known") }
      return fresh
    }
  }

  package func revocationRegistry(_ id: String) throws(RegistryFailure) -> PublicObject {
    try object(ObjectKey(.revocationRegistry, id)) { (registry) throws(RegistryError) in
      try registry.revocationRegistry(id)
    }
  }

  /// Whether a registry has a revocation registry now. Asks the registries, and not the memory.
  package func hasRevocationRegistry(_ id: String) -> Bool {
    let decision = firstAnswer(for: id) { (registry) throws(RegistryError) in
      PublicObject(try registry.revocationRegistry(id))
    }
    return (try? decision.answer.get()) != nil
  }

  /// The status list of a revocation registry that was in force at `time`, in seconds since 1970.
  package func statusList(of id: String, at time: Int64) throws(RegistryFailure) -> PublicObject {
    // The clock is read before the registry is asked: its answer holds for that moment, however long it takes.
    let now = now()
    if let known = memory.withLock({ $0.statusLists.list(of: id, at: time, now: now) }) { return known }
    let list = try statusList(of: id, at: time) { (registry) throws(RegistryError) in
      try registry.statusList(id, at: time)
    }
    memory.withLock { $0.statusLists.keep(list, of: id, at: time, now: now) }
    return list
  }

  /// The status list of a revocation registry that was published last, for its issuer. Always asks the registries, and
  /// accepts a list whose time is ahead: another copy of the issuer may have another clock.
  package func newestStatusList(of id: String) throws(RegistryFailure) -> PublicObject {
    try statusList(of: id, at: .max) { (registry) throws(RegistryError) in try registry.newestStatusList(id) }
  }

  private func statusList(
    of id: String, at time: Int64, _ fetch: @escaping Fetch
  ) throws(RegistryFailure) -> PublicObject {
    let size = try revocationRegistry(id).json["value"]?["maxCredNum"]?.integer ?? 0
    return try naming(ObjectKey(.revocationRegistry, id)) { () throws(RegistryError) in
      try firstAnswer(for: id, isFixed: false) { (registry) throws(RegistryError) in
        let list = try fetch(registry)
        try list.checkStatusList(of: id, at: time, size: size)
        return PublicObject(list)
      }.answer.get()
    }
  }
}

// MARK: - Objects that never change

private struct ObjectKey: Hashable, Sendable {
  let kind: ObjectKind
  private let exactID: ExactText

  var id: String { exactID.text }
  /// About the bytes of an entry in a memory, beside its value.
  var weight: Int { id.utf8.count + 256 }

  init(_ kind: ObjectKind, _ id: String) {
    self.kind = kind
    exactID = ExactText(id)
  }
}

extension Registries {
  private typealias Fetch = @Sendable (any Registry) throws(RegistryError) -> JSON

  private func object(_ key: ObjectKey, _ fetch: @escaping Fetch) throws(RegistryFailure) -> PublicObject {
    if let known = memory.withLock({ $0.objects[key] ?? $0.unproven[key] }) ?? cached(key) { return known }
    return try naming(key) { () throws(RegistryError) in
      if let passing = memory.withLock({ $0.passing[key] }), now() < passing.time + Self.passingLife {
        return try passing.answer.get()
      }
      return try fetched(key, fetch)
    }
  }

  /// Asks the registries for an object, and keeps their answer: for ever, or as a passing one.
  private func fetched(_ key: ObjectKey, _ fetch: @escaping Fetch) throws(RegistryError) -> PublicObject {
    let decision = firstAnswer(for: key.id) { (registry) throws(RegistryError) in
      let json = try fetch(registry)
      try json.check(key.kind, key.id)
      return PublicObject(json)
    }
    if decision.isFinal, case .success(let object) = decision.answer {
      if isOpenToAll(key.id) { note(object, key) } else { keep(object, key) }
    } else {
      let passing = PassingAnswer(answer: decision.answer, time: now())
      memory.withLock { $0.passing.keep(passing, for: key, weight: passing.weight + key.weight) }
    }
    return try decision.answer.get()
  }

  /// Whether anybody can choose the object with this id.
  package func isOpenToAll(_ id: String) -> Bool { configured().contains { $0.isOpenToAll && $0.supports(id) } }

  /// Remembers an object of which nobody knows yet whether it is of use.
  private func note(_ object: PublicObject, _ key: ObjectKey) {
    memory.withLock { memory in
      memory.unproven.keep(object, for: key, weight: object.text.utf8.count + key.weight)
      memory.passing.remove(key)
    }
  }

  /// Keeps an object for ever, because it was of use: a credential was stored, or a presentation was verified. Does nothing if
  /// the object is kept already, or is no longer remembered.
  package func keep(_ kind: ObjectKind, _ id: String) {
    let key = ObjectKey(kind, id)
    guard let object = memory.withLock({ $0.unproven[key] }), object.text.utf8.count <= Self.mostKept else { return }
    keep(object, key)
  }

  /// Keeps the time of the newest list that was seen of a revocation registry: its list has decided about a credential.
  package func keepListTime(of id: String) {
    for registry in configured() where registry.supports(id) { registry.keepListTime(of: id) }
  }

  /// Keeps an object that this program has published.
  func keep(published object: JSON, _ kind: ObjectKind, _ id: String) {
    keep(PublicObject(object), ObjectKey(kind, id))
  }

  /// Forgets the lists of a registry whose status this program has changed.
  func forgetStatus(of id: String) { memory.withLock { $0.statusLists.forget(id) } }

  /// The object in the cache; nil if it is missing or wrong.
  private func cached(_ key: ObjectKey) -> PublicObject? {
    guard let text = cache.find(key.kind, key.id), var json = try? JSON(parsing: text) else { return nil }
    if isInIndyForm(key.id) { json = json.fromIndy(key.kind, key.id) ?? json }
    guard (try? json.check(key.kind, key.id)) != nil else { return nil }
    let object = PublicObject(json)
    memory.withLock { $0.objects[key] = object }
    return object
  }

  private func keep(_ object: PublicObject, _ key: ObjectKey) {
    memory.withLock { memory in
      memory.objects[key] = object
      memory.unproven.remove(key)
      memory.passing.remove(key)
    }
    let text = isInIndyForm(key.id) ? object.json.toIndy(key.id).text : object.text
    cache.keep(text, key.kind, key.id, at: now())
  }

  /// Whether the cache keeps objects with this id in the form of older libraries.
  private func isInIndyForm(_ id: String) -> Bool { IndyID(id).map { $0.issuer.network == nil } ?? false }

  private func naming<Value>(
    _ key: ObjectKey, _ body: () throws(RegistryError) -> Value
  ) throws(RegistryFailure) -> Value {
    do { return try body() } catch { throw RegistryFailure(key.kind, key.id, error) }
  }
}

// MARK: - Asking

extension Registries {
  private func threads(of position: Int) -> Threads {
    threads.withLock { threads in
      let known = threads[position] ?? Threads(limit: 64)
      threads[position] = known
      return known
    }
  }

  /// Asks all registries that could have the object, all at once, and decides for the valid answer of the first registry
  /// that has one, in the order of the configuration: which of them is faster decides nothing. If the object is not fixed,
  /// a registry that cannot be asked keeps the later ones from deciding: they may have an older version.
  private func firstAnswer(
    for id: String, isFixed: Bool = true,
    _ ask: @escaping @Sendable (any Registry) throws(RegistryError) -> PublicObject
  ) -> Decision {
    let configured = configured()
    let asked = configured.enumerated().filter { $0.element.supports(id) }
    guard let only = asked.first?.element else {
      // A prover may have chosen the id. Another attempt helps only if a registry that is configured later can have the
      // object.
      return Decision(answer: .failure(configured.isEmpty || id.isObjectID ? .notConfigured : .notFound))
    }
    if asked.count == 1 { return Decision(answer: Answer { () throws(RegistryError) in try ask(only) }) }
    let answers = Monitor<[Answer?]>(Array(repeating: nil, count: asked.count))
    let deadline = Deadline.current
    for (place, (position, registry)) in asked.enumerated() {
      threads(of: position).post {
        let answer = Answer { () throws(RegistryError) in
          try Deadline.serving(deadline) { () throws(RegistryError) in try ask(registry) }
        }
        answers.withLock { $0[place] = answer }
      }
    }
    return answers.wait { Self.decision(among: $0, isFixed: isFixed) }
  }

  private typealias Answer = Result<PublicObject, RegistryError>

  private struct Decision {
    let answer: Answer
    /// Whether no registry before the one that decided may have another object: each has said that it lacks it.
    var isFinal = true
  }

  /// The decision for the first success before which no answer is missing. Without any, for the failure that another
  /// attempt may change, or else the one that tells most. Nil if answers are missing.
  private static func decision(among answers: [Answer?], isFixed: Bool) -> Decision? {
    var failures: [RegistryError] = []
    for answer in answers {
      switch answer {
      case nil: return nil
      case .success(let object)?:
        return Decision(answer: .success(object), isFinal: failures.allSatisfy { $0 == .notFound })
      case .failure(.unreachable(let reason))? where !isFixed: return Decision(answer: .failure(.unreachable(reason)))
      case .failure(let error)?: failures.append(error)
      }
    }
    let mayChange = failures.first { if case .unreachable = $0 { true } else { false } }
    return Decision(answer: .failure(mayChange ?? failures.first { $0 != .notFound } ?? .notFound))
  }
}

// MARK: - Two forms of one id

extension Registries {
  /// The id or DID in the form that this side uses: the form of ledgers if the id names the network of the only ledger.
  /// That ledger has each object under two ids, and a prover could choose between them.
  package func canonical(_ id: String) -> String {
    guard id.hasPrefix("did:indy:"), let network = (IndyID(id)?.issuer ?? IndyDID(id))?.network else { return id }
    let ledgers = configured().map(\.networks).filter { !$0.isEmpty }
    guard ledgers.count == 1, ledgers[0].contains(where: network.isExactly) else { return id }
    return id.onLedger
  }
}
