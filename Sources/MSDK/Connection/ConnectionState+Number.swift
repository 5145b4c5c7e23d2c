package import Aries

extension ConnectionState {
  /// The number of the state in the C API and in serialized connections.
  package var number: UInt32 {
    switch self {
    case .failed: 0
    case .planned: 1
    case .invited, .offered: 2
    case .requested, .responded: 3
    case .completed: 4
    case .proprietary(let state): state.rawValue
    }
  }
}
