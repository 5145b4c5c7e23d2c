/// Why an exchange could not do what was asked.
package enum ExchangeError: Error, Equatable, Sendable {
  /// The exchange has not come that far.
  case notReady
  /// The exchange has failed or was declined.
  case ended
  /// Neither a connection was given nor does the message name a service to answer to.
  case noService
  /// The message of this id is not of the kind that was asked for.
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
