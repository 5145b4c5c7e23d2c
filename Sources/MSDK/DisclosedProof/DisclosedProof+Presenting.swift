internal import Aries
internal import Credentials
internal import JSON
internal import Logging
internal import Sodium

// MARK: - Making the presentation

extension DisclosedProof {
  /// The credentials that can answer each item of the request, as JSON text in one of the two forms of the API.
  package func matchingCredentials(asVersion3 isVersion3: Bool, with session: Session) throws -> String {
    guard let request = machine.request else { throw ExchangeError.notReady }
    let selection = try Selection(
      for: ProofRequest(received: request.content().text), among: session.credentials.all())
    return selection.text(separatingPredicates: !isVersion3)
  }

  /// The request with all that a screen shows of it, as JSON text: its thread, name and version, the words and
  /// attachments for people, and its items with the credentials that can answer each.
  package func description(with session: Session) throws -> String {
    guard let message = machine.request else { throw ExchangeError.notReady }
    let request = try ProofRequest(received: message.content().text)
    let heading: JSONObject = [
      "thid": .string(message.thread.thid), "name": .string(request.name), "version": .string(request.version),
      "display": message.display,
    ]
    return try Selection(for: request, among: session.credentials.all()).text(under: heading)
  }

  /// Makes the presentation from the user's choice: both texts are JSON. An error is kept, and `send` throws it.
  /// Throws if no request waits for a presentation. Does nothing if an earlier process may have sent a presentation: `send`
  /// sends the same one again.
  package mutating func prepare(showing selected: String, selfAttested: String, with session: Session) throws {
    guard let request = machine.request else { throw ExchangeError.notReady }
    guard !machine.mayBeSent else { return }
    var next = machine
    do {
      let choice = try ChosenCredentials(selected: selected, selfAttested: selfAttested)
      let presentation = try session.credentialHolder().presentation(for: request.content().text, showing: choice)
      try next.prepare(presentation, id: .randomUUID())
      preparationError = nil
    } catch ProtocolError.outOfTurn {
      throw ProtocolError.outOfTurn
    } catch {
      Log.warning("proof: no presentation can be made: \(error)")
      try next.failToPrepare(
        because: "\(error)", errorKind: PreparationFailure(error)?.rawValue, id: .randomUUID())
      preparationError = error
    }
    enter(next)
  }
}

// MARK: - Sending

extension DisclosedProof {
  /// Whether the last attempt to make the presentation failed for a reason that no other choice of this side takes away: `send`
  /// then tells the verifier.
  package var cannotBeMade: Bool {
    guard let preparationError else { return false }
    return switch PreparationFailure(preparationError) {
    case .request, nil: true
    case .local, .selection, .selfAttested: false
    }
  }

  /// Whether the sending of the presentation has begun: the verifier may have it, `send` sends the same one again, and
  /// `prepare` makes no other.
  package var mayBeSent: Bool { machine.mayBeSent }

  /// Notes that the sending of the presentation begins. A program that keeps the proof itself keeps it in this state
  /// before it sends.
  package mutating func noteSending() { enter(machine.sending()) }

  /// Sends the presentation: over a connection, or without one to the service that the request names. Without a
  /// connection the verifier may answer at once, and its silence is the end.
  ///
  /// After the end of the connection nothing is sent. The answer to a presentation that may have been sent before is taken, if it
  /// has come.
  ///
  /// If no presentation could be made, the verifier is told, and the error of the attempt is thrown; a fault on this side,
  /// such as a ledger that does not answer, is not told. Without a presentation, and in later states, there is nothing to
  /// send.
  package mutating func send(over connection: Connection?, with session: Session) throws {
    switch machine.state {
    case .prepared(let prepared):
      if let late = connection?.routeOfLateAnswers() {
        guard mayBeSent, try takesAnswer(to: { $0.send(over: late) }, canOnlyLook: true, with: session) else {
          throw ConnectionError.notCompleted
        }
        return
      }
      let route = try Route(answering: prepared.request, over: connection)
      conclude(try sendOnce(over: route, with: session))
    case .unprepared(let failed):
      let error = preparationError ?? PreparationFailure.error(failed.errorKind, because: failed.report)
      if PreparationFailure(error) != .local {
        let route = try Route(answering: failed.request, over: connection)
        try step(over: route, with: session, needsDelivery: false) { machine in machine.send(over: route) }
      }
      throw error
    case .proposing, .proposed, .requested, .sent, .finished: return
    }
  }

  /// Sends a prepared presentation. A kept record says so first: no other presentation follows if the process ends before it
  /// knows the result, or if the presentation may have arrived although the sending failed.
  private mutating func sendOnce(over route: Route, with session: Session) throws -> Answer? {
    let prepared = machine
    enter(prepared.sending())
    do {
      try keep(with: session)
      return try step(over: route, with: session) { machine in machine.send(over: route) }
    } catch {
      if (error as? DeliveryError)?.mayHaveArrived != true { enter(prepared) }
      throw error
    }
  }

  /// Sends the proposal, in the version and the format that the verifier is likely to understand: the format is the
  /// format of the wallet's credentials which are proposed, or came over the connection. In other states there is
  /// nothing to propose.
  package mutating func propose(over connection: Connection, with session: Session) throws {
    guard case .proposing = machine.state else { return }
    let route = try connection.routeOfProposal()
    let known = try session.credentials.format(
      ofDefinitions: machine.proposedDefinitions, orOver: connection.pairwiseDID)
    let wanted = session.settings.exchanges
    let chosen = machine.form
    let format = chosen.format ?? wanted.format ?? known.flatMap(ContentFormat.init(rawValue:)) ?? .indy
    let version =
      chosen.version ?? wanted.proofVersion ?? session.version(of: ProofStep.family, over: connection) ?? 1
    let propose = { (machine: inout ProverMachine) throws(MessageError) in
      try machine.propose(inVersion: version, format, over: route)
    }
    if keeping.isRestored, try takesAnswer(to: propose, with: session) { return }
    try step(over: route, with: session, propose)
  }

  /// Declines the request; `reason` is for the verifier's user. Throws if the verifier may have the presentation.
  package mutating func decline(because reason: String?, over connection: Connection?, with session: Session) throws {
    guard !mayBeSent else { throw ProtocolError.outOfTurn }
    let route = try routeOfDecline(over: connection)
    let id = refusalID(on: threadID, because: reason)
    try step(over: route, with: session) { machine throws(ProtocolError) in
      try machine.decline(because: reason, id: id, over: route)
    }
  }

  /// Declines the request and proposes another presentation. `text` is the JSON text of that one. The id is derived, so
  /// that a process that forgets the step and repeats it proposes nothing new.
  package mutating func decline(proposing text: String, over connection: Connection?, with session: Session) throws {
    guard !mayBeSent else { throw ProtocolError.outOfTurn }
    let preview = try PresentationPreview(JSON(parsing: text))
    let id = String.uuid(derivedFrom: "\(machine.thread.thid) \(machine.request?.id ?? "") \(text)")
    let route = try routeOfDecline(over: connection)
    let answer = try step(over: route, with: session) { machine throws(ProtocolError) in
      try machine.decline(proposing: preview, comment: nil, id: id, over: route)
    }
    conclude(answer)
  }

  private func routeOfDecline(over connection: Connection?) throws -> Route {
    if case .proposed(let proposed) = machine.state { return proposed.route }
    guard let request = machine.request else { throw ProtocolError.outOfTurn }
    return try Route(answering: request, over: connection)
  }

  /// Applies the answer in the HTTP response to a message. Without one, no answer comes.
  private mutating func conclude(_ answer: Answer?) {
    var next = machine
    do {
      if let answer { _ = try next.receive(answer.message, from: answer.sender, id: .randomUUID()) }
    } catch {
      Log.warning("proof: the answer in a response is not usable: \(error)")
    }
    next.endWithoutAnswer()
    enter(next)
  }
}
