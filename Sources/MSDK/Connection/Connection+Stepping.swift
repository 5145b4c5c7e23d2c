internal import Aries
internal import DIDComm
internal import JSON
internal import Logging
internal import Sodium

extension Connection {
  /// Hands a message to the machine. Returns what the machine has had done about it.
  @discardableResult
  mutating func receive(
    _ message: Message, from sender: Sender, with agent: @autoclosure () throws -> Agent
  ) throws -> Action {
    // Only an inviter signs its answer.
    let own: OwnSide? = if case .inviting = machine { try ownSide(with: agent()) } else { nil }
    let reply = Reply(id: .randomUUID(), time: UInt64(max(0, systemTime())), as: own)
    return try step(with: agent()) { machine throws(ProtocolError) in
      try machine.receive(message, from: sender, reply: reply)
    }
  }

  /// Lets the machine decide, does what it asks for, and only then lets the new state count. Returns what that was.
  @discardableResult
  mutating func step<Failure: Error>(
    with agent: @autoclosure () throws -> Agent,
    _ event: (inout ConnectionMachine) throws(Failure) -> Action
  ) throws -> Action {
    var next = machine
    let action = try event(&next)
    switch action {
    case .leave, .nothing: break
    case .send(let message, let service): try agent().send(message, from: ownKey(), to: service)
    case .tell(let message, let service): try tell(message, to: service, with: agent())
    case .refuse(let error, let report, let service):
      try tell(report, to: service, with: agent())
      throw error
    }
    // A message may be the application's, and yet show that the handshake is over.
    machine = next
    return action
  }

  private func tell(_ message: JSON, to service: Service, with agent: Agent) throws {
    let key = try ownKey()
    do { try agent.send(message, from: key, to: service) } catch {
      Log.warning("somebody could not be told of a problem: \(error)")
    }
  }

  private func ownKey() throws(ConnectionError) -> VerKey {
    guard let key = pairwise?.key else { throw .noPairwiseAgent }
    return key
  }
}
