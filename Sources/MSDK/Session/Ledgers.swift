internal import IndyVDR
internal import Logging
internal import Registry
internal import Threading

/// An Indy network, connected at first use.
final class LedgerConnection: Sendable {
  let names: [String]
  private let genesis: Genesis
  private let library: String?
  private let pool = Locked<LedgerPool?>(nil)

  init(_ genesis: Genesis, names: [String], library: String?) {
    self.genesis = genesis
    self.names = names
    self.library = library
  }

  func ledger() throws(LedgerError) -> any Ledger {
    try pool.withLock { (pool) throws(LedgerError) -> LedgerPool in
      if let pool { return pool }
      let opened = try LedgerPool(genesis, library: LedgerLibrary.open(at: library))
      pool = opened
      return opened
    }
  }
}

/// The Indy networks of an agent.
final class Ledgers: Sendable {
  private let connected = Locked<[LedgerConnection]>([])

  /// Makes these the agent's networks, unless the agent already has networks.
  func connect(_ ledgers: [LedgerConnection]) {
    let isNew = connected.withLock { connected in
      guard connected.isEmpty else { return false }
      connected = ledgers
      return !ledgers.isEmpty
    }
    if isNew { Log.info("networks with ledgers: \(ledgers.flatMap(\.names).joined(separator: ", "))") }
  }

  func disconnect() { connected.withLock { $0 = [] } }

  var all: [LedgerConnection] { connected.withLock { $0 } }

  var registries: [any Registry] {
    all.map { ledger -> any Registry in
      IndyRegistry(networks: ledger.names) { () throws(LedgerError) in try ledger.ledger() }
    }
  }
}
