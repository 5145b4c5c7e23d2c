internal import AgencyWire
package import DIDComm
internal import JSON
package import Logging
internal import Sodium
internal import Threading
package import Time

/// The agency itself: opens envelopes and serves the requests in them. It knows nothing of HTTP.
package struct Agency: Sendable {
  let storage: any Storage
  let masterKey: MasterKey
  let clock: Clock
  let rules: Rules
  private let keyPair: KeyPair
  package let party: Party
  /// The texts that address the agency itself.
  private let names: [String]

  let metrics: Metrics
  private let provisionings: RateLimiter
  let guesses: GuessLimiter

  /// Called when there are notifications to send.
  let notificationsWait: @Sendable () -> Void

  let tokenSource: TokenSource

  let log: LogChannel

  /// The clients that wait for messages.
  let waiters: Waiters

  /// The limits of accounts.
  package struct Rules: Sendable {
    /// The condition for an account, and the sponsors. Copies of these rules share it, so that `reload` changes all.
    package var admission: Admission {
      get { shared.withLock { $0 } }
      set { shared = Locked(newValue) }
    }
    private var shared = Locked(Admission())

    /// Replaces the condition and the sponsors in all copies of these rules, while the agency runs.
    package func reload(_ admission: Admission) { shared.withLock { $0 = admission } }

    package var quota = Quota()
    package var mailboxesPerAgent = 500
    package var comMethodsPerAgent = 16
    package var configsPerAgent = 32

    package var retention = Retention()

    /// The limit for the requests of one address.
    package var rate = Rate(100, burst: 1000)

    /// The limit for one address's attempts to create an account, per minute.
    package var provisioningsPerMinute = 10

    /// Whether the agency shows its counters to anybody.
    package var showsMetrics = false

    /// The URL for clients; nil if it is the address that the agency listens on.
    package var publicEndpoint: PublicEndpoint?

    /// The address of the trusted reverse proxy, whose `X-Forwarded-For` counts.
    package var trustedProxy: String?

    /// Whether the agency calls webhooks of users at private addresses.
    package var callsPrivateWebhooks = false

    /// The agency's own account for push messages; nil if it sends none itself.
    package var push: Firebase?

    /// The size limit of a message for a mailbox, packed.
    package var messageBytes = Int.max

    /// The size limit of a backup: an exported wallet.
    package var backupBytes = 5_000_000

    /// The limits of waiting clients.
    package var waiting = Waiters.Limits()

    /// The size limit of the messages in one answer, before it is packed.
    package var answerBytes = 1_000_000

    package init() {}
  }

  /// The agency of the store; a new one if the store is empty. Fails if the store's keys were sealed under another
  /// master key.
  package init(
    storage: any Storage, masterKey: MasterKey, rules: Rules = Rules(), clock: @escaping Clock = systemClock,
    metrics: Metrics = Metrics(), notificationsWait: @escaping @Sendable () -> Void = {},
    tokenSource: @escaping TokenSource = { _, _ in nil }, log: LogChannel = LogChannel()
  ) throws(StorageError) {
    let identity = try storage.identity(orElse: masterKey.newIdentity())
    guard let pair = try? masterKey.open(identity.sealedKey, of: identity.verkey) else {
      throw .incompatible("its keys are under another master key")
    }
    self.storage = storage
    self.masterKey = masterKey
    self.rules = rules
    self.clock = clock
    self.metrics = metrics
    let perMinute = rules.provisioningsPerMinute
    provisionings = RateLimiter(Rate(perMinute, per: 60, burst: perMinute), clock: clock)
    guesses = GuessLimiter(clock: clock)
    self.notificationsWait = notificationsWait
    self.tokenSource = tokenSource
    self.log = log
    waiters = Waiters(rules.waiting)
    keyPair = pair
    party = Party(did: pair.verkey.did.text, verkey: pair.verkey)
    names = [pair.verkey.did.text, pair.verkey.text]
  }

  /// Serves the body of a request.
  package func receive(_ body: [UInt8], on visit: Visit = Visit()) throws(RequestError) -> Reply {
    let opened: Opened
    do throws(EnvelopeError) {
      opened = try Envelope(parsing: body).open(with: keyPair)
    } catch {
      throw .malformed(error == .noRecipient ? "the envelope is not for this agency" : error.description)
    }
    guard let hop = try Layer(opened).hop() else { throw .malformed("the outer layer is no forward") }
    if names.contains(hop.address.text) { return Reply(try serveAgency(hop.envelope, visit.visitor)) }
    return try route(hop, carrier: nil, visit, depth: 2)
  }

  /// The highest number of layers around a message.
  private static let maximumDepth = 4

  /// `carrier` is the account whose owner sent the layer around this one; nil for the outer layer.
  private func route(
    _ hop: Hop, carrier: Account?, _ visit: Visit, depth: Int
  ) throws(RequestError) -> Reply {
    guard depth <= Self.maximumDepth else { throw .malformed("too many layers") }
    if let carrier, names.contains(hop.address.text) {
      return Reply(try serveAgency(hop.envelope, for: carrier, visit.visitor))
    }
    switch try stored({ () throws(StorageError) in try storage.destination(of: hop.address) }) {
    case .agent(let agent):
      guard !agent.isLocked else { throw .notFound(reason: "a locked account") }
      return try serve(agent, hop.envelope, carrier: carrier, visit, depth: depth)
    case .mailbox(let mailbox):
      guard !mailbox.isLocked else { throw .notFound(reason: "a mailbox of a locked account") }
      if let carrier, carrier.id != mailbox.agentID { throw .notFound(reason: "a mailbox behind a foreign agent") }
      return try serve(mailbox, hop, carrier: carrier, visit)
    case nil: throw .notFound(reason: "unknown address")
    }
  }

  private func serveAgency(_ carried: CarriedEnvelope, _ visitor: Visitor) throws(RequestError) -> [UInt8] {
    let opened = try open(envelope(carried), with: keyPair)
    guard opened.sender != nil else { throw .notFound(reason: "an anonymous request") }
    let layer = try Layer(opened)
    // All requests to the agency itself are about new accounts.
    guard provisionings.admits(visitor) else { throw .tooOften("provisionings", seconds: provisionings.pause) }
    let answer =
      switch layer.name {
      case Connect.name: try connect(layer)
      case CreateSponsoredAgent.name: try createSponsoredAgent(layer)
      case GetToken.name: try sendToken(layer)
      default: throw RequestError.unsupported(type: layer.name)
      }
    return try pack(answer.message, answering: layer, from: keyPair, to: answer.reader)
  }

  /// Serves a request to the agency itself that came through the sender's own account.
  private func serveAgency(_ carried: CarriedEnvelope, for asker: Account, _ visitor: Visitor) throws(RequestError)
    -> [UInt8]
  {
    let opened = try open(envelope(carried), with: keyPair)
    guard opened.sender == asker.owner else { throw .notFound(reason: "not from the agent's owner") }
    let layer = try Layer(opened)
    guard layer.name == RetrieveDeadDrop.name else { throw .unsupported(type: layer.name) }
    let answer = try retrieve(layer.read(), for: asker, from: visitor)
    return try pack(answer, answering: layer, from: keyPair, to: asker.owner)
  }

  private func serve(
    _ agent: Account, _ carried: CarriedEnvelope, carrier: Account?, _ visit: Visit, depth: Int
  ) throws(RequestError) -> Reply {
    let identity = Identity(verkey: agent.party.verkey, sealedKey: agent.sealedKey)
    let pair = try keyPair(identity)
    let envelope = try envelope(carried)
    let opened = try open(envelope, with: pair)
    guard opened.sender == agent.owner, carrier == nil || carrier?.id == agent.id else {
      return Reply(try serveStranger(opened, at: agent, pair, carrier: carrier, visit))
    }
    noteVisit(of: agent)
    let layer = try Layer(opened)
    if let hop = try layer.hop() {
      guard agent.state == .created else { throw .notProvisioned }
      return try route(hop, carrier: agent, visit, depth: depth + 1)
    }
    let answer = try answer(layer, agent: agent, envelope: envelope, visit)
    return try pack(answer, answering: layer, from: identity, to: agent.owner)
  }

  /// Serves the request of a sender who is not the account's owner: the owner of another account, who restores a wallet.
  private func serveStranger(
    _ opened: Opened, at agent: Account, _ pair: KeyPair, carrier: Account?, _ visit: Visit
  ) throws(RequestError) -> [UInt8] {
    guard let carrier, let sender = opened.sender, let layer = try? Layer(opened), layer.name == RestoreBackup.name
    else { throw .notFound(reason: "not from the agent's owner") }
    let answer = try restore(from: agent, with: sender, for: carrier, on: visit)
    return try pack(answer, answering: layer, from: pair, to: sender)
  }

  /// The seconds between two noted visits: a note is a write.
  private static let visitPause: Int64 = 3600

  /// Ignores a failure to note a visit: on a full disk, clients can still fetch messages.
  private func noteVisit(of agent: Account) {
    guard clock() - agent.lastSeen >= Self.visitPause else { return }
    do {
      try storage.noteVisit(of: agent)
    } catch {
      log.warn("visit not noted", ["reason": error.description])
    }
  }

  /// Serves a mailbox: its owner manages it, or an outside agent delivers a message.
  private func serve(
    _ mailbox: Mailbox, _ outer: Hop, carrier: Account?, _ visit: Visit
  ) throws(RequestError) -> Reply {
    let envelope = try? outer.envelope.get()
    guard let envelope, envelope.recipientKeys.contains(mailbox.party.verkey.text) else {
      // The sender's routing keys are only the agency's, or only the user's own.
      guard carrier == nil else { throw .notFound(reason: "not for the mailbox") }
      return Reply(try deliver(outer, to: mailbox))
    }
    let identity = Identity(verkey: mailbox.party.verkey, sealedKey: mailbox.sealedKey)
    let pair = try keyPair(identity)
    let opened = try open(envelope, with: pair)
    let isOwner = opened.sender == mailbox.forVerKey
    guard let layer = try? Layer(opened), isOwner || layer.isForward else {
      throw .notFound(reason: "not from the mailbox's owner")
    }
    if let hop = try layer.hop() {
      guard [mailbox.forDID.text, mailbox.forVerKey.text].contains(hop.address.text) else {
        throw .invalid("the inner forward is for somebody else")
      }
      return Reply(try deliver(hop, to: mailbox))
    }
    // Some clients fetch messages without a layer of the account. Only the account's owner can open the answer, so the
    // mailbox's key alone reads nothing. It must not change anything either.
    guard carrier != nil || layer.name == GetMessages.name else {
      throw .notFound(reason: "not through the mailbox's account")
    }
    var visit = visit
    visit.mayWait = carrier != nil
    return try pack(answer(layer, mailbox: mailbox, visit), answering: layer, from: identity, to: mailbox.owner)
  }
}

// MARK: - Envelopes and keys

extension Agency {
  /// An envelope inside another one, of the version that the agency can open.
  private func envelope(_ carried: CarriedEnvelope) throws(RequestError) -> Envelope {
    do { return try carried.get() } catch { throw .notFound(reason: error.description) }
  }

  private func open(_ envelope: Envelope, with pair: KeyPair) throws(RequestError) -> Opened {
    do { return try envelope.open(with: pair) } catch { throw .notFound(reason: error.description) }
  }

  private func pack(
    _ message: any AgencyMessage, answering layer: Layer, from sender: KeyPair, to reader: VerKey
  ) throws(RequestError) -> [UInt8] {
    log.note("served", ["request": layer.name])  // a served request has a name that the agency knows
    return try pack(message, answering: layer.type, from: sender, to: reader)
  }

  /// Packs an answer, and the better one that the client may wait for. The wait holds no open key.
  private func pack(
    _ answer: Answer, answering layer: Layer, from sender: Identity, to reader: VerKey
  ) throws(RequestError) -> Reply {
    let body = try pack(answer.message, answering: layer, from: keyPair(sender), to: reader)
    guard let wait = answer.wait else { return Reply(body) }
    let type = layer.type
    let packed = Reply.Wait(place: wait.place, seconds: wait.seconds) { () throws(RequestError) in
      guard let message = try wait.renewed() else { return nil }
      return try pack(message, answering: type, from: keyPair(sender), to: reader)
    }
    return Reply(body, wait: packed)
  }

  private func pack(
    _ message: any AgencyMessage, answering type: String, from sender: KeyPair, to reader: VerKey
  ) throws(RequestError) -> [UInt8] {
    let type = WireType.of(Swift.type(of: message).name, answering: type)
    do {
      return try Envelope.pack(message.text(type: type), for: [reader], from: sender)
    } catch {
      throw .invalid(error.description)
    }
  }

  private func keyPair(_ identity: Identity) throws(RequestError) -> KeyPair {
    guard let pair = try? masterKey.open(identity.sealedKey, of: identity.verkey) else {
      throw .unavailable("a stored key does not open under the master key")
    }
    return pair
  }

  /// Runs a call of the store.
  func stored<Result>(_ body: () throws(StorageError) -> Result) throws(RequestError) -> Result {
    do { return try body() } catch { throw RequestError(error) }
  }
}

extension MasterKey {
  func newIdentity() -> Identity {
    let pair = KeyPair()
    return Identity(verkey: pair.verkey, sealedKey: seal(pair))
  }

  package func newKey() -> NewKey {
    let pair = KeyPair()
    return NewKey(verkey: pair.verkey, sealedKey: seal(pair))
  }
}
