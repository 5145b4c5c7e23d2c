internal import MSDK
internal import ProgramArguments
internal import Wallet

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
      let isVisible = wanted.unicodeScalars.contains {
        !$0.properties.isWhitespace && !$0.properties.isDefaultIgnorableCodePoint
      }
      guard isVisible, !wanted.hasPrefix("-") else {
        throw Failure("The name of a connection is not empty, and begins with no hyphen.")
      }
      guard try isFree(wanted) else { throw Failure("There is a connection \(quoted(wanted)) already.") }
      return wanted
    }
    // Two names that differ in such a character alone look the same.
    let visible = String(
      String.UnicodeScalarView(proposed.unicodeScalars.filter { !$0.properties.isDefaultIgnorableCodePoint }))
    let letters = visible.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "-" }
    // A name that begins with a hyphen looks like an option of a command.
    let proposal = String(letters.drop { $0 == "-" }.prefix(40))
    let base = proposal.isEmpty || !proposal.unicodeScalars.allSatisfy(\.isUnmistakable) ? "peer" : proposal
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

  /// Keeps the new state of a connection that the caller had read as `before`. Another command may have gone on with the
  /// connection meanwhile: then its end counts, and otherwise the later state. `connection` becomes the one that counts.
  /// Throws `Replaced` if another command has forgotten the connection.
  func update(_ connection: inout Connection, named name: String, after before: Connection) throws {
    let kept = try current(connection, named: name)
    guard kept.machine == before.machine || connection.isLater(than: kept) else {
      connection = kept
      return
    }
    try session.wallet.apply(.updateValue(type: Self.type, id: name, value: text(of: connection)))
  }

  /// Throws `Replaced` if another command has forgotten the connection meanwhile.
  func remove(_ connection: Connection, named name: String) throws {
    _ = try current(connection, named: name)
    try session.wallet.apply(.delete(type: Self.type, id: name))
  }

  /// Removes a new connection after a failure. Keeps it, and says so, if another command has gone on with it meanwhile.
  func removeAdded(_ added: Connection, named name: String, after error: any Error) throws {
    guard try text(of: current(added, named: name)) == text(of: added) else {
      throw Failure("\(asSentence("\(error)")) Another command has gone on with the connection \(quoted(name)).")
    }
    try remove(added, named: name)
  }

  /// The connection as the wallet has it now. Throws `Replaced` unless the name still belongs to it: a command may wait for a
  /// peer or for the user, who may forget the connection and give its name to another one in the meantime.
  func current(_ connection: Connection, named name: String) throws -> Connection {
    let value: String
    do { value = try session.wallet.record(type: Self.type, id: name).value } catch WalletError.recordNotFound {
      throw Replaced()
    }
    guard let kept = try? Connection(serialized: value) else { throw Replaced() }
    let isSame =
      kept.pairwiseDID.isEmpty
      ? kept.invitationText == connection.invitationText : kept.pairwiseDID == connection.pairwiseDID
    guard isSame else { throw Replaced() }
    return kept
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

  /// Whether this state follows the other one. No state follows the end.
  fileprivate func isLater(than other: Connection) -> Bool {
    other.word != "ended" && (word == "ended" || state.number > other.state.number)
  }
}

extension Unicode.Scalar {
  /// Whether a character of a name is a hyphen, a digit or a letter that looks like no other one: a name stands before each
  /// message. Letters of several alphabets look the same, and so do some of the Latin one, such as `ĳ` and `ij`.
  fileprivate var isUnmistakable: Bool {
    switch value {
    case 0x2D, 0x30...0x39, 0x61...0x7A: true
    case 0xDF...0xFF, 0x100...0x17E: ![0x131, 0x132, 0x133, 0x138, 0x13F, 0x140, 0x149].contains(value)
    case 0x1E00...0x1E99, 0x1EA0...0x1EF9: true
    default: false
    }
  }
}
