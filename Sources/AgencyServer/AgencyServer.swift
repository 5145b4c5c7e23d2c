internal import AgencyWire
package import DIDComm
internal import Files
package import HTTPServing
internal import JSON
package import Logging
internal import Threading
package import Time

/// An agency that listens: the whole of msdk-agency, for a process of its own or a test.
package final class AgencyServer: Sendable {
  /// The agency's own address: `http://ADDRESS:PORT`, without `/agency/msg`.
  package var endpoint: String { server.endpoint }

  /// The URL that clients are configured with.
  package var publicEndpoint: String { configuredEndpoint?.text ?? endpoint }

  /// The DID and verkey that clients are configured with.
  package let identity: Party

  private let rules: Agency.Rules
  private let configuredEndpoint: PublicEndpoint?
  private let server: HTTPServer
  private let notifier: Notifier
  private let sweeper: Ticker
  private let caretaker: Ticker
  private let storage: any Storage
  private let folderLock: Locked<DirectoryLock?>
  private let log: LogChannel
  private let isStopped = Locked(false)

  /// The milliseconds between two removals of old rows, and between two clean-ups of files and memory.
  private static let sweepPause = 600_000
  private static let tidyPause = 60_000

  /// Starts an agency with its accounts and keys in `dataFolder`, which is created if necessary. Port 0 takes a free
  /// one. Throws if another agency serves the accounts of this folder: each would count requests and call receivers as if
  /// it were alone.
  ///
  /// With `database`, a `postgresql://` URI, accounts and messages are there. Several agencies may then serve them,
  /// with copies of one master key.
  package init(
    dataFolder: String, database: String? = nil, address: String = "127.0.0.1", port: UInt16 = 0,
    rules: Agency.Rules = Agency.Rules(),
    limits: HTTPServer.Limits = HTTPServer.Limits(), clock: @escaping Clock = systemClock,
    log: LogChannel = LogChannel()
  ) throws(AgencyServerError) {
    let agency: Agency
    do {
      try Files.makeDirectory(dataFolder)
      folderLock = Locked(database == nil ? try Self.lock(dataFolder) : nil)
      let location = StorageLocation(database: database, dataFolder: dataFolder)
      let (storage, masterKey) = try MasterKeyFile(dataFolder: dataFolder).open(location, clock: clock)
      self.storage = storage
      let metrics = Metrics()
      let notifier = Notifier(storage: storage, rules: rules, clock: clock, metrics: metrics, log: log)
      self.notifier = notifier
      let backends = SponsorBackends(clock: clock)
      agency = try Agency(
        storage: storage, masterKey: masterKey, rules: rules, clock: clock, metrics: metrics,
        notificationsWait: { notifier.hurry() }, tokenSource: { backends.token(for: $0, of: $1) }, log: log)
      storage.watchArrivals { [waiters = agency.waiters] in waiters.hear(of: $0) }
      let desk = Routes(agency, log: log)
      server = try HTTPServer(
        address: address, port: port, limits: limits,
        isShared: { Routes.isShared($0, proxy: rules.trustedProxy) },
        isQuick: { Routes.isQuick(method: $0, path: $1) }, refuse: { desk.refuse($0) },
        handler: { desk.serve($0) })
    } catch {
      throw AgencyServerError(error)
    }
    identity = agency.party
    configuredEndpoint = rules.publicEndpoint
    self.rules = rules
    self.log = log
    sweeper = Ticker(every: Self.sweepPause) { [isStopped] in agency.sweep(log) { !isStopped.withLock { $0 } } }
    sweeper.hurry()  // an agency that restarts often sweeps too
    caretaker = Ticker(every: Self.tidyPause) {
      agency.storage.checkpoint()
      returnFreeMemory()
    }
    notifier.start()
    log.note("started", ["endpoint": server.endpoint, "did": identity.did])
  }

  /// Starts an agency with the settings of a file. They must name a data folder.
  package convenience init(
    _ settings: AgencySettings, log: LogChannel = LogChannel()
  ) throws(AgencyServerError) {
    guard let dataFolder = settings.dataFolder else { throw AgencyServerError(AgencySettingsError.missing("data")) }
    try self.init(
      dataFolder: dataFolder, database: settings.database, address: settings.address, port: settings.port,
      rules: settings.messageRules, limits: settings.roomyLimits, log: log)
    warn(of: settings)
  }

  deinit { stop() }

  /// Takes the condition for an account and the sponsors from newer settings. Other settings need a restart. If the
  /// settings cannot be read, nothing changes.
  package func reload(_ read: () throws -> AgencySettings) {
    do {
      let settings = try read()
      let admission = settings.rules.admission
      rules.reload(admission)
      warn(of: settings)
      log.note("reloaded", ["provisioning": admission.mode.rawValue])
    } catch {
      log.warn("reload failed", ["reason": "\(error)"])
    }
  }

  /// Answers the requests that have arrived, closes every connection, and returns when nothing runs any more.
  package func stop() {
    let isFirst = isStopped.withLock { isStopped in
      defer { isStopped = true }
      return !isStopped
    }
    guard isFirst else { return }
    log.note("stopping")
    server.stop()
    notifier.stop()
    sweeper.stop()
    caretaker.stop()
    storage.close()
    folderLock.withLock { $0 = nil }
    log.note("stopped")
  }

  private static func lock(_ folder: String) throws -> DirectoryLock {
    guard let lock = try DirectoryLock(folder) else { throw OccupiedFolder() }
    return lock
  }

  private func warn(of settings: AgencySettings) {
    for warning in settings.fileWarnings { log.warn("unsafe file", ["file": warning.path, "reason": warning.reason]) }
  }
}

/// Another agency serves the accounts in the folder.
private struct OccupiedFolder: Error, CustomStringConvertible {
  var description: String {
    "another agency serves this data folder: several agencies share a PostgreSQL database only"
  }
}

/// The reason why an agency does not start.
package struct AgencyServerError: Error, Equatable, Sendable, CustomStringConvertible {
  package let description: String

  init(_ error: any Error) { description = "\(error)" }
}
