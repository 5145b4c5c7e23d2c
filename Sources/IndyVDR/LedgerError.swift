/// The reasons why a ledger has not answered.
package enum LedgerError: Error, Equatable, Sendable {
  /// The library libindy_vdr.so cannot be used, for the given reason.
  case unavailable(reason: String)
  /// The genesis transactions of a network are malformed, for the given reason.
  case malformedGenesis(String)
  /// No node of the network answered, or too few agreed.
  case unreachable(String)
  /// The library or the network refuses the request.
  case refused(String)
  /// The network refuses the content of a write.
  case rejected(String)
}

extension LedgerError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unavailable(let reason):
      "the library for Indy ledgers is not available: \(reason); PyPI's package indy-vdr has it"
    case .malformedGenesis(let reason): "the genesis transactions of the ledger: \(reason)"
    case .unreachable(let reason): "the ledger gave no answer: \(reason)"
    case .refused(let reason): "the ledger refuses the request: \(reason)"
    case .rejected(let reason): "the ledger refuses the transaction: \(reason)"
    }
  }
}
