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
    let own = message.isIntroduction && isIntroducing ? try ownSide(with: session()) : nil
    let answered = try unanswered(message, with: session())
    try checkRedirection(in: message, with: session())
    let reply = Reply(
      id: answered.map(answerID) ?? .randomUUID(), time: UInt64(max(0, systemClock())), as: own,
      answersOnce: answered != nil, resolved: try document(presentedIn: message))
    let key = pairwise?.key
    let action = try step(onlyChanging: onlyChanging, through: { try PairwiseOutbox(key, with: session()) }) {
      machine throws(ProtocolError) in
      try machine.receive(message, from: sender, reply: reply)
    }
    if case .proprietaryAnswer = message { notePeer(with: try session()) }
    if case .sendAndLeave = action, let answered { noteAnswer(to: answered, with: try session()) }
    return action
  }
}

extension Connection {
  /// Applies a message of a proven sender.
  package mutating func receive(_ message: Message, from sender: Sender, with session: Session) throws -> Action {
    try receive(message, from: sender, onlyChanging: false, with: session)
  }

  /// Whether the other side has yet to introduce itself.
  private var isIntroducing: Bool {
    switch machine {
    case .offered, .requested: true
    case .planned, .invited, .responded, .completed, .failed, .proprietary: false
    }
  }

  /// The document of the public DID that a message presents. Returns nil if no ledger has it; throws if one cannot be
  /// asked, so that the message is applied later.
  private func document(presentedIn message: Message) throws -> DIDDocument? {
    let ledgers = Ledgers.all
    guard !ledgers.isEmpty, let did = machine.publicDID(in: message), let publicDID = PublicDID(did) else { return nil }
    do {
      return try publicDID.document(on: ledgers)
    } catch let error as PublicDIDError {
      if case .unreachable = error { throw error }
      return nil
    } catch is ConnectionError {
      return nil
    }
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
