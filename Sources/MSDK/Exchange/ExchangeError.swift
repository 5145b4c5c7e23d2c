/// The reasons why an exchange could not do a call.
package enum ExchangeError: Error, Equatable, Sendable {
  /// The exchange's state does not permit the call yet.
  case notReady
  /// The exchange has failed or was declined.
  case ended
  /// The caller gave no connection, and the message names no service for the answer.
  case noService
  /// The message with this id is of another kind.
  case otherMessage
}

extension ExchangeError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notReady: "the exchange is not in a state that allows this"
    case .ended: "the exchange has failed or was declined"
    case .noService: "without a connection, the message has to name the service to answer to, and it names none"
    case .otherMessage: "the message is not one of the kind that was asked for"
    }
  }
}
