package import CloudAgent
package import HTTP
internal import Logging
package import Registry
internal import Synchronization
internal import Threading
package import Wallet

/// An agent of this process: its session while it runs, and the settings that a program makes beside a session.
///
/// Agents share neither a wallet nor a Cloud Agent nor the threads of their calls. Only the callbacks of writes that share a
/// commit run on threads of the process.
package final class Agent: Sendable {
  /// The agent that `vcx_init_with_config` starts and `vcx_shutdown` stops, as often as the program likes.
  package static let standard = Agent(number: 0, threads: .ofProcess)

  /// The handle of the agent; 0 for the standard agent.
  package let number: UInt32
  package let threads: AgentThreads
  /// The Indy networks from which the agent reads, and on which it publishes.
  let ledgers = Ledgers()
  /// The program's answers for ids that no other registry of the agent knows.
  package let resolver = ProgramResolver()

  private let current = Locked<Session?>(nil)
  /// The profile outlives a session: a program may set it before it starts one.
  private let ownProfile = Locked(Profile())
  private let acceptance = Locked<AgreementAcceptance?>(nil)
  /// The wallet that provisioning or an import has made since the last stop.
  private let prepared = Locked<WalletSettings?>(nil)
  private let closing = Atomic(false)

  /// An agent beside the standard one.
  package convenience init(number: UInt32) { self.init(number: number, threads: .made()) }

  private init(number: UInt32, threads: AgentThreads) {
    self.number = number
    self.threads = threads
  }

  /// Opens the wallet and begins a session. Sends no request. The ledgers of the settings become the ledgers of the
  /// agent, unless `vcx_init_pool` has named some. A given Cloud Agent replaces the settings' Cloud Agent.
  package func start(_ settings: Settings, at cloudAgent: (any CloudAgent)? = nil) throws {
    let ledgers = try settings.networks.ledgers(library: settings.ledgerLibrary)
    let session = try Session(settings, at: cloudAgent, of: self)
    let first = current.withLock { current in
      if let current { return current }
      current = session
      self.ledgers.connect(ledgers)
      introduce(as: settings.profile)
      if let acceptance = settings.agreement { accept(acceptance) }
      return session
    }
    guard first === session else {
      session.wallet.close()
      throw WalletFailure(.alreadyOpen, at: first.settings.wallet.location.file)
    }
    if self !== Self.standard { Self.standard.forgetPrepared(settings.wallet) }
    if let seconds = settings.finishedObjectSeconds {
      threads.local.post { session.keptObjects.removeFinished(olderThan: seconds) }
    }
    let place = settings.cloudAgent.map { "at \(HTTPURL.origin(of: $0.address))" }
    Log.info("the session runs, \(place ?? "without a Cloud Agent")")
  }

  /// Closes the wallet, and deletes it on request; forgets the profile, the accepted agreement, the ledgers and the
  /// resolver. If no session runs, deletes the wallet that provisioning or an import has made since the last stop.
  ///
  /// The next session can start as soon as `forgetting`, which releases the objects of this session, has returned. The
  /// next session keeps its own objects, even while the wallet of this session is still being deleted.
  package func stop(deletingWallet: Bool, forgetting: () -> Void = {}) {
    let (session, prepared) = current.withLock { current in
      ownProfile.withLock { $0 = Profile() }
      acceptance.withLock { $0 = nil }
      ledgers.disconnect()
      resolver.remove()
      forgetting()
      defer { current = nil }
      return (current, self.prepared.withLock { $0.take() })
    }
    session?.end()
    if deletingWallet, let wallet = session?.walletSettings ?? prepared { wallet.deleteWallet() }
  }

  /// Ends the agent for good: its session, as `stop` does. It never has objects again.
  package func close(forgetting: () -> Void) {
    closing.store(true, ordering: .sequentiallyConsistent)
    stop(deletingWallet: false, forgetting: forgetting)
  }

  /// Whether `close` has begun.
  package var isClosed: Bool { closing.load(ordering: .sequentiallyConsistent) }

  /// Replaces the running session, unless `replace` throws before it has made another. Starting and stopping wait.
  func replace(_ session: Session, with replace: (inout Session?) throws -> Void) throws {
    try current.withLock { current in
      guard current === session else { throw notRunning }
      try replace(&current)
    }
  }
}

// MARK: - The session

extension Agent {
  package var isRunning: Bool { current.withLock { $0 != nil } }

  /// The running session.
  package func running() throws(SessionError) -> Session {
    guard let session = current.withLock({ $0 }) else { throw notRunning }
    return session
  }

  private var notRunning: SessionError { isClosed ? .closed : .notRunning }

  /// The wallet of the running session.
  package func openWallet() throws(WalletError) -> Wallet {
    guard let session = current.withLock({ $0 }) else { throw .closed }
    return session.wallet
  }

  /// Replaces the key of the wallet, if it is the running session's wallet. Afterwards only the new key opens it.
  package func rekey(_ wallet: Wallet, to key: String, derivation: KeyDerivation) throws(WalletError) {
    guard let session = current.withLock({ $0 }), session.wallet === wallet else { throw .closed }
    try session.rekey(to: key, derivation: derivation)
  }

  /// The addresses of peers that the running session may connect to; all addresses while no session runs.
  package var peerReach: HTTPClient.Reach { current.withLock { $0?.settings.peerReach } ?? .anywhere }

  /// The file of certificates that the running session trusts, if it names one.
  package var authorities: String? { current.withLock { $0?.settings.authorities } }
}

// MARK: - The settings beside a session

extension Agent {
  /// Shows the user to peers under this name and picture from now on, until the session stops. Values that the profile
  /// omits stay as they were.
  package func introduce(as profile: Profile) { ownProfile.withLock { $0 = $0.updated(with: profile) } }

  /// The user's name and picture for peers.
  package var profile: Profile { ownProfile.withLock { $0 } }

  /// Writes to ledgers with this acceptance from now on, until the session stops.
  package func accept(_ agreement: AgreementAcceptance) { acceptance.withLock { $0 = agreement } }

  /// The acceptance of the agreement that the network requires of authors; nil if the user has accepted no agreement.
  var acceptedAgreement: AgreementAcceptance? { acceptance.withLock { $0 } }

  /// Provisions, as `Provisioning` does. `stop` can delete the wallet before a session has started.
  package func provision(_ config: String, with token: SponsorToken? = nil) throws -> String {
    let provisioning = try Provisioning(parsing: config)
    let result = try provisioning.run(with: token)
    prepared.withLock { $0 = provisioning.wallet }
    return result
  }

  /// Creates a wallet from an exported file, as `WalletImport` does. `stop` can delete it before a session has started.
  package func importWallet(_ config: String) throws {
    let source = try WalletImport(parsing: config)
    try source.run()
    prepared.withLock { $0 = source.wallet }
  }

  /// Forgets the note of a wallet that another agent has opened, which must not lose it.
  private func forgetPrepared(_ wallet: WalletSettings) {
    prepared.withLock { if $0?.location.file == wallet.location.file { $0 = nil } }
  }
}

extension WalletSettings {
  func deleteWallet() {
    do {
      try Wallet.delete(location, key: key, derivation: derivation)
      Log.info("the wallet is deleted")
    } catch {
      Log.warning("the wallet could not be deleted: \(error)")
    }
  }
}
