internal import JSON
internal import MSDK
internal import ProgramArguments
internal import Wallet

/// A command that needs the running library: it starts the library with the configuration, and stops it at the end.
struct OpenSession {
  let arguments: Arguments
  let session: MSDK.Session
  let connections: ConnectionRecords

  static func run(_ arguments: Arguments, _ work: (OpenSession) throws -> Void) throws -> Program.Ending {
    let configuration = try Configuration(arguments)
    // The command has records of its own, which programs share.
    let settings = try Settings(parsing: configuration.text).withoutKeptObjects()
    for doubt in try configuration.doubts() { Terminal.complain(doubt) }
    Engines.name()
    try Progress.showing("opening the wallet") { try Agent.standard.start(settings) }
    defer { Agent.standard.stop(deletingWallet: false) }
    let session = try Agent.standard.running()
    try work(OpenSession(arguments: arguments, session: session, connections: ConnectionRecords(session: session)))
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

/// The connections that the wallet keeps, by the names that the user gave them: records of the type `connection`.
struct ConnectionRecords {
  let session: MSDK.Session

  static let type = "connection"

  /// The readable connections: other programs may keep records of this type.
  func all() throws -> [(name: String, connection: Connection)] { try read().connections }

  /// Names the connections that cannot be read, in a warning for the user.
  func warnOfUnreadable() throws {
    let names = try read().unreadable
    guard !names.isEmpty else { return }
    let list = names.map(quoted).joined(separator: ", ")
    Terminal.complain("These records are no connections that this version of msdk can read: \(list).")
  }

  private func read() throws -> (connections: [(name: String, connection: Connection)], unreadable: [String]) {
    let search = try session.wallet.search(type: Self.type, query: "{}", options: SearchOptions())
    defer { search.close() }
    var (found, unreadable): ([(name: String, connection: Connection)], [String]) = ([], [])
    while case let records = try search.next(100).records, !records.isEmpty {
      for record in records {
        do { found.append((record.id, try Connection(serialized: record.value ?? ""))) } catch {
          unreadable.append(record.id)
        }
      }
    }
    return (found.sorted { $0.name < $1.name }, unreadable.sorted())
  }

  /// The connection with that name, and the name as the wallet spells it.
  func find(_ name: String) throws -> (name: String, connection: Connection) {
    do {
      return (name, try Connection(serialized: session.wallet.record(type: Self.type, id: name).value))
    } catch WalletError.recordNotFound {
      let all = try all()
      if let same = all.first(where: { $0.name == name }) { return same }
      throw Failure(
        "There is no connection \(quoted(name)): `msdk connections` lists them."
          + Request.suggestion(name, all.map(\.name)))
    }
  }

  /// A name that no connection has: the wanted name, which must be free, or the proposed name with a number if
  /// necessary.
  func freeName(_ wanted: String?, proposing proposed: String) throws -> String {
    if let wanted {
      guard try isFree(wanted) else { throw Failure("There is a connection \(quoted(wanted)) already.") }
      return wanted
    }
    // Two names that differ in such a character alone look the same.
    let visible = String(
      String.UnicodeScalarView(proposed.unicodeScalars.filter { !$0.properties.isDefaultIgnorableCodePoint }))
    let letters = String(visible.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "-" }.prefix(40))
    let base = letters.isEmpty || !letters.unicodeScalars.allSatisfy(\.isLatin) ? "peer" : letters
    var (name, number) = (base, 2)
    while try !isFree(name) {
      name = "\(base)-\(number)"
      number += 1
    }
    return name
  }

  /// Two names are the same if they look the same: Swift's `==` compares texts by Unicode's canonical equivalence, so
  /// that an accent may be part of a letter or a character of its own.
  private func isFree(_ name: String) throws -> Bool {
    let search = try session.wallet.search(type: Self.type, query: "{}", options: SearchOptions())
    defer { search.close() }
    while case let records = try search.next(100).records, !records.isEmpty {
      if records.contains(where: { $0.id == name }) { return false }
    }
    return true
  }

  /// Adds a connection under the name that `freeName` gives. Returns the name.
  func add(_ connection: Connection, as wanted: String?, proposing proposed: String) throws -> String {
    while true {
      let name = try freeName(wanted, proposing: proposed)
      do throws(WalletError) {
        try session.wallet.apply(.add(Record(type: Self.type, id: name, value: text(of: connection))))
        return name
      } catch {
        // Another command may have taken the name meanwhile.
        guard error == .recordExists else { throw error }
      }
    }
  }

  /// Throws `Replaced` if another command has forgotten the connection meanwhile.
  func update(_ connection: Connection, named name: String) throws {
    try requireSame(connection, named: name)
    try session.wallet.apply(.updateValue(type: Self.type, id: name, value: text(of: connection)))
  }

  /// Throws `Replaced` if another command has forgotten the connection meanwhile.
  func remove(_ connection: Connection, named name: String) throws {
    try requireSame(connection, named: name)
    try session.wallet.apply(.delete(type: Self.type, id: name))
  }

  /// Throws `Replaced` unless the name still belongs to this connection: a command may wait for a peer for a long time, and the
  /// user may forget the connection and give its name to another one in the meantime.
  private func requireSame(_ connection: Connection, named name: String) throws {
    let value: String
    do { value = try session.wallet.record(type: Self.type, id: name).value } catch WalletError.recordNotFound {
      throw Replaced()
    }
    guard let kept = try? Connection(serialized: value) else { throw Replaced() }
    let isSame =
      kept.pairwiseDID.isEmpty
      ? kept.invitationText == connection.invitationText : kept.pairwiseDID == connection.pairwiseDID
    guard isSame else { throw Replaced() }
  }

  /// Another command has forgotten a connection.
  struct Replaced: Error, CustomStringConvertible {
    var description: String { "another command has forgotten this connection, and may have given its name away" }
  }

  private func text(of connection: Connection) -> String {
    connection.serialized(institutionDID: session.settings.institutionDID)
  }
}

extension Connection {
  /// The state in a word.
  var word: String {
    switch state.number {
    case 4: "connected"
    case 0: "ended"
    default: "waiting"
    }
  }
}

extension Unicode.Scalar {
  /// Whether a letter is of the Latin alphabet. Letters of several alphabets look the same, and a name stands before each
  /// message.
  fileprivate var isLatin: Bool { value < 0x250 || (0x1E00..<0x1F00).contains(value) }
}
