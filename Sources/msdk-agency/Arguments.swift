internal import AgencyServer
internal import CRevision
internal import Files
internal import JSON

/// The command line.
struct Arguments {
  /// The task of the program.
  enum Task {
    case serve, help, version
    case listAccounts(AccountTable.Form)
    case backUp(to: String)
    case restore(from: String)
  }

  private(set) var task = Task.serve
  private(set) var settings = Settings()

  static let usage = """
    usage: msdk-agency --data DIR [--port N] [--address IP] [--provisioning MODE]
           msdk-agency --config FILE [any of the above]
           msdk-agency accounts [--json] (--data DIR | --database URI | --config FILE)
           msdk-agency backup FILE (--data DIR | --config FILE)
           msdk-agency restore FILE (--data DIR | --config FILE)
           msdk-agency --help | --version

    Runs an agency: Cloud Agents with their mailboxes.

      --config FILE        settings as JSON; see docs/agency.md. The other options go before them
      --data DIR           folder for accounts, messages and keys; made if necessary.
                           Back it up: without master.key or agency.db every account is lost
      --database URI       keep accounts and messages in that PostgreSQL database (postgresql://...)
                           instead, and serve it with other agencies that have the same master.key
      --port N             port to listen on (default 8080); 0 takes a free one
      --address IP         numeric address to listen on (default 127.0.0.1)
      --public-endpoint URL
                           where clients reach the agency when that is not the address it listens on,
                           for instance https://agency.example behind a reverse proxy
      --provisioning MODE  who may have an agent. open: anybody (the default); token: who has a
                           sponsor's token; both: anybody by the older requests

    When it is ready, it prints one line of JSON: endpoint, DID and verkey. It logs to standard error,
    and ends cleanly on SIGTERM and SIGINT.

    accounts lists the accounts: whose they are, when they were made and last used (give or take an
    hour), and how much waits in them; never what. It only reads, also beside an agency that runs.
    With --json, it prints a line of JSON for each account, and one for the sum.

    backup writes the accounts and master.key into FILE, also beside an agency that runs. Only its
    owner may read it. restore makes the agency of such a file in a folder that holds none.

    """

  /// The text of `--version`.
  static let version = "msdk-agency \(unsafe String(cString: build_version))\n"

  private static let options = [
    "--config", "--data", "--database", "--port", "--address", "--public-endpoint", "--provisioning",
  ]

  /// The options that locate the accounts.
  private static let places = ["--config", "--data", "--database"]

  /// Also reads the file of settings, if the arguments name one.
  init(_ arguments: some Collection<String>) throws(UsageError) {
    guard !arguments.contains("--help"), !arguments.contains("-h") else {
      task = .help
      return
    }
    guard !arguments.contains("--version") else {
      task = .version
      return
    }
    let rest = Array(arguments.dropFirst())
    switch arguments.first {
    case "accounts":
      task = .listAccounts(rest.contains("--json") ? .json : .text)
      try read(rest.filter { $0 != "--json" }, Self.places)
      guard settings.dataFolder != nil || settings.database != nil else {
        throw UsageError("--data or --database is required")
      }
      return
    case "backup": task = .backUp(to: try readFile(rest))
    case "restore": task = .restore(from: try readFile(rest))
    default: try read(Array(arguments), Self.options)
    }
    guard settings.dataFolder != nil else { throw UsageError("--data is required") }
  }

  /// Reads the name of a file, then options that locate the accounts.
  private mutating func readFile(_ arguments: [String]) throws(UsageError) -> String {
    guard let file = arguments.first, !file.hasPrefix("-") else {
      throw UsageError("the file of the backup is required")
    }
    try read(Array(arguments.dropFirst()), Self.places)
    return file
  }

  private mutating func read(_ arguments: [String], _ options: [String]) throws(UsageError) {
    var values: [String: String] = [:]
    var rest = arguments.makeIterator()
    while let option = rest.next() {
      guard options.contains(option) else { throw UsageError("unknown option \(option)") }
      guard let value = rest.next() else { throw UsageError("\(option) needs a value") }
      values[option] = value
    }
    if let path = values["--config"] { settings = try Self.read(path) }
    try set(values)
  }

  private static func read(_ path: String) throws(UsageError) -> Settings {
    do {
      let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
      return try Settings(JSON(parsing: Files.contents(of: path, limit: 1 << 20)), folder: folder)
    } catch {
      throw UsageError("the configuration file: \(error)", hint: "docs/agency.md describes the settings")
    }
  }

  private mutating func set(_ values: [String: String]) throws(UsageError) {
    if let data = values["--data"] { settings.dataFolder = data }
    if let database = values["--database"] { settings.database = database }
    if let address = values["--address"] { settings.address = address }
    if let port = values["--port"] {
      guard let number = UInt16(port) else { throw UsageError("--port is not a number from 0 to 65535") }
      settings.port = number
    }
    if let text = values["--public-endpoint"] {
      guard let endpoint = PublicEndpoint(text) else {
        throw UsageError("--public-endpoint is no http or https URL without a slash at its end")
      }
      settings.rules.publicEndpoint = endpoint
    }
    if let text = values["--provisioning"] {
      guard let mode = Admission.Mode(rawValue: text) else { throw UsageError("--provisioning is not a mode") }
      do { try settings.rules.admission.change(to: mode) } catch { throw UsageError("--provisioning: \(error)") }
    }
  }
}

/// A mistake in the command line or the settings, with a hint.
struct UsageError: Error {
  let text: String
  let hint: String

  init(_ text: String, hint: String = "`msdk-agency --help` lists the options") {
    self.text = text
    self.hint = hint
  }
}
