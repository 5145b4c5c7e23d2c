internal import AnonCreds
internal import IndyVDR
internal import JSON
internal import MSDK
internal import ProgramArguments
internal import Time
internal import Wallet

/// The command `doctor`: checks one part after the other, and reports the state of each.
struct Doctor {
  private let arguments: Arguments
  private var isSound = true

  /// Agencies refuse tokens if the clocks differ by more seconds than this.
  private static let tolerance: Int64 = 60

  init(_ arguments: Arguments) { self.arguments = arguments }

  private enum Verdict: String { case good = "ok", note, fault }

  consuming func run() throws -> Program.Ending {
    try report(.good, "version", String(Help.version.dropFirst("msdk ".count).dropLast()))
    try checkLibraries()
    if let configuration = try checkConfiguration() { try checkSession(configuration) }
    return isSound ? .done : .foundFaults
  }

  /// `remedy` is the line to type.
  private mutating func report(_ verdict: Verdict, _ name: String, _ text: String, remedy: String? = nil) throws {
    if verdict == .fault { isSound = false }
    var json: JSON = ["check": .string(name), "result": .string(verdict.rawValue), "detail": .string(text)]
    json["remedy"] = remedy.map(JSON.string)
    try arguments.show(json, ["\(aligned(verdict.rawValue))  \(name): \(printable(text))"])
    if let remedy, !arguments.wantsJSON {
      try arguments.show(["       To install it:", "         \(printable(remedy))"], whole: true)
    }
  }

  private func aligned(_ word: String) -> String { word + String(repeating: " ", count: max(0, 5 - word.count)) }

  /// Checks the libraries that only credentials and ledgers need.
  private mutating func checkLibraries() throws {
    Engines.name()
    do {
      try report(.good, "AnonCreds engine", Engine.open().version)
    } catch AnonCredsError.unavailable(let reason) {
      try report(
        .note, "AnonCreds engine", "credentials need it, and it is not there: \(reason)",
        remedy: Engines.remedy(Engines.anonCreds))
    }
    do {
      _ = try LedgerLibrary.open()
      try report(.good, "Indy ledgers", "libindy_vdr.so is there")
    } catch LedgerError.unavailable(let reason) {
      try report(
        .note, "Indy ledgers", "their library is not there: \(reason)", remedy: Engines.remedy(Engines.indyVDR))
    }
  }

  private mutating func checkConfiguration() throws -> Configuration? {
    do {
      let configuration = try Configuration(arguments)
      if configuration.isReadableByOthers {
        try report(
          .fault, "configuration", "others can read \(configuration.path), which holds keys: `chmod 600` hides it")
      } else {
        try report(.good, "configuration", configuration.path)
      }
      return configuration
    } catch let error as Failure {
      try report(.fault, "configuration", error.text)
      return nil
    }
  }

  private mutating func checkSession(_ configuration: Configuration) throws {
    do {
      let settings = try Settings(parsing: configuration.text)
      for doubt in try configuration.doubts() { try report(.note, "configuration", doubt) }
      try Progress.showing("opening the wallet") { try Agent.standard.start(settings) }
      defer { Agent.standard.stop(deletingWallet: false) }
      let session = try Agent.standard.running()
      let records = try session.wallet.recordCounts().reduce(0) { $0 + $1.count }
      try report(.good, "wallet", "\(settings.wallet.location.file), \(records) records")
      try checkRegistries(session)
      try checkCloudAgent(session)
    } catch let error as Failure {
      throw error
    } catch {
      try report(.fault, "wallet", "\(error)")
    }
  }

  private mutating func checkRegistries(_ session: MSDK.Session) throws {
    guard !session.knowsPublicObjects else { return }
    try report(
      .note, "registries",
      "credentials need a place where their issuers publish, and the configuration names none: the member "
        + "\"anoncreds_registries\" or \"genesis_path\", or --registry of `msdk provision`")
  }

  private mutating func checkCloudAgent(_ session: MSDK.Session) throws {
    guard let settings = session.settings.cloudAgent else {
      return try report(.fault, "Cloud Agent", "the configuration names none")
    }
    let (endpoint, kind) = (settings.address, settings.kind)
    let time: Int64?
    do {
      time = try Progress.showing("asking the \(kind)") { try session.checkHealth() }
      try report(.good, kind, "\(endpoint) answers, \(settings.proof)")
    } catch {
      return try report(.fault, kind, "\(endpoint): \(error)")
    }
    if let address = settings.addressForPeers { try report(.good, "routing", "peers write to \(address)") }
    let isSecure = endpoint.lowercased().hasPrefix("https:")
    try report(
      isSecure ? .good : .note, "TLS", isSecure ? "the certificate is trusted" : "\(endpoint) is not encrypted")
    try checkClock(time, of: kind)
  }

  private mutating func checkClock(_ theirs: Int64?, of kind: String) throws {
    guard let theirs else {
      return try report(.note, "clock", "the \(kind) does not tell its time")
    }
    let difference = systemClock() - theirs
    let isClose = abs(difference) <= Self.tolerance
    try report(isClose ? .good : .fault, "clock", "\(abs(difference)) s from the \(kind)'s")
  }
}
