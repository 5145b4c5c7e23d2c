internal import MSDK
internal import ProgramArguments
internal import Wallet

// The changes of records that other commands may change too.

extension Exchanges {
  /// Keeps the state of an exchange. Throws `Superseded` if another command has gone on with it meanwhile.
  func keep(_ exchange: some Answerable, of entry: inout OpenExchange) throws {
    try change(&entry) { $0.note(exchange) }
  }

  /// Sends an answer, and keeps the exchange in its new state. Notes the answer before: a killed command may have sent it, and
  /// another command must not send another answer. After a failure that left the answer here, the user may choose again.
  ///
  /// Does nothing if another command has sent the same answer meanwhile. A refusal of an accepted offer takes the credential
  /// instead, if that has come.
  func sending(
    _ answer: Underway, of entry: inout OpenExchange, _ send: (OpenExchange) throws -> any Answerable
  ) throws {
    try owner.turns.take(.exchange(entry.record.number)) {
      guard try renew(&entry, for: answer) else { return }
      if answer.isRefusal, entry.record.state == .waiting, !entry.record.isProposed {
        try look(&entry)
        guard !entry.record.isOver else { return }
      }
      try inTurn(answer, of: &entry, send)
    }
  }

  private func inTurn(
    _ answer: Underway, of entry: inout OpenExchange, _ send: (OpenExchange) throws -> any Answerable
  ) throws {
    let before = entry.record.underway
    try change(&entry) { $0.underway = answer }
    let exchange: any Answerable
    do { exchange = try send(entry) } catch {
      if let delivery = error as? DeliveryError, delivery.mayHaveArrived {
        throw Failure(asSentence("\(delivery)") + " " + answer.sentence(entry.record.number))
      }
      try change(&entry) { $0.underway = before }
      throw error
    }
    do { try change(&entry) { $0.note(exchange, after: answer) } } catch {
      throw Self.isSent("answer", error, answer.sentence(entry.record.number))
    }
  }

  /// The failure to keep an exchange whose answer is sent. `next` names the commands that may follow, unless the exchange is gone.
  static func isSent(_ answer: String, _ error: any Error, _ next: String) -> Failure {
    let isGone = error is ConnectionRecords.Replaced
    return Failure("The \(answer) is sent. \(asSentence("\(error)"))" + (isGone ? "" : " \(next)"))
  }

  /// Changes the record of an exchange. Throws `Superseded` if another command has gone on with it meanwhile.
  func change(_ entry: inout OpenExchange, _ change: (inout ExchangeRecord) -> Void) throws {
    try renew(&entry)
    change(&entry.record)
    let record = entry.record
    try owner.session.wallet.apply(.updateValue(type: Self.type, id: String(record.number), value: record.value))
  }

  /// Reads the exchange's connection again, which may have ended meanwhile. Throws `Superseded` unless the record is still the
  /// one that this command has read, and `Replaced` if the connection is forgotten: a user may answer an exchange in one
  /// terminal while a question about it is open in another. Takes the note of a command that may have sent the same `answer`.
  /// Returns false if another command has sent it.
  @discardableResult
  func renew(_ entry: inout OpenExchange, for answer: Underway? = nil) throws -> Bool {
    let number = String(entry.record.number)
    let record = try ExchangeRecord(number: number, owner.session.wallet.record(type: Self.type, id: number).value)
    if let record, let answer, record.isUnderway(to: answer) { entry.record.underway = record.underway }
    if let record, let answer, record.isSent(answer, since: entry.record) {
      entry.record = record
      return false
    }
    guard record == entry.record else { throw Superseded(record: record ?? entry.record) }
    entry.connection = try owner.connections.current(entry.connection, named: entry.name)
    return true
  }

  /// Another command has gone on with the exchange.
  struct Superseded: Error, CustomStringConvertible {
    let record: ExchangeRecord

    var description: String {
      "another command has gone on with \(record.kind.rawValue) \(record.number), which "
        + (record.underway == nil ? "is \(record.state.rawValue) now" : "it is answering")
    }
  }
}
