/// The states of a connection. A caller of the C API sees their numbers, which `MSDK` assigns.
package enum ConnectionState: Equatable, Sendable {
  /// The inviter has not made its invitation yet.
  case planned
  /// The invitee has not asked for the connection yet.
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
  /// The state that the connection is in. An inviter whose invitation offers no handshake has completed.
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
