package import Aries
internal import JSON
internal import Sodium

extension DisclosedProof {
  /// Polls the mailbox of the connection for the verifier's answer. Applies only messages of its own thread.
  package mutating func update(with session: Session) throws { try poll(with: session) }

  /// Applies a message that the application received. Ignores messages of other threads.
  package mutating func receive(_ text: String, with session: @autoclosure () throws -> Session) throws {
    let message = try Message(JSON(parsing: text))
    guard route != nil else { return }
    _ = try receive(message, from: .application, with: session())
  }

  package mutating func receive(_ message: Message, from sender: Sender, with session: Session) throws -> Action {
    guard let route else { return .leave }
    return try step(through: { RouteOutbox(route, with: session) }) { machine throws(ProtocolError) in
      try machine.receive(message, from: sender, id: .randomUUID())
    }
  }
}
