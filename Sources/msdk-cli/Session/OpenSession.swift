internal import JSON
internal import MSDK
internal import ProgramArguments
internal import Wallet

/// A command that needs the running library: it starts the library with the configuration, and stops it at the end.
struct OpenSession {
  let arguments: Arguments
  let session: MSDK.Session
  let connections: ConnectionRecords
  let turns: Turns

  static func run(_ arguments: Arguments, _ work: (OpenSession) throws -> Void) throws -> Program.Ending {
    let configuration = try Configuration(arguments)
    // The command has records of its own, which programs share.
    let settings = try Settings(parsing: configuration.text).withoutKeptObjects()
    for doubt in try configuration.doubts() { Terminal.complain(doubt) }
    Engines.name()
    try Progress.showing("opening the wallet") { try Agent.standard.start(settings) }
    defer { Agent.standard.stop(deletingWallet: false) }
    let session = try Agent.standard.running()
    let connections = ConnectionRecords(session: session)
    let turns = Turns(of: settings.wallet.location)
    try work(OpenSession(arguments: arguments, session: session, connections: connections, turns: turns))
    return .done
  }
}

extension OpenSession {
  /// The names of the connections, for the completion of shells, which must not ask for a key.
  static func namesOfConnections(_ arguments: Arguments) throws -> [String] {
    let settings = try Settings(parsing: Configuration(arguments, asking: false).text)
    let wallet = try Wallet.open(
      settings.wallet.location, key: settings.wallet.key, derivation: settings.wallet.derivation)
    defer { wallet.close() }
    var options = SearchOptions()
    (options.retrieval.value, options.retrieval.tags) = (false, false)
    let search = try wallet.search(type: ConnectionRecords.type, query: "{}", options: options)
    defer { search.close() }
    return try search.next(1000).records.map { printable($0.id) }.sorted()
  }
}
