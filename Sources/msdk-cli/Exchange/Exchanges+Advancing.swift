internal import Credentials
internal import MSDK
internal import Platform
internal import ProgramArguments

// The answers of the other side.

extension Exchanges {
  /// Applies the answers to waiting exchanges, and ends exchanges that the user cannot answer any more because their connection
  /// has ended. Returns the pairwise DIDs of the connections with exchanges that wait on.
  func advanceWaiting() throws -> Set<String> {
    var waiting: Set<String> = []
    for var entry in try entries() where !entry.record.isOver {
      let isAwaited = entry.record.state == .waiting || entry.hasEnded
      guard isAwaited else { continue }
      do { try entry.record.state == .waiting ? advance(&entry) : settle(&entry) } catch {
        Terminal.complain(
          "\(quoted(entry.name)), \(entry.record.kind.rawValue) \(entry.record.number): \(asSentence("\(error)"))")
      }
      if !entry.record.isOver { waiting.insert(entry.record.did) }
    }
    return waiting
  }

  /// Ends an open exchange whose connection has ended. If an earlier command may have answered it, takes the other side's answer
  /// instead; if that has not come, the exchange stays open.
  private func settle(_ entry: inout OpenExchange) throws {
    try owner.turns.takeIfFree(.exchange(entry.record.number)) {
      try renew(&entry)
      try settleInTurn(&entry)
    }
  }

  private func settleInTurn(_ entry: inout OpenExchange) throws {
    switch entry.record.kind {
    case .offer:
      var credential = try Credential(serialized: entry.record.exchange)
      if entry.record.isUnderway(to: .request) {
        do {
          try credential.sendRequest(over: entry.connection, with: owner.session)
        } catch ConnectionError.notCompleted { return }
        return try keep(credential, of: &entry)
      }
    case .request:
      var proof = try DisclosedProof(serialized: entry.record.exchange)
      if proof.mayBeSent {
        do { try proof.send(over: entry.connection, with: owner.session) } catch ConnectionError.notCompleted { return }
        return try keep(proof, of: &entry)
      }
    }
    try change(&entry) { $0.end(.failed, because: Self.connectionHasEnded) }
  }

  /// Ends an exchange whose connection has ended, unless the other side's answer has come. Throws if that cannot be known now.
  func closeEnded(_ entry: inout OpenExchange) throws {
    try owner.turns.take(.exchange(entry.record.number)) {
      try takeLateAnswer(of: &entry)
      if !entry.record.isOver { try change(&entry) { $0.end(.failed, because: Self.connectionHasEnded) } }
    }
  }

  /// Takes the answer that may have come before the connection ended. Throws if there is none, or if that cannot be known now: no
  /// answer of the user can be sent any more.
  func requireLateAnswer(of entry: inout OpenExchange) throws {
    try owner.turns.take(.exchange(entry.record.number)) { try takeLateAnswer(of: &entry) }
    guard entry.record.isOver else {
      let (kind, number) = (entry.record.kind.rawValue, entry.record.number)
      throw Failure(
        "The connection \(quoted(entry.name)) has ended, and no answer has come: `msdk decline \(number)` closes "
          + "\(kind) \(number).")
    }
  }

  private func takeLateAnswer(of entry: inout OpenExchange) throws {
    try renew(&entry)
    try look(&entry)
  }

  /// Applies the other side's answer, if it has arrived, in the turn that the command has. An answer that cannot be used is none.
  /// If the look fails, throws the reason with the ways on.
  func look(_ entry: inout OpenExchange) throws {
    do { try entry.record.state == .open ? settleInTurn(&entry) : advanceInTurn(&entry) } catch {
      let complaint = asSentence("\(error)")
      guard case CredentialsError.malformedCredential = error else {
        throw Failure(
          "\(complaint) The answer of the other side may have come: repeat the command, or `msdk forget` forgets the "
            + "connection \(quoted(entry.name)) with it.")
      }
      Terminal.complain(complaint)
    }
  }

  private static let connectionHasEnded = "the connection has ended"

  /// Ends an exchange that cannot go on, for this reason. Tells nobody.
  func close(_ entry: inout OpenExchange, because reason: String) throws {
    try owner.turns.take(.exchange(entry.record.number)) { try change(&entry) { $0.end(.failed, because: reason) } }
  }

  /// Applies the answer of the other side, if it has arrived. Does nothing while another command goes on with the exchange.
  func advance(_ entry: inout OpenExchange) throws {
    try owner.turns.takeIfFree(.exchange(entry.record.number)) {
      do { try renew(&entry) } catch let superseded as Superseded {
        entry.record = superseded.record
        return
      }
      try advanceInTurn(&entry)
    }
  }

  private func advanceInTurn(_ entry: inout OpenExchange) throws {
    switch entry.record.kind {
    case .offer: try advance(&entry, Credential(serialized: entry.record.exchange))
    case .request: try advance(&entry, DisclosedProof(serialized: entry.record.exchange))
    }
    // The user cannot answer another offer that came before the end of the connection.
    if entry.hasEnded, entry.record.state == .open { try settleInTurn(&entry) }
  }

  private func advance<Answered: Answerable>(_ entry: inout OpenExchange, _ exchange: Answered) throws {
    var exchange = exchange
    try exchange.update(with: owner.session)
    guard ExchangeRecord.State(exchange.state) != entry.record.state else { return }
    if entry.record.underway?.isRefusal ?? false, ExchangeRecord.State(exchange.state) == .done {
      Terminal.complain("The credential of offer \(entry.record.number) has come before you declined it.")
    }
    try keep(exchange, of: &entry)
  }

  /// Waits for the answer of the other side, unless the user does not want to.
  func wait(for entry: inout OpenExchange) throws {
    guard !owner.arguments.has(.noWait) else { return }
    let end = MonotonicTime.now.after(milliseconds: owner.arguments.timeout * 1000)
    try Progress.showing("waiting for the other side") {
      while entry.record.state == .waiting {
        try advance(&entry)
        let left = end.millisecondsLeft
        guard entry.record.state == .waiting, left > 0 else { return }
        Terminal.sleep(milliseconds: UInt32(min(left, 250)))
      }
    }
  }
}
