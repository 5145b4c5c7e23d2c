package import Aries
internal import Credentials
internal import JSON
internal import Logging
internal import Sodium

// MARK: - Requesting

extension RequestedProof {
  /// Sends the request over a connection, in the version that the prover is likely to understand. After a proposal, the
  /// request is the proposed one. Over an invitation without a handshake, which carries the request itself, it sends
  /// nothing and awaits the answer. Does nothing in other states.
  package mutating func send(over connection: Connection, with session: Session) throws {
    let route = try connection.route()
    switch machine.state {
    case .initiated, .prepared:
      let (version, format) = form(over: connection, with: session)
      let id = requestID(for: connection)
      renewNonce(for: connection)
      try step(over: route, with: session) { machine in
        machine.send(id: id, inVersion: version, format, over: route)
      }
    case .proposed(let state):
      let draft = try ProofRequestDraft(answering: state.proposal)
      try answer(with: draft, over: route, with: session)
    case .sent, .finished: return
    }
  }

  /// Answers a proposal with another request than the proposed one. The texts are arguments of `vcx_proof_create`. Does
  /// nothing in other states.
  package mutating func request(
    attributes: String, predicates: String, interval: String, name: String, over connection: Connection,
    with session: Session
  ) throws {
    let route = try connection.route()
    let draft = try ProofRequestDraft(attributes: attributes, predicates: predicates, interval: interval, name: name)
    guard case .proposed = machine.state else { return }
    try answer(with: draft, over: route, with: session)
  }

  /// A proposal that came by an invitation is answered where it came from, as long as the connection is that invitation.
  private mutating func answer(with draft: ProofRequestDraft, over given: Route, with session: Session) throws {
    let route = given.isInvitation ? machine.route ?? given : given
    let (request, id) = repeatable(draft)
    try step(over: route, with: session) { machine throws(ProtocolError) in
      try machine.answer(with: request, id: id, over: route)
    }
  }

  /// The request that answers a proposal, and the id of its message. As with `requestID`, a repeated step sends both again.
  private func repeatable(_ draft: ProofRequestDraft) -> (request: JSONObject, id: String) {
    guard case .proposed(let state) = machine.state, let id = keeping.repeatedID else {
      return (draft.request, .randomUUID())
    }
    let request = draft.repeatable(with: JSON([id, state.proposal.id]).text).request
    return (request, .uuid(derivedFrom: JSON(["answer", id, state.proposal.id, JSON.object(request).text]).text))
  }

  /// Notes the connection whose mailbox will receive the answer to a request that the program sends by itself. Does
  /// nothing in other states.
  package mutating func bind(to connection: Connection) throws {
    let route = try connection.route()
    guard case .connection = route else { throw ConnectionError.noMailbox }
    machine.bind(to: route)
  }

  /// The message of the request as JSON text, for a program that sends it by itself.
  package mutating func requestMessage(with session: Session?) throws -> String {
    let (version, format) = form(over: nil, with: session)
    renewNonce(for: nil)
    var next = machine
    next.prepare(id: requestID(for: nil), inVersion: version, format)
    guard let request = next.requestToPass else { throw ExchangeError.notReady }
    enter(next)
    return request.json.text
  }

  /// The id of the request's message. A process that forgets the step of a kept object and repeats it sends the same request
  /// again. A program may send the request of one text several times, so those have new ids.
  private func requestID(for connection: Connection?) -> String {
    guard let id = keeping.repeatedID else { return .randomUUID() }
    return .uuid(derivedFrom: JSON(["request", id, connection?.pairwiseDID ?? ""]).text)
  }

  /// Gives the request a nonce of its own before it leaves. A repeated step gives the same nonce.
  private mutating func renewNonce(for connection: Connection?) {
    guard case .initiated(let request) = machine.state else { return }
    let secret = keeping.repeatedID.map { JSON(["nonce", $0, connection?.pairwiseDID ?? ""]).text }
    var next = machine
    next.replace(request: ProofRequestDraft.renewed(request, with: secret))
    enter(next)
  }

  /// The version and the format to begin in.
  private func form(over connection: Connection?, with session: Session?) -> (version: Int, format: ContentFormat) {
    guard case .initiated(let request) = machine.state else { return (1, .indy) }
    let (chosen, settings) = (machine.form, session?.settings.exchanges)
    let needed: ContentFormat = ProofRequestDraft.namesQualifiedIDs(request) ? .anonCreds : .indy
    let version = chosen.version ?? settings?.proofVersion ?? session?.version(of: ProofStep.family, over: connection)
    return (version ?? 1, chosen.format ?? settings?.format ?? needed)
  }

  /// Declines a proposal, or withdraws the request; `reason` is for the prover's user. Throws in other states.
  package mutating func decline(because reason: String?, over connection: Connection, with session: Session) throws {
    let route =
      switch machine.state {
      case .proposed(let proposed): try proposed.route ?? connection.route()
      case .sent(let sent): sent.route
      case .initiated, .prepared, .finished: throw ProtocolError.outOfTurn
      }
    let id = try refusalID(on: threadID(), because: reason)
    try step(over: route, with: session) { machine throws(ProtocolError) in
      try machine.decline(because: reason, id: id, over: route)
    }
  }
}

extension ProofRequestDraft {
  /// The request that a prover proposes. A preview of version 1.0 becomes one.
  fileprivate init(answering proposal: PresentProofMessage) throws {
    if let preview = proposal.object["presentation_proposal"] {
      let proposed = try PresentationPreview(proposed: preview).request(name: proposal.comment, isForAnyValue: true)
      try self.init(proposed: proposed.requireObject())
    } else {
      try self.init(proposed: proposal.onlyContent().json().requireObject())
    }
  }
}

// MARK: - Receiving

extension RequestedProof {
  /// Polls the mailbox for the prover's answer, and judges a presentation. Applies only messages of its own thread.
  package mutating func update(with session: Session) throws { try poll(with: session) }

  /// Applies a message that the program hands over: an entry of its downloads, or the text of the message. Ignores messages
  /// of other threads. Throws if the program has not named the connection of the answer.
  package mutating func receive(_ text: String, with session: @autoclosure () throws -> Session) throws {
    if case .finished = machine.state { return }
    let handed = try HandedMessage(parsing: text)
    _ = try Message(handed.json)
    guard route != nil else { throw ProtocolError.outOfTurn }
    try receive(handed, with: session())
  }

  /// Judges a presentation even if the answer to it cannot be delivered, which is only logged.
  package mutating func receive(_ message: Message, from sender: Sender, with session: Session) throws -> Action {
    guard let route else { return .leave }
    let outbox = RouteOutbox(route, with: session, needsDelivery: false)
    guard let presentation = try machine.presentation(in: message, from: sender) else {
      return try step(through: { outbox }) { machine throws(ProtocolError) in
        try machine.receive(message, from: sender)
      }
    }
    let (judged, verdict) = try judge(presentation, with: session)
    let assessment = Assessment(verdict)
    if let comment = assessment.comment { Log.warning("\(Self.kind): \(comment)") }
    return try step(through: { outbox }) { machine in
      machine.conclude(judged, assessment, id: .randomUUID())
    }
  }

  /// Judges a presentation. Returns the message with the judged presentation only: programs are shown nothing else.
  /// Throws if this side cannot decide now.
  private func judge(
    _ message: PresentProofMessage, with session: Session
  ) throws -> (judged: PresentProofMessage, Verdict) {
    guard let request = machine.request else { throw ExchangeError.notReady }
    let verifier = try session.presentationVerifier()
    let content: AttachedContent
    do { content = try message.onlyContent().reread(verifier.canonical) } catch {
      return (message.attaching(only: nil), error == .ambiguous ? .ambiguous : .malformed)
    }
    let verdict = try verifier.verdict(on: content.text, for: request.content().text)
    return (message.attaching(only: content), verdict)
  }
}

extension AttachedContent {
  /// The object as this library reads and judges it. A repeated name, which readers take differently, is gone, and public
  /// objects have their ids in one form.
  fileprivate func reread(_ canonical: (JSON) -> JSON) throws(MessageError) -> AttachedContent {
    AttachedContent(text: canonical(try json()).text, format: format)
  }
}
