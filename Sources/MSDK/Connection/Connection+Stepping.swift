package import Aries
internal import DIDComm
internal import JSON
internal import Logging
internal import Sodium
internal import Time

extension Connection {
  /// Passes a message to the machine. Returns the action that was done. With `onlyChanging`, a message that does not
  /// change the state is left alone.
  @discardableResult
  mutating func receive(
    _ message: Message, from sender: Sender, onlyChanging: Bool = false, with session: @autoclosure () throws -> Session
  ) throws -> Action {
    // Only an inviter signs its response.
    let own: OwnSide? = if case .offered = machine { try ownSide(with: session()) } else { nil }
    let answered = try unanswered(message, with: session())
    try checkRedirection(in: message, with: session())
    let presented = Result { try document(presentedIn: message) }
    let reply = Reply(
      id: answered.map(answerID) ?? .randomUUID(), time: UInt64(max(0, systemClock())), as: own,
      answersOnce: answered != nil, resolved: try? presented.get())
    let key = pairwise?.key
    let action: Action
    do {
      action = try step(onlyChanging: onlyChanging, through: { try PairwiseOutbox(key, with: session()) }) {
        machine throws(ProtocolError) in
        try machine.receive(message, from: sender, reply: reply)
      }
    } catch ProtocolError.needsLedger {
      // The message can be applied later: the error names the missing thing.
      _ = try presented.get()
      throw ProtocolError.needsLedger
    }
    if case .sendAndLeave = action, let answered { noteAnswer(to: answered, with: try session()) }
    return action
  }
}

extension Connection {
  /// The document of the public DID that a message presents; nil if it presents none. Throws if no ledger is configured, or
  /// none has the DID with its key and endpoint.
  private func document(presentedIn message: Message) throws -> DIDDocument? {
    guard let did = machine.publicDID(in: message), let publicDID = PublicDID(did) else { return nil }
    let service = try publicDID.service(on: Ledgers.all)
    return service.recipientKeys.first.map { DIDDocument(id: did, key: $0, service: service) }
  }
}

extension Connection: Stepping {
  package mutating func enter(_ next: ConnectionMachine) {
    let before = state.number
    machine = next
    if state.number != before { Log.info("connection \(pairwiseDID): state \(before) becomes \(state.number)") }
  }

  package func requireStorable(_ next: ConnectionMachine) throws(ProtocolError) {
    guard Connection(sourceID: sourceID, machine: next, pairwise: pairwise).isStorable else { throw .tooDeep }
  }
}
