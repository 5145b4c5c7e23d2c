package import Aries
internal import Sodium

extension DisclosedProof {
  /// Polls the mailbox of the connection for the verifier's answer. Applies only messages of its own thread.
  package mutating func update(with session: Session) throws { try poll(with: session) }

  package mutating func receive(_ message: Message, from sender: Sender, with session: Session) throws -> Action {
    guard let route else { return .leave }
    return try step(through: { RouteOutbox(route, with: session) }) { machine throws(ProtocolError) in
      try machine.receive(message, from: sender, id: .randomUUID())
    }
  }
}
