package import Aries
internal import Credentials
internal import JSON
internal import Logging
internal import Sodium

/// A credential that this side issues: from its values until the holder has acknowledged it, and its revocation.
package struct IssuerCredential: Exchange, Polling {
  package let sourceID: String
  package var machine: IssuerMachine {
    didSet {
      // A message without a use in the last state may have one in this.
      search.reset()
      keeping.noteChange()
    }
  }
  package var keeping = Keeping()
  var search = MailboxPoll()

  package static let kind = "issued credential"

  package init(sourceID: String, machine: IssuerMachine) {
    self.sourceID = sourceID
    self.machine = machine
  }

  /// A credential to be offered. `values` is the JSON text of its values: their names must be the names of the
  /// definition, if the wallet has the definition.
  package init(
    sourceID: String, definition: CredentialDefinition, values text: String, name: String,
    in form: ExchangeForm = .undecided, with session: Session
  ) throws {
    let terms = try Self.terms(of: definition, values: text, with: session)
    self.init(
      sourceID: sourceID,
      machine: IssuerMachine(offering: terms, of: definition.id, name: name, in: form, id: .randomUUID()))
  }

  static func terms(
    of definition: CredentialDefinition, values text: String, with session: Session
  ) throws -> IssuerMachine.Terms {
    let values: CredentialValues
    do { values = try CredentialValues(offering: text) } catch { throw IssuingError.malformedValues("\(error)") }
    if let keys = try session.credentialIssuer().ownDefinition(definition.id) {
      let names = values.attributes.map { AttributeName($0.name) }
      guard try Set(names) == keys.attributes(), Set(names).count == names.count else {
        throw IssuingError.malformedValues("their names are not those of the credential definition")
      }
    }
    return IssuerMachine.Terms(
      values: values, registryID: definition.registry?.id, tailsFolder: definition.registry?.tailsFolder)
  }

  /// The numbers of the API: 10 proposed, 1 planned, 2 offered, 3 requested, 4 issued, 9 declined, 0 failed.
  package var state: UInt32 {
    switch machine.state {
    case .proposed: 10
    case .planned: 1
    case .offered: 2
    case .requested: 3
    case .issued: 4
    case .finished(let finished): finished.status.number
    }
  }

  var thread: String { machine.thread.thid }

  /// Whether the credential is issued, has a place in a revocation registry, and is not revoked.
  var mayBeRevoked: Bool { machine.delivery.map { $0.place != nil && $0.revoked == nil } ?? false }

  /// The name of the exchange in the wallet. Holders choose the threads that they begin: two of them may choose the same.
  private func issuance(over route: Route) -> String {
    guard machine.isBegunByHolder, case .connection(let connection) = route else { return thread }
    return "\(thread) \(connection.own.key.did.text)"
  }

  /// The report that ended the exchange, as JSON text; `null` if there is none.
  package var problemReport: String {
    guard case .finished(let finished) = machine.state, let report = finished.status.report else { return "null" }
    return report.json.text
  }
}

// MARK: - Offering

extension IssuerCredential {
  /// Sends the offer over a connection. If the connection is an invitation without a handshake, to which the program has
  /// attached the offer, the call sends nothing and lets the credential await the answer. Does nothing in later states.
  package mutating func sendOffer(over connection: Connection, with session: Session) throws {
    guard case .planned(let planned) = machine.state else { return }
    let route = try route(of: planned, over: connection)
    try prepareOffer(over: route, of: connection, with: session)
    try step(over: route, with: session) { machine in machine.sendOffer(over: route) }
  }

  /// The message with the offer as JSON text; in version 3.0 of the API in the older form. Makes it, if it is not made
  /// yet; the program then hands it over itself. Over an invitation without a handshake it names the service for the
  /// answer.
  package mutating func offer(with session: Session) throws -> String {
    guard machine.proposal == nil else { throw ExchangeError.notReady }
    try prepareOffer(over: nil, of: nil, with: session)
    guard let offer = machine.offer else { throw ExchangeError.ended }
    guard session.settings.isVersion3 else {
      var message = offer.json
      if let route, route.isInvitation { message["~service"] = route.service.decorator }
      return message.text
    }
    let older = try OlderOffer.json(of: offer.json)
    return JSON.object(["credential_offer": older]).text
  }

  /// Makes the offer, which the wallet keeps: a process that ended before it has noted that the offer was sent sends the
  /// same one again.
  ///
  /// An offer that answers a proposal has the proposal's version and format.
  private mutating func prepareOffer(
    over route: Route?, of connection: Connection?, with session: Session
  ) throws {
    guard case .planned(let planned) = machine.state, planned.offer == nil else { return }
    let proposal = planned.answering?.proposal
    let dialect = proposal?.dialect ?? session.issuingDialect(machine.form, over: connection)
    let wanted = proposal.map { (try? $0.content().format) ?? .indy } ?? machine.form.format
    let usual =
      session.settings.exchanges.format ?? (planned.definitionID.isQualifiedID ? ContentFormat.anonCreds : .indy)
    let terms = CredentialTerms(planned.terms, of: planned.definitionID)
    let name = route.map { issuance(over: $0) } ?? thread
    let answered = route.flatMap { machine.threadOfOffer(over: $0) }
    let message = try session.credentialIssuer().offer(of: terms, on: name, id: planned.id) { offer in
      planned.message(AttachedContent(text: offer, format: wanted ?? usual), in: dialect, on: answered).json
    }
    var next = machine
    next.prepare(try IssueCredentialMessage(.offer, message))
    enter(next)
  }
}

// MARK: - Issuing

extension IssuerCredential {
  /// Issues the requested credential and sends it. Does nothing in other states.
  ///
  /// Refuses a request that does not answer the offer: tells the holder, and ends the exchange. After a fault on this side,
  /// such as a holder that cannot be reached, the state stays, and the call sends the same credential again.
  package mutating func sendCredential(with session: Session) throws {
    guard case .requested(let requested) = machine.state else { return }
    let issued: IssuedCredential
    do {
      issued = try issue(requested, with: session)
    } catch let error where Self.isRefusal(error) {
      if try noteEarlierCredential(with: session) { throw error }
      try step(over: requested.route, with: session) { machine in
        machine.refuseRequest(because: "error occurred: \(error)", id: .randomUUID())
      }
      throw error
    }
    let place = requested.terms.place(of: issued)
    guard let text = issued.text else {
      var next = machine
      next.noteIssued(at: place)
      return enter(next)
    }
    let answer = try step(over: requested.route, with: session) { machine throws(MessageError) in
      try machine.issue(text, at: place, id: .uuid(derivedFrom: text))
    }
    if let answer { _ = try receive(answer.message, from: answer.sender, with: session) }
  }

  private func issue(_ requested: IssuerMachine.Requested, with session: Session) throws -> IssuedCredential {
    let issuer = try session.credentialIssuer()
    let offer = try CredentialOffer(requested.offer)
    let issued = try issuer.issue(
      CredentialTerms(requested.terms, of: offer.definitionID), answering: requested.request.content().text,
      to: offer.content.text, on: issuance(over: requested.route), prepare: session.learnPlaces)
    if issued.needsPublication, let registryID = requested.terms.registryID {
      try session.publishPending(of: registryID)
    }
    return issued
  }

  /// Whether the fault is the request's, so that no other attempt would help.
  private static func isRefusal(_ error: any Error) -> Bool {
    switch error {
    case is MessageError, IssuingError.malformedRequest: true
    default: false
    }
  }
}

// MARK: - Receiving

extension IssuerCredential {
  /// Polls the mailbox of the connection for the holder's next message. Applies only messages of its own thread.
  package mutating func update(with session: Session) throws { try poll(with: session) }

  package mutating func receive(_ message: Message, from sender: Sender, with session: Session) throws -> Action {
    guard let route else { return .leave }
    if message.isVerdict, message.thread?.thid == thread, (try? route.require(sender)) != nil {
      _ = try noteEarlierCredential(with: session)
    }
    let action = try step(through: { RouteOutbox(route, with: session) }) { machine throws(ProtocolError) in
      try machine.receive(message, from: sender)
    }
    if case .finished = machine.state { session.forgetIssuance(on: issuance(over: route)) }
    return action
  }
}

extension Message {
  /// Whether the message may be a holder's answer to a credential.
  fileprivate var isVerdict: Bool {
    switch self {
    case .problemReport: true
    case .ack(let ack): !ack.isPending
    default: false
    }
  }
}

extension IssuerCredential {
  /// Notes the credential that an earlier process has sent, or whose delivery has failed. Returns whether there is one. Neither
  /// a report, a second request nor a withdrawal ends an exchange whose credential could then not be revoked.
  mutating func noteEarlierCredential(with session: Session) throws -> Bool {
    let (terms, route): (IssuerMachine.Terms, Route)
    switch machine.state {
    case .offered(let offered): (terms, route) = (offered.terms, offered.route)
    case .requested(let requested): (terms, route) = (requested.terms, requested.route)
    case .proposed, .planned, .issued, .finished: return false
    }
    guard let issued = try session.credentialIssuer().issued(on: issuance(over: route)) else { return false }
    var next = machine
    next.noteIssued(at: terms.place(of: issued))
    enter(next)
    return true
  }
}

extension IssuerMachine.Terms {
  /// The place of a credential; nil if it has none. These terms may be of an earlier offer, with another registry.
  fileprivate func place(of issued: IssuedCredential) -> IssuerMachine.Place? {
    guard let index = issued.index, let registryID = issued.registryID ?? registryID else { return nil }
    return IssuerMachine.Place(registryID: registryID, index: index, tailsFolder: tailsFolder)
  }
}

extension CredentialTerms {
  fileprivate init(_ terms: IssuerMachine.Terms, of definitionID: String) {
    self.init(definitionID: definitionID, registryID: terms.registryID, values: terms.values.raw)
  }
}
