package import JSON
internal import Threading

/// The nodes of a network. Any number of threads may ask them.
package final class LedgerPool: Sendable {
  private let library: LedgerLibrary
  private let handle: Int64
  private let isRefreshed = Locked(false)
  private let refreshing = SharedAttempt<Bool, LedgerError>()

  /// The library waits up to 30 s for nodes that disagree, and then answers; this is longer.
  private static let patience = 60

  package init(_ genesis: Genesis, library: LedgerLibrary) throws(LedgerError) {
    let parameters: JSON = ["transactions": .string(genesis.text)]
    var handle: Int64 = 0
    try library.check { library.functions.createPool(parameters.text, &handle) }
    self.handle = handle
    self.library = library
  }

  deinit { _ = library.functions.closePool(handle) }

  /// Asks the network. Returns the reply's `result`.
  package func submit(_ request: LedgerRequest) throws(LedgerError) -> JSON {
    try refresh()
    let built = try request.build(with: library)
    let text = try Replies.wait(for: library, seconds: Self.patience) { (number) throws(LedgerError) in
      // The library takes over the request, even if it fails.
      try library.check { library.functions.submit(handle, built, Self.receive, number) }
    }
    guard let reply = try? JSON(parsing: text, limits: .numberLists), let result = reply["result"] else {
      throw .refused("the reply is none: \(text.prefix(200))")
    }
    return result
  }

  /// Learns the network's present nodes before the first request, since the genesis may be years old. Threads wait for
  /// an unresponsive network at the same time, not one after the other.
  private func refresh() throws(LedgerError) {
    if isRefreshed.withLock({ $0 }) { return }
    _ = try refreshing.result { () throws(LedgerError) in
      _ = try Replies.wait(for: library, seconds: Self.patience) { (number) throws(LedgerError) in
        try library.check { library.functions.refreshPool(handle, Self.receiveRefreshed, number) }
      }
      isRefreshed.withLock { $0 = true }
      return true
    }
  }

  private static let receive: LedgerFunctions.Reply = { Replies.deliver($0, $1, $2) }
  private static let receiveRefreshed: LedgerFunctions.Refreshed = { Replies.deliver($0, $1, nil) }
}
