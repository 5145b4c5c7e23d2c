internal import AgencyServer
internal import CRevision
internal import Files
internal import JSON
internal import ProgramArguments

/// The command line.
struct Arguments {
  /// The task of the program.
  enum Task {
    case serve, help, version
    case listAccounts(AccountTable.Form)
    case backUp(to: String)
    case restore(from: String)
    case checkSettings
    case change(AccountChange, of: String)
  }

  private(set) var task = Task.serve
  private(set) var settings = AgencySettings()

  /// Whether the settings may come from a pipe. A running agency does not wait for a pipe's writer: nobody could stop
  /// it.
  private let readsPipes: Bool

  static let usage = """
    usage: msdk-agency --data DIR [--port N] [--address IP] [--provisioning MODE]
           msdk-agency --config FILE [any of the above]
           msdk-agency accounts [--json] (--data DIR | --database URI | --config FILE)
           msdk-agency backup FILE (--data DIR | --config FILE)
           msdk-agency restore FILE (--data DIR | --config FILE)
           msdk-agency check-settings --config FILE [any of the above]
           msdk-agency lock|unlock|delete DID (--data DIR | --database URI | --config FILE)
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
    and ends cleanly on SIGTERM and SIGINT. On SIGHUP it reads the file of settings again, and takes
    the sponsors and the mode of provisioning from it.

    accounts lists each account with its sponsor and user, the times of its creation and last use (the
    latter to the hour), and the number and size of its messages. It never shows their content. It
    only reads, also beside an agency that runs. With --json, it prints a line of JSON for each
    account, and one for the sum.

    backup writes the accounts and master.key into FILE, also beside an agency that runs. Only its
    owner may read it. restore makes the agency of such a file in a folder that holds none.

    check-settings reads the settings as the agency would, and serves nothing. lock lets an account be
    served no more, until unlock; delete removes it with its messages. DID is that of the list of
    accounts. All three also work beside an agency that runs.

    """

  /// The text of `--version`.
  static let version = "msdk-agency \(unsafe String(cString: build_version))\n"

  private enum Option: String, CaseIterable, ProgramOption {
    case config = "--config"
    case data = "--data"
    case database = "--database"
    case port = "--port"
    case address = "--address"
    case publicEndpoint = "--public-endpoint"
    case provisioning = "--provisioning"
    case json = "--json"

    var value: String? { self == .json ? nil : "" }

    /// The options that locate the accounts.
    static let places: [Option] = [.config, .data, .database]
  }

  /// Also reads the file of settings, if the arguments name one. At the start of the program the file may be a pipe;
  /// later it must be a regular file.
  init(_ arguments: some Collection<String>, atStart readsPipes: Bool) throws(UsageError) {
    self.readsPipes = readsPipes
    guard !arguments.contains("--help"), !arguments.contains("-h") else {
      task = .help
      return
    }
    guard !arguments.contains("--version") else {
      task = .version
      return
    }
    let rest = arguments.dropFirst()
    switch arguments.first {
    case "accounts":
      task = .listAccounts(try read(rest, Option.places + [.json])[.json] == nil ? .text : .json)
      guard settings.dataFolder != nil || settings.database != nil else {
        throw UsageError("--data or --database is required")
      }
      return
    case "backup": task = .backUp(to: try readFile(rest))
    case "restore": task = .restore(from: try readFile(rest))
    case "check-settings":
      task = .checkSettings
      try read(rest, Option.allCases.filter { $0 != .json })
    case .some(let word) where AccountChange(rawValue: word) != nil:
      try readChange(word, rest)
      return
    default: try read(arguments, Option.allCases.filter { $0 != .json })
    }
    guard settings.dataFolder != nil else { throw UsageError("--data is required") }
  }

  /// Reads the DID of an account, and options that locate the accounts.
  private mutating func readChange(_ word: String, _ words: some Sequence<String>) throws(UsageError) {
    let operands = try read(words, Option.places, operands: 1).operands
    guard let change = AccountChange(rawValue: word), let did = operands.first else {
      throw UsageError("the DID of the account is required")
    }
    task = .change(change, of: did)
    guard settings.dataFolder != nil || settings.database != nil else {
      throw UsageError("--data or --database is required")
    }
  }

  /// Reads the name of a file, and options that locate the accounts.
  private mutating func readFile(_ words: some Sequence<String>) throws(UsageError) -> String {
    let operands = try read(words, Option.places, operands: 1).operands
    guard let file = operands.first else { throw UsageError("the file of the backup is required") }
    return file
  }

  /// Reads options and at most `most` operands, and takes the settings from them.
  @discardableResult
  private mutating func read(
    _ words: some Sequence<String>, _ options: [Option], operands most: Int = 0
  ) throws(UsageError) -> ParsedArguments<Option> {
    let parsed: ParsedArguments<Option>
    do { parsed = try ParsedArguments(words, options: options) } catch { throw UsageError(error) }
    if let word = parsed.operands.dropFirst(most).first { throw UsageError("unknown option \(word)") }
    if let path = parsed[.config] { settings = try readSettings(path) }
    try set(parsed)
    return parsed
  }

  private func readSettings(_ path: String) throws(UsageError) -> AgencySettings {
    let limit = 1 << 20
    do {
      let text =
        try readsPipes ? Files.contents(of: path, limit: limit) : Files.contents(ofRegularFile: path, limit: limit)
      return try AgencySettings(JSON(parsing: text, repeatedNames: .refused), file: path)
    } catch {
      throw UsageError("the configuration file: \(error)", hint: "docs/agency.md describes the settings")
    }
  }

  private mutating func set(_ values: ParsedArguments<Option>) throws(UsageError) {
    if let data = values[.data] { settings.dataFolder = data }
    if let database = values[.database] {
      do { try settings.use(database: database) } catch { throw UsageError("--database: \(error)") }
    }
    if let address = values[.address] { settings.address = address }
    if let port = values[.port] {
      guard let number = UInt16(port) else { throw UsageError("--port is not a number from 0 to 65535") }
      settings.port = number
    }
    if let text = values[.publicEndpoint] {
      guard let endpoint = PublicEndpoint(text) else {
        throw UsageError("--public-endpoint is no http or https URL without a slash at its end")
      }
      settings.rules.publicEndpoint = endpoint
    }
    if let text = values[.provisioning] {
      guard let mode = Admission.Mode(rawValue: text) else { throw UsageError("--provisioning is not a mode") }
      do { try settings.rules.admission.change(to: mode) } catch { throw UsageError("--provisioning: \(error)") }
    }
  }
}

/// A mistake in the command line or the settings, with a hint.
struct UsageError: Error, CustomStringConvertible {
  let text: String
  let hint: String

  var description: String { text }

  init(_ text: String, hint: String = "`msdk-agency --help` lists the options") {
    self.text = text
    self.hint = hint
  }
}

extension UsageError {
  fileprivate init(_ error: ArgumentError) {
    switch error {
    case .unknownOption(let word), .misplacedOption(let word): self.init("unknown option \(word)")
    case .missingValue(let word): self.init("\(word) needs a value")
    }
  }
}
