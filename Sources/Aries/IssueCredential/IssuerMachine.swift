internal import JSON
internal import Sodium

/// The issuer's side of issue-credential, from the plan of an offer on.
///
/// It decides and does nothing: the caller makes the offer and the credential, and sends.
package struct IssuerMachine: Equatable, Sendable {
  /// The thread of the exchange. The offer begins it, and has its id.
  package private(set) var thread: Thread
  package private(set) var state: State

  package enum State: Equatable, Sendable {
    case planned(Planned)
    case offered(Offered)
    case requested(Requested)
    case issued(Issued)
    case finished(Finished)
  }

  /// The credential that is issued: its values, and the revocation registry for it.
  package struct Terms: Equatable, Sendable {
    package let values: CredentialValues
    /// Nil if the credential cannot be revoked.
    package let registryID: String?
    package let tailsFolder: String?

    package init(values: CredentialValues, registryID: String?, tailsFolder: String?) {
      self.values = values
      self.registryID = registryID
      self.tailsFolder = tailsFolder
    }
  }

  /// The issuer has sent nothing.
  package struct Planned: Equatable, Sendable {
    package let terms: Terms
    package let definitionID: String
    /// The name for the holder's user.
    package let name: String
    /// The id of the offer, which begins the thread.
    package let id: String
    /// The offer, once it is made.
    package internal(set) var offer: IssueCredentialMessage?
  }

  /// The issuer has sent the offer.
  package struct Offered: Equatable, Sendable {
    package let terms: Terms
    package let offer: IssueCredentialMessage
    package let route: Route
  }

  /// The holder has requested the credential.
  package struct Requested: Equatable, Sendable {
    package let terms: Terms
    package let offer: IssueCredentialMessage
    package let request: IssueCredentialMessage
    package let route: Route
  }

  /// The issuer has sent the credential, and awaits the ack.
  package struct Issued: Equatable, Sendable {
    package let offer: IssueCredentialMessage
    package internal(set) var delivery: Delivery
  }

  package struct Finished: Equatable, Sendable {
    package let offer: IssueCredentialMessage?
    package let status: ExchangeStatus
    /// The issued credential. Nil if none was issued, or if another library stored the state.
    package internal(set) var delivery: Delivery?
  }

  /// A credential that was issued: the way to its holder, and its place in its revocation registry.
  package struct Delivery: Equatable, Sendable {
    package let route: Route
    package let place: Place?
    /// The time of the revocation in seconds since 1970; nil if the credential is valid.
    package internal(set) var revoked: Int64?
  }

  /// A place in a revocation registry.
  package struct Place: Equatable, Sendable {
    package let registryID: String
    package let index: Int64
    package let tailsFolder: String?

    package init(registryID: String, index: Int64, tailsFolder: String?) {
      self.registryID = registryID
      self.index = index
      self.tailsFolder = tailsFolder
    }
  }

  init(_ state: State, on thread: Thread) {
    self.thread = thread
    self.state = state
  }

  init(_ plan: Planned) { self.init(.planned(plan), on: Thread(thid: plan.id)) }

  /// A credential that is to be offered. `id` is the id of the offer.
  package init(offering terms: Terms, of definitionID: String, name: String, id: String) {
    self.init(Planned(terms: terms, definitionID: definitionID, name: name, id: id))
  }
}

// MARK: - Facts

extension IssuerMachine {
  /// The offer; nil before it is made.
  package var offer: IssueCredentialMessage? {
    switch state {
    case .planned(let state): state.offer
    case .offered(let state): state.offer
    case .requested(let state): state.offer
    case .issued(let state): state.offer
    case .finished(let state): state.offer
    }
  }

  /// The way of the holder's next message. Nil if none is awaited.
  package var route: Route? {
    switch state {
    case .planned, .finished: nil
    case .offered(let state): state.route
    case .requested(let state): state.route
    case .issued(let state): state.delivery.route
    }
  }

  /// The issued credential; nil before, and if none was issued.
  package var delivery: Delivery? {
    switch state {
    case .planned, .offered, .requested: nil
    case .issued(let state): state.delivery
    case .finished(let state): state.delivery
    }
  }
}

extension IssuerMachine.Planned {
  /// The message that offers the credential. `content` is the engine's object.
  package func message(_ content: AttachedContent, in dialect: Dialect) -> IssueCredentialMessage {
    IssueCredentialMessage(
      .offer, in: dialect, id: id, thread: nil, content: content, comment: name,
      members: [("credential_preview", terms.values.preview(in: dialect))])
  }
}

// MARK: - The issuer's steps

extension IssuerMachine {
  /// Keeps the offer until it is sent. Does nothing in later states.
  package mutating func prepare(_ offer: IssueCredentialMessage) {
    guard case .planned(var plan) = state else { return }
    plan.offer = offer
    state = .planned(plan)
  }

  /// Sends the offer; or, to an invitation without a handshake, which carries the offer, only awaits the answer. Does
  /// nothing before the offer is made, and in later states.
  package mutating func sendOffer(over route: Route) -> Action {
    guard case .planned(let plan) = state, let offer = plan.offer else { return .nothing }
    thread = offer.thread.begun()
    state = .offered(Offered(terms: plan.terms, offer: offer, route: route))
    return route.isInvitation ? .nothing : route.send(offer.json)
  }

  /// Sends the credential. Does nothing in other states.
  package mutating func issue(_ content: String, at place: Place?, id: String) throws(MessageError) -> Action {
    guard case .requested(let requested) = state else { return .nothing }
    let message = IssueCredentialMessage(
      .issue, in: requested.request.dialect, id: id, thread: thread.next(),
      content: AttachedContent(text: content, format: try requested.request.content().format),
      members: [("~please_ack", [:])])
    noteIssued(at: place)
    return requested.route.send(message.json)
  }

  /// Notes that the credential was sent by an earlier process, which has also received the holder's answer.
  package mutating func noteIssued(at place: Place?) {
    guard case .requested(let requested) = state else { return }
    thread = thread.next()
    state = .issued(Issued(offer: requested.offer, delivery: Delivery(route: requested.route, place: place)))
  }

  /// Tells the holder that its request cannot be used. The request stays.
  package func refusalOfRequest(because comment: String, id: String) -> Action {
    guard case .requested(let state) = state else { return .nothing }
    let report = ProblemReport(
      in: state.request.dialect, id: id, code: "invalid-credential-request",
      explanation: "The credential request cannot be used.", comment: comment, thread: thread.next())
    return state.route.notify(report.json)
  }

  /// Notes that the credential is revoked, and tells its holder. With version 1 the notification names the thread, with
  /// version 2 the place in the registry; with nil the holder is not told.
  package mutating func revoke(at time: Int64, notifying version: Int?, id: String) -> Action {
    guard var delivery, let place = delivery.place, delivery.revoked == nil else { return .nothing }
    delivery.revoked = time
    switch state {
    case .planned, .offered, .requested: return .nothing
    case .issued(var issued):
      issued.delivery = delivery
      state = .issued(issued)
    case .finished(var finished):
      finished.delivery = delivery
      state = .finished(finished)
    }
    guard let version else { return .nothing }
    return delivery.route.notify(
      RevocationNotification.json(
        major: version, id: id, thread: thread.thid, registryID: place.registryID, index: place.index))
  }

  private mutating func finish(_ status: ExchangeStatus, on thread: Thread) {
    self.thread = thread
    state = .finished(Finished(offer: offer, status: status, delivery: delivery))
  }
}

// MARK: - The holder's messages

extension IssuerMachine {
  /// Applies a message of the holder. The first request counts. Another holder of the same offer gets a report; other
  /// requests on the thread are left, and so is an ack of a holder who has not decided yet.
  package mutating func receive(_ message: Message, from sender: Sender) throws(ProtocolError) -> Action {
    guard let route, message.thread?.thid == thread.thid else { return .leave }
    let received = thread.received(from: route.peerDID)
    switch (state, message) {
    case (.offered(let state), .issueCredential(let request)) where request.step == .request:
      try route.requireAnswer(request, from: sender)
      try accept(request, state, on: received)
      return .nothing
    case (.offered(let state), .issueCredential(let proposal)) where proposal.step == .propose:
      try route.requireAnswer(proposal, from: sender)
      return decline(proposal, state, on: received)
    case (_, .problemReport(let report)):
      // The holder is known by its request.
      if case .offered = state { try route.requireAnswer(from: sender) } else { try route.require(sender) }
      finish(.rejected(report), on: received)
      return .nothing
    case (_, .issueCredential(let request)) where request.step == .request:
      return refusalOfOther(request, than: route)
    case (.issued, .ack(let ack)) where !ack.isPending:
      try route.require(sender)
      finish(ack.isFailure ? .rejected(ProblemReport(ack)) : .succeeded, on: received)
      return .nothing
    default: return .leave
    }
  }

  /// Takes the request in. Without a handshake, it names the service for the credential.
  private mutating func accept(
    _ request: IssueCredentialMessage, _ offered: Offered, on thread: Thread
  ) throws(ProtocolError) {
    guard let route = offered.route.answering(request) else { throw .noReplyService }
    self.thread = thread
    self.thread.pthid = thread.pthid ?? request.thread.pthid
    state = .requested(Requested(terms: offered.terms, offer: offered.offer, request: request, route: route))
  }

  /// Tells another holder than the first one that the offer is taken. An offer that an invitation carries can come to
  /// several holders.
  private func refusalOfOther(_ request: IssueCredentialMessage, than route: Route) -> Action {
    guard let reply = route.answering(request), let service = try? request.replyService(),
      Set(service.recipientKeys).isDisjoint(with: route.service.recipientKeys), reply.service == service
    else { return .leave }
    let report = ProblemReport(
      in: request.dialect, id: .uuid(derivedFrom: request.id + thread.thid), code: "issuance-abandoned",
      explanation: "Another holder has accepted the offer.", comment: nil,
      thread: Thread(thid: thread.thid, pthid: request.thread.pthid))
    return reply.notify(report.json)
  }

  /// The issuer offers what it offers: a proposal of something else ends the exchange.
  private mutating func decline(_ proposal: IssueCredentialMessage, _ state: Offered, on thread: Thread) -> Action {
    let report = ProblemReport(
      in: proposal.dialect, id: .uuid(derivedFrom: proposal.id + state.offer.id), code: "unimplemented",
      explanation: "The protocol for received message is not implemented.",
      comment: "credential-proposal message is not supported", thread: thread)
    finish(.failed(report), on: thread)
    return state.route.answering(proposal)?.send(report.json) ?? .nothing
  }
}
