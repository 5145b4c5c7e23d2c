internal import MSDK
internal import Wallet

// The changes of records that other commands may change too.

extension Exchanges {
  /// Keeps the state of an exchange. Throws `Superseded` if another command has gone on with it meanwhile.
  func keep(_ exchange: some Answerable, of entry: inout OpenExchange) throws {
    try change(&entry) { $0.note(exchange) }
  }

  /// Changes the record of an exchange. Throws `Superseded` if another command has gone on with it meanwhile.
  func change(_ entry: inout OpenExchange, _ change: (inout ExchangeRecord) -> Void) throws {
    try requireUnchanged(entry)
    change(&entry.record)
    let record = entry.record
    try owner.session.wallet.apply(.updateValue(type: Self.type, id: String(record.number), value: record.value))
  }

  /// Throws `Superseded` unless the record is still the one that this command has read: a user may answer an exchange in one
  /// terminal while a question about it is open in another.
  func requireUnchanged(_ entry: OpenExchange) throws {
    let number = String(entry.record.number)
    let record = try ExchangeRecord(number: number, owner.session.wallet.record(type: Self.type, id: number).value)
    guard record == entry.record else { throw Superseded(record: record ?? entry.record) }
  }

  /// Another command has gone on with the exchange.
  struct Superseded: Error, CustomStringConvertible {
    let record: ExchangeRecord

    var description: String {
      "another command has gone on with \(record.kind.rawValue) \(record.number), which is \(record.state.rawValue) now"
    }
  }
}
