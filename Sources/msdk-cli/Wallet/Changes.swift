internal import JSON
internal import ProgramArguments
internal import Wallet

// The commands that change records.

extension WalletSession {
  func add() throws {
    let tags = try arguments[.tags].map { text throws(WalletError) in try Tags(parsing: text) } ?? [:]
    let value = try givenValue()
    try change(.add(Record(type: operands[0], id: operands[1], value: value, tags: tags)), "added")
  }

  /// Replaces the value, the tags, or both: if the call gives only tags, the value does not change.
  func update() throws {
    let (type, id) = (operands[0], operands[1])
    let tags = try arguments[.tags].map { text throws(WalletError) in try Tags(parsing: text) }
    let changes: [RecordChange?] = [
      operands.count > 2 || tags == nil ? .updateValue(type: type, id: id, value: try givenValue()) : nil,
      tags.map { .replaceTags(with: $0, type: type, id: id) },
    ]
    try change(changes.compactMap { $0 }, "updated")
  }

  func delete() throws { try change(.delete(type: operands[0], id: operands[1]), "deleted") }

  private func change(_ change: RecordChange, _ done: String) throws { try self.change([change], done) }

  private func change(_ changes: [RecordChange], _ done: String) throws {
    let wallet = try open()
    defer { wallet.close() }
    for change in changes { try wallet.apply(change) }
    try show(
      ["type": .string(operands[0]), "id": .string(operands[1])],
      ["The record \(quoted(operands[1])) of the type \(quoted(operands[0])) is \(done)."])
  }

  private func givenValue() throws(Failure) -> String {
    operands.count > 2 ? operands[2] : try Terminal.readInput()
  }
}
