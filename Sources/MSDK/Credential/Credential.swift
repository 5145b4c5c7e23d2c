package import Aries
internal import Credentials
internal import JSON
internal import Logging
internal import Registry
internal import Sodium
internal import Time

/// A credential that an issuer offers, on the holder's side: from the offer, or from a proposal of this side, until it is
/// in the wallet.
package struct Credential: Exchange, Polling {
  package let sourceID: String
  package var machine: HolderMachine {
    didSet {
      // A message without a use in the last state may have one in this.
      search.reset()
      keeping.noteChange()
    }
  }
  package var keeping = Keeping()
  var search = MailboxPoll()

  package static let kind = "credential"

  package init(sourceID: String, machine: HolderMachine) {
    self.sourceID = sourceID
    self.machine = machine
  }

  /// An offered credential. `text` is the offer, or an array that begins with it; in the array it may have the older
  /// form of version 3.0 of the API.
  package init(sourceID: String, offer text: String) throws {
    let json = try JSON(parsing: text)
    let offer = try (json.array?.first ?? json).requireObject()
    let isOlder = offer["@type"] == nil && json.array != nil
    self.init(
      sourceID: sourceID, machine: try HolderMachine(offer: isOlder ? OlderOffer.message(offer) : .object(offer)))
  }

  /// The numbers of the API: 0 failed, 1 proposal not sent, 2 request sent, 3 offer received, 4 stored, 9 rejected, 10
  /// proposal sent.
  package var state: UInt32 {
    switch machine.state {
    case .proposing: 1
    case .proposed: 10
    case .offered: 3
    case .requested: 2
    case .finished(let finished): finished.status.number
    }
  }

  var thread: String { machine.thread.thid }
}

// MARK: - Asking

extension Credential {
  /// Requests the credential, over a connection, or without one through the service that the offer names: the issuer then
  /// answers in the response, or into a mailbox that is opened for this. Does nothing in later states.
  ///
  /// Refuses an offer that does not fit its definition, and tells the issuer. After a fault on this side, such as a
  /// ledger that does not answer, the offer stays as it is.
  package mutating func sendRequest(over connection: Connection?, with session: Session) throws {
    guard case .offered(let offered) = machine.state else { return }
    let isOver = connection?.routeOfLateAnswers() != nil
    var route = try way(of: offered, over: connection)
    let offer = try CredentialOffer(offered.offer)
    let answered = AnsweredOffer(offer.content.text, on: thread, over: route)
    let mayBeSent = try session.credentials.request(answering: answered) != nil
    guard !isOver || mayBeSent else { throw ConnectionError.notCompleted }
    let (request, definition): (CredentialRequest, String)
    do {
      if offered.route != nil, offer.preview == nil {
        throw CredentialsError.malformedOffer("it answers a proposal without values")
      }
      (request, definition) = try Self.request(answering: offer, answered, with: session)
    } catch CredentialsError
      .malformedOffer(let reason) where !isOver
    {
      try step(over: route, with: session) { machine in
        machine.refusalOfOffer(because: reason, id: .randomUUID(), over: route)
      }
      throw CredentialsError.malformedOffer(reason)
    }
    if case .service(let service) = route { route = try AnswerMailboxes(of: session).route(to: service, on: thread) }
    let ask = { [route] (machine: inout HolderMachine) throws(MessageError) in
      try machine.request(
        request.text, metadata: IndyForm.metadata(request.metadata),
        definition: IndyForm.definition(definition, id: offer.definitionID),
        id: .uuid(derivedFrom: request.text), over: route)
    }
    if try mayBeSent && takesAnswer(to: ask, canOnlyLook: isOver, with: session) { return }
    guard !isOver else { throw ConnectionError.notCompleted }
    let answer = try step(over: route, with: session, ask)
    if let answer { _ = try receive(answer.message, from: answer.sender, with: session) }
  }

  /// Fetches the public objects of the offer, which may take long: `sendRequest` then sends at once. Leaves the faults of the offer
  /// to `sendRequest`.
  package func fetchObjects(with session: Session) throws {
    guard case .offered(let offered) = machine.state, let offer = try? CredentialOffer(offered.offer) else { return }
    let holder = try session.credentialHolder()
    do {
      _ = try (holder.definition(offer.definitionID), holder.attributes(ofSchema: offer.schemaID))
    } catch CredentialsError.malformedOffer {
    } catch let failure as RegistryFailure where failure.error == .notFound {
    }
  }

  /// The way of the request. After the end of the connection, only an earlier request's answer can come on it.
  private func way(of offered: HolderMachine.Offered, over connection: Connection?) throws -> Route {
    if let route = offered.route ?? connection?.routeOfLateAnswers() { return route }
    return try Route(answering: offered.offer, over: connection)
  }

  /// The request for an offered credential, and its definition. Throws `malformedOffer` with the reason if the offer does
  /// not fit the definition, or if one of them cannot be used.
  private static func request(
    answering offer: CredentialOffer, _ answered: AnsweredOffer, with session: Session
  ) throws -> (request: CredentialRequest, definition: String) {
    let holder = try session.credentialHolder()
    let definition = try holder.definition(offer.definitionID)
    do { try check(offer, against: definition, with: holder) } catch let error as CredentialMismatch {
      throw CredentialsError.malformedOffer("\(error)")
    }
    let request = try holder.request(
      answering: answered, definition: definition, definitionID: offer.definitionID)
    return (request, definition)
  }

  private static func check(_ offer: CredentialOffer, against definition: String, with holder: CredentialHolder) throws
  {
    let names: [AttributeName]
    do { names = try holder.attributes(ofSchema: offer.schemaID) } catch let failure as RegistryFailure
      where failure.error == .notFound
    {
      throw CredentialMismatch.absentSchema
    }
    try offer.check(against: JSON(parsing: definition), schema: names)
  }

  /// Declines the offer, or withdraws the proposal; `comment` is for the issuer's user. Does nothing before a message is
  /// sent or received, and once the exchange has ended. Throws if an earlier process has stored the credential.
  package mutating func reject(comment: String?, over connection: Connection?, with session: Session) throws {
    let (before, offer) = (machine.state, machine.offer)
    if case .finished = before { return }
    if try isStored(with: session) { throw ProtocolError.outOfTurn }
    guard let route = try machine.route ?? offer.map({ offer in try Route(answering: offer, over: connection) }) else {
      return
    }
    let id = refusalID(on: thread, because: comment)
    try step(over: route, with: session) { machine in
      machine.reject(comment, id: id, over: route)
    }
    // Another object may have asked on the thread of this offer, which can be a stranger's copy of that object's offer.
    guard case .requested(let asked) = before else { return }
    session.forgetRequest(on: thread, answering: asked.offer, over: asked.route)
    if asked.route.awaitsResponses { AnswerMailboxes(of: session).close(thread, answering: offer) }
  }
}

// MARK: - Receiving

extension Credential {
  /// Polls the mailbox of the connection for the credential, or for a report that there will be none. Applies only
  /// messages of its own thread.
  package mutating func update(with session: Session) throws { try poll(with: session) }

  package mutating func receive(_ message: Message, from sender: Sender, with session: Session) throws -> Action {
    guard let route else { return .leave }
    let before = machine.state
    if case .requested(let requested) = before, let credential = try machine.credential(in: message, from: sender) {
      return try receive(credential, requested, with: session)
    }
    if case .problemReport = message, message.thread?.thid == thread, try isStored(with: session) { return .leave }
    let action = try step(through: { RouteOutbox(route, with: session) }) { machine throws(ProtocolError) in
      try machine.receive(message, from: sender, id: .randomUUID())
    }
    // The mailbox stays until the object is deleted: a process that ends before it has stored the object finds the
    // report again.
    if case .requested(let asked) = before, case .finished = machine.state {
      session.forgetRequest(on: thread, answering: asked.offer, over: asked.route)
    }
    return action
  }

  /// Stores a credential and acknowledges it. Refuses one that differs from the offer, and tells the issuer. Throws a
  /// fault on this side, such as a missing engine: the credential comes again with the next poll.
  private mutating func receive(
    _ message: IssueCredentialMessage, _ requested: HolderMachine.Requested, with session: Session
  ) throws -> Action {
    let (id, route) = (thread, requested.route)
    do {
      let content = try message.content()
      let offer = try CredentialOffer(requested.offer)
      try offer.check(credential: content.json())
      try session.credentialHolder().accept(
        content.text, metadata: IndyForm.engineMetadata(requested.metadata),
        definition: IndyForm.engineDefinition(requested.definition),
        answering: AnsweredOffer(offer.content.text, on: id, over: route), on: id,
        from: route.source, in: content.format.rawValue, display: requested.offer.display)
    } catch let error where Self.isRefusal(error) {
      try step(over: route, with: session) { machine in
        machine.refuse(message, because: "\(error)", id: .randomUUID())
      }
      throw error as? CredentialsError ?? CredentialsError.malformedCredential("\(error)")
    }
    do {
      try acknowledge(message, storedAs: id, needsDelivery: !route.awaitsResponses, with: session)
    } catch let error as DeliveryError {
      guard try AckPatience(with: id, in: session.credentials).isOver(after: error, at: systemClock()) else {
        throw error
      }
      // The credential is here, and its issuer takes no ack.
      try acknowledge(message, storedAs: id, needsDelivery: false, with: session)
    }
    Log.info("credential \(id) is stored")
    return .nothing
  }

  /// Whether an earlier process has stored the credential that this exchange awaits. Neither a report nor a withdrawal of the
  /// user ends such an exchange: the user has the credential.
  private func isStored(with session: Session) throws -> Bool {
    guard case .requested(let requested) = machine.state else { return false }
    return try session.credentials.has(thread, from: requested.route.source)
  }

  private mutating func acknowledge(
    _ message: IssueCredentialMessage, storedAs id: String, needsDelivery: Bool, with session: Session
  ) throws {
    guard let route = machine.route else { return }
    try step(over: route, with: session, needsDelivery: needsDelivery) { machine in
      machine.accept(message, storedAs: id, ackID: .uuid(derivedFrom: message.json.text))
    }
  }

  /// Whether the fault is the credential's, so that no other attempt would help.
  private static func isRefusal(_ error: any Error) -> Bool {
    switch error {
    case is MessageError, is CredentialMismatch, CredentialsError.malformedCredential, CredentialsError.exists: true
    default: false
    }
  }
}
