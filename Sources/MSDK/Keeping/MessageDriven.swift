package import Aries

/// An object that messages advance.
package protocol MessageDriven: KeptObject {
  /// Applies the oldest message of the mailbox that concerns the object; at most one.
  mutating func update(with session: Session) throws

  /// Whether the object may have a use for the message.
  func mayApply(_ message: Message) -> Bool
}

extension Connection: MessageDriven {
  package mutating func update(with session: Session) throws { try poll(with: session) }

  package func mayApply(_ message: Message) -> Bool { message.canConcern(machine) }
}

extension Exchange where Self: MessageDriven {
  /// A message on the thread of the exchange is for the exchange.
  package func mayApply(_: Message) -> Bool { true }
}

extension Credential: MessageDriven {}
extension DisclosedProof: MessageDriven {}
extension IssuerCredential: MessageDriven {}
extension RequestedProof: MessageDriven {}
