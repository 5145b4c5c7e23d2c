/// The reasons why the engine did not do a request.
package enum AnonCredsError: Error, Equatable, Sendable {
  /// There is no usable engine, for the given reason.
  case unavailable(reason: String)
  /// The engine refused or failed. The message is the engine's own.
  case failed(Code, message: String)

  /// The engine's kinds of error.
  package enum Code: Int, Sendable {
    case input = 1
    case io = 2
    /// Among others: a credential for another link secret, a predicate that does not hold, a tails file cut short.
    case invalidState = 3
    case unexpected = 4
    case credentialRevoked = 5
    case invalidRevocationIndex = 6
    case proofRejected = 7
    case registryFull = 8
  }
}

extension AnonCredsError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unavailable(let reason): "AnonCreds engine not available: \(reason); PyPI's package anoncreds has it"
    case .failed(_, let message): "the AnonCreds engine says: \(message)"
    }
  }
}
