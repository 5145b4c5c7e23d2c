internal import Credentials
internal import JSON
internal import MSDK
internal import ProgramArguments

// The commands for requests of proofs.

extension OpenSession {
  /// Lists the requests that wait for the user or for their verifier, with the content of an answer.
  func proofs() throws {
    let stated = try StatedValues(arguments)
    let found = try waitForAny(.request)
    try show(found, none: "No request for a proof is open.") { entry in
      let title = RequestedItems.title(of: entry)
      guard entry.record.state == .open else { return ShownExchange(["content": .null], title) }
      do {
        let (choice, isMade) = try answer(to: entry, stating: stated)
        return ShownExchange(
          ["content": choice.json, "made": .bool(isMade)], title + choice.lines + (isMade ? [RequestedItems.made] : []),
          agreement: isMade || choice.obstacle(entry.record.number) == nil ? "" : choice.statement,
          canDecline: !isMade)
      } catch let error where Self.isFaultOfRequest(error) {
        return ShownExchange(["content": .null], title + RequestedItems.fault("cannot be answered: \(error)"))
      } catch let error as Failure {
        return ShownExchange(["content": .null], title + RequestedItems.fault("gets no such answer: \(error.text)"))
      }
    }
  }

  /// The proof that is made already, or else the proof that the user's choice would make.
  private func answer(
    to entry: OpenExchange, stating stated: StatedValues
  ) throws -> (choice: ProofChoice, isMade: Bool) {
    let proof = try DisclosedProof(serialized: entry.record.exchange)
    guard !proof.mayBeSent else { return (try Self.madeChoice(in: proof), true) }
    return (try choice(for: proof, stating: stated), false)
  }

  /// Whether the fault is the request's: such a request does not hide the others.
  private static func isFaultOfRequest(_ error: any Error) -> Bool {
    if case CredentialsError.malformedRequest = error { true } else { false }
  }

  /// Gives a proof, after showing its content, and waits for the verifier.
  func present() throws {
    let exchanges = Exchanges(owner: self)
    var entry = try exchanges.find(arguments.operands[0], .request)
    if entry.hasEnded {
      try exchanges.requireLateAnswer(of: &entry)
      exchanges.markRead(entry)
    } else if entry.record.state == .open {
      try entry.record.requireNothingUnderway()
      try give(&entry, exchanges)
      exchanges.markRead(entry)
    } else if [.waiting, .done].contains(entry.record.state) {
      try requireNoChoice(entry)
      if entry.record.state == .waiting { try exchanges.advance(&entry) }
    }
    try exchanges.wait(for: &entry)
    try report(
      entry, done: "The other side has confirmed the proof.", waiting: "The proof is sent and not confirmed yet")
  }

  /// Makes the proof and sends it. The other side may have a proof that an earlier command has sent: it gets that one again,
  /// and no other. Shows the content in both cases, and asks.
  private func give(_ entry: inout OpenExchange, _ exchanges: Exchanges) throws {
    var proof = try DisclosedProof(serialized: entry.record.exchange)
    let title = RequestedItems.title(of: entry)
    if proof.mayBeSent {
      try requireNoChoice(entry)
      try confirm("Show this?", title + Self.madeChoice(in: proof).lines + [RequestedItems.made])
      try exchanges.renew(&entry)
    } else {
      let choice = try choice(for: proof, stating: StatedValues(arguments))
      if let obstacle = choice.obstacle(entry.record.number) {
        if !arguments.wantsJSON { try arguments.show(title + choice.lines) }
        throw Failure(obstacle)
      }
      try confirm("Show this?", title + choice.lines)
      try exchanges.renew(&entry)
      try Progress.showing("making the proof") { try prepare(&proof, choice, of: &entry, exchanges) }
    }
    try Progress.showing("sending the proof") { try send(proof, of: &entry, exchanges) }
  }

  /// Throws if the user chooses the content of a proof that the other side may have.
  private func requireNoChoice(_ entry: OpenExchange) throws {
    guard arguments.has(.with) || arguments.has(.attest) else { return }
    throw Failure(
      "The other side may have a proof already, which --with and --attest cannot change: `msdk present "
        + "\(entry.record.number)` without them goes on with it.")
  }

  private static func madeChoice(in proof: DisclosedProof) throws -> ProofChoice {
    do { return ProofChoice(made: try JSON(parsing: proof.content())) } catch {
      throw Failure("The proof that is made already cannot be read: \(printable("\(error)")).")
    }
  }

  /// Makes the proof. If a lasting reason prevents it, such as a revoked credential, the exchange ends, and the verifier
  /// is told.
  private func prepare(
    _ proof: inout DisclosedProof, _ choice: ProofChoice, of entry: inout OpenExchange, _ exchanges: Exchanges
  ) throws {
    let (selected, stated) = choice.texts
    try proof.prepare(showing: selected, selfAttested: stated, with: session)
    guard let error = proof.preparationError else { return }
    guard proof.cannotBeMade else { throw error }
    let reason = "No proof can be given: \(printable("\(error)"))."
    do { try decline(&entry, exchanges, because: "\(error)") } catch {
      let canDecline = entry.record.underway == nil && !(error is Exchanges.Superseded)
      let hint = canDecline ? " `msdk decline \(entry.record.number)` tells the other side." : ""
      throw Failure("\(reason) \(asSentence((error as? Failure)?.text ?? "\(error)"))\(hint)")
    }
    exchanges.markRead(entry)
    throw Failure("\(reason) The other side is told.")
  }

  /// Sends the proof. The wallet notes that before: a killed command may have sent the proof. After a failure that left
  /// the proof here, the user may choose again. Failures of other kinds come before the proof is sent.
  private func send(_ made: DisclosedProof, of entry: inout OpenExchange, _ exchanges: Exchanges) throws {
    try turns.take(.exchange(entry.record.number)) { try sendInTurn(made, of: &entry, exchanges) }
  }

  private func sendInTurn(_ made: DisclosedProof, of entry: inout OpenExchange, _ exchanges: Exchanges) throws {
    let again = "`msdk present \(entry.record.number)` sends the same one again."
    var proof = made
    proof.noteSending()
    try exchanges.keep(proof, of: &entry)
    do { try proof.send(over: entry.connection, with: session) } catch {
      guard made.mayBeSent || (error as? DeliveryError)?.mayHaveArrived ?? false else {
        try exchanges.keep(made, of: &entry)
        throw error
      }
      throw Failure("\(asSentence("\(error)")) The other side may have the proof nevertheless: \(again)")
    }
    do { try exchanges.keep(proof, of: &entry) } catch {
      throw Exchanges.isSent("proof", error, again)
    }
  }

  private func choice(for proof: DisclosedProof, stating stated: StatedValues) throws -> ProofChoice {
    let found = try JSON(parsing: proof.matchingCredentials(asVersion3: false, with: session))
    return try ProofChoice(found, preferring: arguments[.with], stating: stated)
  }
}
