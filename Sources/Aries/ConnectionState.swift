/// The states of a connection. `MSDK` assigns the numbers that the C API shows.
package enum ConnectionState: Equatable, Sendable {
  /// The inviter has not created its invitation yet.
  case planned
  /// The invitee has not sent its request yet.
  case invited
  /// The invitee waits for the inviter's response.
  case requested
  /// The inviter waits for a request.
  case offered
  /// The inviter has responded and waits for the invitee's confirmation.
  case responded
  case completed
  case failed
  /// A connection of Evernym's own protocol, which has other states.
  case proprietary(ProprietaryConnection.State)
}

extension ConnectionMachine {
  /// The state of the connection. An inviter whose invitation offers no handshake has completed.
  package var state: ConnectionState {
    switch self {
    case .planned: .planned
    case .invited: .invited
    case .requested: .requested
    case .offered(let invitation): invitation.offersHandshake ? .offered : .completed
    case .responded: .responded
    case .completed: .completed
    case .failed: .failed
    case .proprietary(let connection): .proprietary(connection.state)
    }
  }
}
