package import Aries
internal import DIDComm
internal import JSON
internal import Logging
internal import Sodium
internal import Time

extension Connection {
  /// Passes a message to the machine. Returns the action that was done. With `onlyChanging`, ignores a message that
  /// does not change the state.
  @discardableResult
  mutating func receive(
    _ message: Message, from sender: Sender, onlyChanging: Bool = false, with session: @autoclosure () throws -> Session
  ) throws -> Action {
    let own = message.isIntroduction && isIntroducing ? try ownSide(with: session()) : nil
    let invitationKey = try awaitedReception.map { try session().keyPair($0.key) }
    let answered = try unanswered(message, with: session())
    try checkRedirection(in: message, with: session())
    let presented = Result { try document(presentedIn: message, with: session()) }
    let reply = Reply(
      id: answered.map(answerID) ?? .randomUUID(), time: UInt64(max(0, systemClock())), as: own,
      signingWith: invitationKey, answersOnce: answered != nil, refusesReuse: answered?.isRefused ?? false,
      ledger: LedgerAnswer(presented))
    let before = self
    var next = machine
    let action: Action
    do {
      action = try step(
        onlyChanging: onlyChanging,
        through: {
          let session = try session()
          let outbox = try PairwiseOutbox(before.pairwise?.key, with: session)
          guard !reply.refusesReuse else { return outbox }
          let claims = before.claims(by: message, from: sender, leadingTo: next, in: session.wallet)
          return ClaimingOutbox(claims: claims, outbox: outbox)
        },
        { machine throws(ProtocolError) in
          let action = try machine.receive(message, from: sender, reply: reply)
          next = machine
          return action
        })
    } catch ProtocolError.needsLedger {
      // The message can be applied later; the error names the reason. A document of the ledger that does not suffice lacks
      // an endpoint.
      if let document = try presented.get() { throw PublicDIDError.noEndpoint(document.id) }
      throw ProtocolError.needsLedger
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

  /// The document of the public DID that a message presents; nil if it presents none. Throws if no ledger is
  /// configured, if no ledger or server has the DID, or if it cannot be asked.
  private func document(
    presentedIn message: Message, with session: @autoclosure () throws -> Session
  ) throws -> DIDDocument? {
    guard let did = machine.publicDID(in: message) else { return nil }
    if let web = WebPublicDID(did) { return try web.document(with: session().resolver) }
    return try PublicDID(did)?.document(on: session().agent.ledgers.all)
  }
}

extension Connection: Stepping {
  package mutating func enter(_ next: ConnectionMachine) {
    let before = state.number
    machine = next
    if state.number != before { Log.info("connection \(pairwiseDID): state \(before) becomes \(state.number)") }
  }

  package func requireStorable(_ next: ConnectionMachine) throws(ProtocolError) {
    let connection = Connection(sourceID: sourceID, machine: next, pairwise: pairwise, reception: reception)
    guard connection.isStorable else { throw .tooDeep }
  }
}

extension LedgerAnswer {
  /// The ledgers' answer, from the result of a search for the document of a DID; nil in the result means that there was
  /// no DID to look for.
  init(_ result: Result<DIDDocument?, any Error>) {
    switch result {
    case .success(let document): self = document.map(LedgerAnswer.document) ?? .none
    case .failure(PublicDIDError.noEndpoint): self = .withdrawn
    case .failure(PublicDIDError.unreachable), .failure(PublicDIDError.invalid): self = .unreachable
    case .failure(PublicDIDError.notFound), .failure(ConnectionError.needsLedger): self = .none
    case .failure: self = .unreachable
    }
  }
}
