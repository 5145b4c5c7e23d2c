internal import Aries
package import CloudAgent
internal import DIDComm
package import HTTP
internal import JSON
internal import Logging
package import Registry
internal import Sodium
internal import Threading
package import Wallet
internal import WebSocket
internal import WebVH
internal import Time

/// The running SDK: an open wallet, and the Cloud Agent of its owner.
///
/// A process has one session at a time, from `start` until `stop`. A running operation keeps its session; after `stop`
/// the wallet reports that it is closed.
package final class Session: Sendable {
  package let settings: Settings
  package let wallet: Wallet
  /// The settings that open the wallet. They change with the wallet's key.
  private let opening: Locked<WalletSettings>
  private let mailboxes: (any CloudAgent)?
  /// The Cloud Agent that the caller of `start` has given.
  private let given: (any CloudAgent)?
  /// The messages in the wallet.
  let inbox: Inbox
  /// The client for the Cloud Agent.
  private let http: HTTPClient
  /// The client for peers.
  private let peers: HTTPClient
  /// Resolves DIDs whose documents are on the web.
  let resolver: WebResolver
  /// Publishes the DIDs of did:webvh that this program controls. Nil if the configuration names no place for them.
  let controller: WebVHPublisher?
  /// Schemas, definitions and revocation registries of credentials.
  package let registries: Registries
  /// This wallet's revocation registries whose published lists the session has read.
  let learnedRegistries = Locked<Set<String>>([])
  /// The senders of the messages that the program has downloaded.
  let senderMemory = Locked(SenderMemory())
  /// The unread messages that this session has downloaded.
  let messageMemory = MessageMemory()

  /// The size limit of a response whose body is ignored.
  private static let maximumIgnoredAnswer = 64 << 10
  /// The size limit of a response that brings a message: an envelope with a credential that may contain pictures.
  static let maximumAnswer = 16 << 20

  private static let current = Locked<Session?>(nil)
  /// The profile outlives a session: a program may set it before it starts one.
  private static let ownProfile = Locked(Profile())
  private static let acceptance = Locked<AgreementAcceptance?>(nil)
  /// The wallet that provisioning or an import has made since the last stop.
  private static let prepared = Locked<WalletSettings?>(nil)

  private convenience init(_ settings: Settings, _ given: (any CloudAgent)?) throws(WalletFailure) {
    let wallet = try naming(settings.wallet.location.file) { () throws(WalletError) in
      if settings.makesWallet { try Wallet.makeUnlessPresent(settings.wallet) }
      return try Wallet.open(
        settings.wallet.location, key: settings.wallet.key, derivation: settings.wallet.derivation)
    }
    self.init(settings, wallet, given, opening: settings.wallet)
  }

  /// A session with an open wallet, and the settings that open it again.
  private init(_ settings: Settings, _ wallet: Wallet, _ given: (any CloudAgent)?, opening: WalletSettings) {
    self.settings = settings
    self.given = given
    let filing = MessageFiling(inbox: Inbox(in: wallet), book: MailboxBook(wallet: wallet))
    inbox = filing.inbox
    let http = HTTPClient(maximumBody: Self.maximumAnswer, authorities: settings.authorities)
    self.http = http
    mailboxes = given ?? settings.cloudAgent?.cloudAgent(keys: wallet, filing: filing, over: http)
    self.wallet = wallet
    let resolver = WebResolver(
      reach: settings.peerReach, authorities: settings.authorities, seen: SeenVersionRecords(wallet: wallet))
    self.resolver = resolver
    let places = settings.registries.registries(with: resolver)
    let publishers = settings.registries.publishers(keys: ControllerKeyRecords(wallet: wallet), with: resolver)
    controller = publishers.lazy.compactMap { $0 as? WebVHPublisher }.first
    registries = Registries(
      cache: PublicObjectRecords(wallet: wallet), now: systemClock,
      publisher: { id in publishers.first { $0.takes(id) } ?? Self.ledgerPublisher(with: wallet) },
      tailsServer: settings.registries.tailsServer,
      configured: { places + Ledgers.registries + [Self.resolver].compactMap(\.self) })
    self.opening = Locked(opening)
    peers = HTTPClient(
      maximumBody: Self.maximumAnswer, reach: settings.peerReach, authorities: settings.authorities)
  }

  /// Opens the wallet and makes this the running session. Sends no request. The ledgers of the settings become the
  /// ledgers of the process, unless `vcx_init_pool` has named some. A given Cloud Agent replaces the settings' Cloud
  /// Agent.
  package static func start(_ settings: Settings, at cloudAgent: (any CloudAgent)? = nil) throws {
    let ledgers = try settings.networks.ledgers(library: settings.ledgerLibrary)
    let session = try Session(settings, cloudAgent)
    let first = current.withLock { current in
      if let current { return current }
      current = session
      Ledgers.connect(ledgers)
      introduce(as: settings.profile)
      if let acceptance = settings.agreement { accept(acceptance) }
      return session
    }
    guard first === session else {
      session.wallet.close()
      throw WalletFailure(.alreadyOpen, at: first.settings.wallet.location.file)
    }
    let place = settings.cloudAgent.map { "at \(HTTPURL.origin(of: $0.address))" }
    Log.info("the session runs, \(place ?? "without a Cloud Agent")")
  }

  /// The file of certificates that the running session trusts, if it names one.
  package static var authorities: String? { current.withLock { $0?.settings.authorities } }

  /// Closes the wallet, and deletes it on request; forgets the profile, the accepted agreement and the ledgers. If no session
  /// runs, deletes the wallet that provisioning or an import has made since the last stop.
  ///
  /// The next session can start as soon as `forgetting`, which releases the objects of this session, has returned. The
  /// next session keeps its own objects, even while the wallet of this session is still being deleted.
  package static func stop(deletingWallet: Bool, forgetting: () -> Void = {}) {
    let (session, prepared) = current.withLock { current in
      ownProfile.withLock { $0 = Profile() }
      acceptance.withLock { $0 = nil }
      Ledgers.disconnect()
      forgetting()
      defer { current = nil }
      return (current, Self.prepared.withLock { $0.take() })
    }
    if let session {
      session.http.endWaiting()
      session.wallet.close()
      Log.info("the session has stopped")
    }
    if deletingWallet, let wallet = session?.opening.withLock({ $0 }) ?? prepared { delete(wallet) }
  }

  /// Notes a wallet that was made for a later session, so that `stop` can delete it before one has started.
  static func notePrepared(_ wallet: WalletSettings) { prepared.withLock { $0 = wallet } }

  /// Replaces this session by a session with another wallet. `open` gets this session's wallet and returns the other
  /// wallet; it may close the former, which is opened again if `open` throws. Starting and stopping wait until `open`
  /// returns. Throws `notRunning`, without calling `open`, if this is not the running session.
  func goOn(in wallet: WalletSettings, _ open: (Wallet) throws -> Wallet) throws {
    try Self.current.withLock { current in
      guard current === self else { throw SessionError.notRunning }
      do {
        current = Session(settings.with(wallet), try open(self.wallet), given, opening: wallet)
      } catch {
        if self.wallet.isClosed, let reopened = try? self.wallet.reopened() {
          current = Session(settings, reopened, given, opening: opening.withLock { $0 })
        }
        throw error
      }
    }
  }

  func deleteWallet() { Self.delete(opening.withLock { $0 }) }

  private static func delete(_ wallet: WalletSettings) {
    do {
      try Wallet.delete(wallet.location, key: wallet.key, derivation: wallet.derivation)
      Log.info("the wallet is deleted")
    } catch {
      Log.warning("the wallet could not be deleted: \(error)")
    }
  }

  /// Shows the user to peers under this name and picture from now on, until the session stops. Values that the profile
  /// omits stay as they were.
  package static func introduce(as profile: Profile) { ownProfile.withLock { $0 = $0.updated(with: profile) } }

  /// The user's name and picture for peers.
  package var profile: Profile { Self.ownProfile.withLock { $0 } }

  /// Writes to ledgers with this acceptance from now on, until the session stops.
  package static func accept(_ agreement: AgreementAcceptance) { acceptance.withLock { $0 = agreement } }

  /// The acceptance of the agreement that the network requires of authors; nil if the user has accepted no agreement.
  static var acceptedAgreement: AgreementAcceptance? { acceptance.withLock { $0 } }

  package static var isRunning: Bool { current.withLock { $0 != nil } }

  /// The running session.
  package static func running() throws(SessionError) -> Session {
    guard let session = current.withLock({ $0 }) else { throw .notRunning }
    return session
  }

  /// The addresses of peers that the running session may connect to; all addresses while no session runs.
  package static var peerReach: HTTPClient.Reach { current.withLock { $0?.settings.peerReach } ?? .anywhere }

  /// The wallet of the running session.
  package static func openWallet() throws(WalletError) -> Wallet {
    guard let session = current.withLock({ $0 }) else { throw .closed }
    return session.wallet
  }

  /// Replaces the key of the wallet, if it is the running session's wallet. Afterwards only the new key opens it.
  package static func rekey(_ wallet: Wallet, to key: String, derivation: KeyDerivation) throws(WalletError) {
    guard let session = current.withLock({ $0 }), session.wallet === wallet else { throw .closed }
    try session.opening.withLock { (opening) throws(WalletError) in
      try session.wallet.rekey(to: key, derivation: derivation)
      opening.replaceKey(with: key, derivation: derivation)
    }
  }

  var hasCloudAgent: Bool { mailboxes != nil }

  /// Returns the Cloud Agent. Throws if the configuration names none.
  func cloudAgent() throws(SettingsError) -> any CloudAgent {
    guard let mailboxes else { throw .missing("agency_endpoint") }
    return mailboxes
  }
}

// MARK: - Mailboxes

extension Session {
  /// Opens a mailbox for a pairwise key, or finds the existing one.
  func openMailbox(for key: VerKey) throws -> Mailbox {
    let cloudAgent = try cloudAgent()
    let mailbox = try cloudAgent.openMailbox(for: key)
    switch cloudAgent.access {
    case .kept: book.note(mailbox)
    case .collected: try book.add(mailbox)  // it tells where messages belong
    }
    return mailbox
  }

  /// Closes a mailbox. Closing a mailbox that does not exist succeeds.
  func closeMailbox(_ mailbox: Mailbox) throws {
    try cloudAgent().closeMailbox(mailbox)
    book.strike(mailbox)
    inbox.empty(mailbox)
    messageMemory.unread.withLock { $0.empty(mailbox.pairwiseDID.text) }
  }

  /// The messages of the mailboxes. Without `collecting`, those of a source are the ones that the inbox has already.
  func messages(collecting: Bool = true) throws(SettingsError) -> any MessageKeeper {
    let keeper: any MessageKeeper =
      switch try cloudAgent().access {
      case .kept(let keeper): keeper
      case .collected(let source):
        CollectedMessages(source: collecting ? source : nil, inbox: inbox, book: book)
      }
    return SharedMessages(keeper: keeper, memory: messageMemory)
  }

  /// The list of mailboxes in the wallet.
  var book: MailboxBook { MailboxBook(wallet: wallet) }
}

// MARK: - Messages

extension Session {
  /// Sends a message to a peer, from our key `sender`, or anonymously.
  func send(_ message: JSON, from sender: VerKey?, to service: Service) throws {
    let envelope = try service.pack(message.bytes, from: sender.map(keyPair), hint: hint(about: message))
    // The body, if any, is ignored: without a return route answers arrive in the mailbox.
    _ = try post(envelope, to: service.endpoint, maximumAnswer: Self.maximumIgnoredAnswer)
    Log.info("sent \(message.kind) from \(sender?.did.text ?? "nobody")")
  }

  /// A key pair of this wallet. Throws if the wallet does not have it.
  func keyPair(_ key: VerKey) throws -> KeyPair {
    guard let pair = try wallet.keyPair(for: key) else { throw CloudAgentError.missingKey(key) }
    return pair
  }

  /// Sends an envelope to a peer: posts it, or sends it over a WebSocket of its own. Returns the body of the response, which a
  /// WebSocket does not have.
  func post(
    _ envelope: [UInt8], to endpoint: String, maximumAnswer: Int = Session.maximumAnswer
  ) throws(DeliveryError) -> [UInt8] {
    guard !Service.isWebSocket(endpoint) else {
      do { try WebSocketConnection.deliver(envelope, to: endpoint, over: peers) } catch { throw DeliveryError(error) }
      return []
    }
    let response: HTTPClient.Response
    do {
      response = try peers.post(
        envelope, to: endpoint, contentType: "application/didcomm-envelope-enc", maximumBody: maximumAnswer)
    } catch {
      throw .unreachable(error)
    }
    guard response.isSuccess else { throw .refused(status: response.status) }
    return response.body
  }

  private func hint(about message: JSON) -> MessageHint {
    settings.tellsPushDetails ? MessageHint(type: message["@type"]?.string, sender: profile.name) : MessageHint()
  }

  /// Opens a message of a mailbox. Returns nil if it is not an envelope for the mailbox's own key. Throws if the wallet
  /// gives no keys.
  func open(_ message: StoredMessage, of pairwiseDID: String) throws -> Opened? {
    if let opened = messageMemory.unread.withLock({ $0.opened(message, of: pairwiseDID) }) { return opened }
    guard let envelope = message.envelope.flatMap({ try? Envelope($0) }) else { return nil }
    do {
      let opened = try envelope.open(with: wallet)
      guard opened.recipient.did.text == pairwiseDID else { return nil }
      messageMemory.unread.withLock { $0.note(opened, from: message, of: pairwiseDID) }
      return opened
    } catch is EnvelopeError {
      return nil
    }
  }
}

/// The reasons why there is no usable session, or why it lacks a service.
package enum SessionError: Error, Equatable, Sendable {
  case notRunning, alreadyRunning
  /// The configuration names no source of public objects.
  case noRegistry
  /// No ledger is named.
  case noLedger
  /// The ledger gave no answer, for the given reason.
  case ledgerUnreachable(String)
}

extension SessionError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notRunning: "the library is not initialised"
    case .alreadyRunning: "the library is initialised already"
    case .noRegistry: "neither a ledger nor a registry is configured"
    case .noLedger: "no ledger is configured"
    case .ledgerUnreachable(let reason): reason
    }
  }
}

/// The reasons why a message did not reach a peer.
package enum DeliveryError: Error, Equatable, Sendable {
  case unreachable(HTTPError)
  case refused(status: Int)
}

extension DeliveryError {
  init(_ error: WebSocketError) {
    self =
      switch error {
      case .invalidURL: .unreachable(.invalidURL)
      case .connection(let error): .unreachable(error)
      case .refused(let status): .refused(status: status)
      case .notWebSocket, .closed, .violated, .silent, .cancelled: .unreachable(.unreachable("\(error)"))
      }
  }
}

extension DeliveryError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unreachable(let error): "the peer was not reached: \(error)"
    case .refused(let status): "the peer refused the message: HTTP \(status)"
    }
  }
}
