internal import JSON
internal import Platform
internal import ProgramArguments
internal import Wallet

// The commands that show records.

extension WalletSession {
  /// Shows the types with their counts, or the ids of one type.
  func list() throws {
    let wallet = try open()
    defer { wallet.close() }
    if let type = operands.first { return try showIDs(of: type, in: wallet) }
    let counts = try wallet.recordCounts().prefix(arguments.limit)
    let width = counts.map { String($0.count).count }.max() ?? 0
    try show(
      .array(counts.map { ["type": .string($0.type), "count": .integer(Int64($0.count))] }),
      counts.map { "\(aligned($0.count, width))  \(printable($0.type))" })
  }

  private func showIDs(of type: String, in wallet: Wallet) throws {
    var options = SearchOptions()
    (options.retrieval.value, options.retrieval.tags) = (false, false)
    try showAll(of: wallet.search(type: type, query: "{}", options: options)) { record in
      arguments.wantsJSON ? printable(json: JSON.object(["id": .string(record.id)]).text) : printable(record.id)
    }
  }

  func get() throws {
    let wallet = try open()
    defer { wallet.close() }
    let record = try wallet.record(type: operands[0], id: operands[1], retrieving: .everything)
    try show([text(of: record)])
  }

  func search() throws {
    let wallet = try open()
    defer { wallet.close() }
    var options = SearchOptions()
    options.retrieval = .everything
    let query = operands.count > 1 ? operands[1] : "{}"
    try showAll(of: wallet.search(type: operands[0], query: query, options: options), text)
  }

  /// Shows the results of a search one by one.
  private func showAll(of search: Search, _ text: (RetrievedRecord) -> String) throws {
    defer { search.close() }
    var left = arguments.limit
    while left > 0 {
      let records = try search.next(min(left, Self.pageSize)).records
      if records.isEmpty { return }
      try show(records.map(text))
      left -= records.count
    }
  }

  private static var pageSize: Int { 100 }

  private func text(of record: RetrievedRecord) -> String {
    if arguments.wantsJSON { return printable(json: record.text) }
    let tags = (record.tags ?? [:]).map { "tag    \(printable($0.name)) = \(printable($0.value))" }
    let value = printable(record.value ?? "", indentation: 7)
    return (["id     \(printable(record.id))"] + tags + ["value  \(value)", ""])
      .joined(separator: "\n")
  }
}

extension Retrieval {
  fileprivate static var everything: Retrieval {
    var retrieval = Retrieval()
    retrieval.type = true
    return retrieval
  }
}

/// A number with blanks before it.
func aligned(_ number: Int, _ width: Int) -> String {
  let digits = String(number)
  return String(repeating: " ", count: max(width - digits.count, 0)) + digits
}
