internal import Aries
internal import CloudAgent
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

/// A running agent: an open wallet, and the Cloud Agent of its owner.
///
/// An agent has one session at a time, from `start` until `stop`. A running operation keeps its session; after `stop`
/// the wallet reports that it is closed.
package final class Session: Sendable {
  /// The agent that runs.
  package let agent: Agent
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
  let learnedRegistries = Locked<Set<ExactText>>([])
  /// The senders of the messages that the program has downloaded.
  let senderMemory = Locked(SenderMemory())
  /// The unread messages that this session has downloaded.
  let messageMemory = MessageMemory()
  /// The time that is left for reports to strangers.
  let reportPatience = Locked(ReportPatience())

  /// The size limit of a response whose body is ignored.
  private static let maximumIgnoredAnswer = 64 << 10
  /// The size limit of a response that brings a message: an envelope with a credential that may contain pictures.
  static let maximumAnswer = 16 << 20

  convenience init(
    _ settings: Settings, at given: (any CloudAgent)?, of agent: Agent
  ) throws(WalletFailure) {
    let wallet = try naming(settings.wallet.location.file) { () throws(WalletError) in
      if settings.makesWallet { try Wallet.makeUnlessPresent(settings.wallet) }
      return try Wallet.open(
        settings.wallet.location, key: settings.wallet.key, derivation: settings.wallet.derivation)
    }
    self.init(settings, wallet, given, opening: settings.wallet, of: agent)
  }

  /// A session with an open wallet, and the settings that open it again.
  private init(
    _ settings: Settings, _ wallet: Wallet, _ given: (any CloudAgent)?, opening: WalletSettings, of agent: Agent
  ) {
    self.agent = agent
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
      publisher: { id in publishers.first { $0.takes(id) } ?? Self.ledgerPublisher(with: wallet, for: agent) },
      tailsServer: settings.registries.tailsServer,
      configured: { [ledgers = agent.ledgers, resolver = agent.resolver] in
        places + ledgers.registries + [resolver.registry].compactMap(\.self)
      })
    self.opening = Locked(opening)
    peers = HTTPClient(
      maximumBody: Self.maximumAnswer, reach: settings.peerReach, authorities: settings.authorities)
  }

  /// Ends the waiting for the Cloud Agent, and closes the wallet.
  func end() {
    http.endWaiting()
    wallet.close()
    Log.info("the session has stopped")
  }

  /// The settings that open the wallet now.
  var walletSettings: WalletSettings { opening.withLock { $0 } }

  /// Replaces this session by a session with another wallet. `open` gets this session's wallet and returns the other
  /// wallet; it may close the former, which is opened again if `open` throws. Starting and stopping wait until `open`
  /// returns. Throws `notRunning`, without calling `open`, if this is not the running session.
  func goOn(in wallet: WalletSettings, _ open: (Wallet) throws -> Wallet) throws {
    try agent.replace(self) { replacement in
      do {
        replacement = Session(settings.with(wallet), try open(self.wallet), given, opening: wallet, of: agent)
      } catch {
        if self.wallet.isClosed, let reopened = try? self.wallet.reopened() {
          replacement = Session(settings, reopened, given, opening: walletSettings, of: agent)
        }
        throw error
      }
    }
  }

  /// The user's name and picture for peers.
  package var profile: Profile { agent.profile }

  /// Replaces the key of the wallet. Afterwards only the new key opens it.
  func rekey(to key: String, derivation: KeyDerivation) throws(WalletError) {
    try opening.withLock { (opening) throws(WalletError) in
      try wallet.rekey(to: key, derivation: derivation)
      opening.replaceKey(with: key, derivation: derivation)
    }
  }

  var hasCloudAgent: Bool { mailboxes != nil }

  /// Returns the Cloud Agent. Throws if the configuration names none.
  func cloudAgent() throws(SettingsError) -> any CloudAgent {
    guard let mailboxes else { throw .noCloudAgent }
    return mailboxes
  }
}

// MARK: - Mailboxes

extension Session {
  /// Opens a mailbox for a pairwise key, or finds the existing one.
  func openMailbox(for key: VerKey) throws -> Mailbox {
    let cloudAgent = try cloudAgent()
    guard let source = cloudAgent.access.source else {
      let mailbox = try cloudAgent.openMailbox(for: key)
      book.note(mailbox)
      return mailbox
    }
    // The note tells where messages belong. They may arrive as soon as the Cloud Agent knows the key.
    let mailbox = source.mailbox(for: key)
    let isNew = try book.add(mailbox)
    do { return try cloudAgent.openMailbox(for: key) } catch {
      if isNew { book.strike(mailbox) }
      throw error
    }
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
  /// The agent has been closed.
  case closed
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
    case .closed: "the agent is closed"
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

extension DeliveryError {
  /// Whether the peer may have the message: an answer may be lost, and a server may keep a message that it refuses.
  package var mayHaveArrived: Bool {
    switch self {
    case .unreachable(.invalidURL), .unreachable(.notPublic), .unreachable(.notConnected): false
    case .unreachable(.unreachable), .unreachable(.responseTooLarge), .refused: true
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
