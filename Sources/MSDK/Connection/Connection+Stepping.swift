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
    let reuse = try acceptableReuse(in: message, with: session())
    try checkRedirection(in: message, with: session())
    let reply = Reply(
      id: reuse.map(answerID) ?? .randomUUID(), time: UInt64(max(0, systemClock())), as: own,
      acceptsReuse: reuse != nil,
      resolved: try document(presentedIn: message))
    let key = pairwise?.key
    let action = try step(onlyChanging: onlyChanging, through: { try PairwiseOutbox(key, with: session()) }) {
      machine throws(ProtocolError) in
      try machine.receive(message, from: sender, reply: reply)
    }
    if case .sendAndLeave = action, let reuse { noteAnswer(to: reuse, with: try session()) }
    return action
  }
}

extension Connection {
  /// The document of the public DID that a message presents. Returns nil if no ledger has it; throws if one cannot be
  /// asked, so that the message is taken in later.
  private func document(presentedIn message: Message) throws -> DIDDocument? {
    guard let did = machine.publicDID(in: message), let publicDID = PublicDID(did) else { return nil }
    do {
      let service = try publicDID.service(on: Ledgers.all)
      return service.recipientKeys.first.map { DIDDocument(id: did, key: $0, service: service) }
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

// MARK: - Reused invitations

extension Connection {
  /// Returns the message if it reuses an invitation of this wallet and was not answered before. The connection's own
  /// invitation always counts, even if an older library did not note it in the wallet.
  private func acceptableReuse(
    in message: Message, with session: @autoclosure () throws -> Session
  ) throws -> HandshakeReuse? {
    guard case .handshakeReuse(let reuse) = message, peer != nil, let invitation = reuse.thread.pthid else {
      return nil
    }
    let book = ReuseBook(wallet: try session().wallet)
    let isOwn = machine.role == .inviter && self.invitation?.id == invitation
    guard try isOwn || book.holds(invitation: invitation) else {
      Log.warning("a peer reuses an invitation that this wallet has not made")
      return nil
    }
    return try book.isAnswered(reuse, over: pairwiseDID) ? nil : reuse
  }

  /// The same message gets the same id: a process that ends before it has noted its answer repeats that answer.
  private func answerID(to reuse: HandshakeReuse) -> String {
    .uuid(derivedFrom: JSON([pairwise?.key.text ?? "", reuse.id]).text)
  }

  /// Notes that the answer is sent. A failure to note it is only logged.
  private func noteAnswer(to reuse: HandshakeReuse, with session: Session) {
    do { try ReuseBook(wallet: session.wallet).noteAnswer(to: reuse, over: pairwiseDID) } catch {
      Log.warning("an answer to a reused invitation could not be noted: \(error)")
    }
  }
}
