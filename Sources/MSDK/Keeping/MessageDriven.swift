package import Aries

/// An object that messages advance.
package protocol MessageDriven: KeptObject {
  /// Applies a message that a subscription tells of. The message has no effect if it does not concern the object.
  mutating func apply(_ message: AnnouncedMessage, with session: Session) throws

  /// Whether the object may have a use for a message that came over the connection with this pairwise DID.
  func mayApply(_ message: Message, over pairwiseDID: String) -> Bool
}

extension Connection: MessageDriven {
  package mutating func apply(_: AnnouncedMessage, with session: Session) throws { try poll(with: session) }

  package func mayApply(_ message: Message, over _: String) -> Bool { message.canConcern(machine) }
}

extension Exchange where Self: MessageDriven {
  /// A message on the thread of the exchange and over its connection is for the exchange.
  package func mayApply(_: Message, over pairwiseDID: String) -> Bool { inbox?.pairwiseDID.text == pairwiseDID }
}

extension Polling where Self: Exchange {
  fileprivate mutating func take(_ message: AnnouncedMessage, with session: Session) throws {
    guard let place = message.place, let mailbox = inbox else { return }
    try take(place, of: mailbox, with: session)
  }
}

extension Credential: MessageDriven {
  package mutating func apply(_ message: AnnouncedMessage, with session: Session) throws {
    try take(message, with: session)
  }
}

extension DisclosedProof: MessageDriven {
  package mutating func apply(_ message: AnnouncedMessage, with session: Session) throws {
    try take(message, with: session)
  }
}

extension IssuerCredential: MessageDriven {
  package mutating func apply(_ message: AnnouncedMessage, with session: Session) throws {
    try take(message, with: session)
  }
}

extension RequestedProof: MessageDriven {
  package mutating func apply(_ message: AnnouncedMessage, with session: Session) throws {
    try take(message, with: session)
  }
}
