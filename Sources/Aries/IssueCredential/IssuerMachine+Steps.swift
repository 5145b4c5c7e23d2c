internal import JSON
internal import Sodium

extension IssuerMachine.Planned {
  /// The message that offers the credential. `content` is the engine's object. `thread` is the thread of a proposal.
  package func message(
    _ content: AttachedContent, in dialect: Dialect, on thread: Thread? = nil
  ) -> IssueCredentialMessage {
    IssueCredentialMessage(
      .offer, in: dialect, id: id, thread: thread, content: content, comment: name,
      members: [("credential_preview", terms.values.preview(in: dialect))])
  }
}

// MARK: - The issuer's steps

extension IssuerMachine {
  /// Decides about the offer that answers a proposal: the terms are the program's, not the holder's. Throws if no
  /// proposal waits for an answer.
  package mutating func plan(_ terms: Terms, of definitionID: String, name: String) throws(ProtocolError) {
    let proposed: Proposed
    switch state {
    case .proposed(let state): proposed = state
    case .planned(let plan):
      guard plan.offer == nil, let answering = plan.answering else { throw .outOfTurn }
      proposed = answering
    case .offered, .requested, .issued, .finished: throw .outOfTurn
    }
    // A process that forgets the plan and makes it again offers the same again.
    let id = String.uuid(derivedFrom: "\(thread.thid) \(proposed.proposal.id)")
    state = .planned(Planned(terms: terms, definitionID: definitionID, name: name, id: id, answering: proposed))
  }

  /// The thread of the offer that answers a proposal, over the route of the answer; nil if the offer begins the thread.
  package func threadOfOffer(over route: Route) -> Thread? {
    guard case .planned(let plan) = state, let proposed = plan.answering else { return nil }
    let received = proposed.route == nil ? thread.received(from: route.peerDID) : thread
    return proposed.answered.isEmpty && isBegunByHolder ? received : received.next()
  }

  /// Declines a proposal, or withdraws an offer until the credential is sent, which ends the exchange. Throws in other
  /// states: nobody is known to be told of an offer that only an invitation carries.
  package mutating func decline(
    because comment: String?, id: String, over route: Route
  ) throws(ProtocolError) -> Action {
    let (thread, dialect, code, explanation): (Thread, Dialect, String, String)
    switch state {
    case .proposed(let state):
      thread = state.route == nil ? self.thread.received(from: route.peerDID) : self.thread
      (dialect, code, explanation) = (state.proposal.dialect, "rejection", "credential-proposal was rejected.")
    case .offered, .requested:
      guard let offer, !route.isInvitation else { throw .outOfTurn }
      thread = self.thread.next()
      (dialect, code, explanation) = (offer.dialect, "issuance-abandoned", "credential-offer was withdrawn.")
    case .planned, .issued, .finished: throw .outOfTurn
    }
    let report = ProblemReport(
      in: dialect, id: id, code: code, explanation: explanation, comment: comment, thread: thread)
    finish(.rejected(report), on: thread)
    return route.send(report.json)
  }

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
    thread = plan.answering == nil ? offer.thread.begun() : offer.thread
    let answered = plan.answering.map { $0.answered + [$0.proposal.id] } ?? []
    state = .offered(Offered(terms: plan.terms, offer: offer, route: route, answered: answered))
    form = .undecided
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

  /// Notes that an earlier process has sent the credential. That process has also received the holder's request, if this state
  /// lacks it. Does nothing in other states.
  package mutating func noteIssued(at place: Place?) {
    let (offer, route): (IssueCredentialMessage, Route)
    switch state {
    case .offered(let offered):
      (offer, route) = (offered.offer, offered.route)
      thread = thread.received(from: route.peerDID)
    case .requested(let requested): (offer, route) = (requested.offer, requested.route)
    case .proposed, .planned, .issued, .finished: return
    }
    thread = thread.next()
    state = .issued(Issued(offer: offer, delivery: Delivery(route: route, place: place)))
  }

  /// Tells the holder that its request cannot be used, which ends the exchange. Does nothing in other states.
  package mutating func refuseRequest(because comment: String, id: String) -> Action {
    guard case .requested(let state) = state else { return .nothing }
    let thread = thread.next()
    let report = ProblemReport(
      in: state.request.dialect, id: id, code: "invalid-credential-request",
      explanation: "The credential request cannot be used.", comment: comment, thread: thread)
    finish(.failed(report), on: thread)
    return state.route.notify(report.json)
  }

  /// Notes that the credential is revoked, and tells its holder. With version 1 the notification names the thread, with
  /// version 2 the place in the registry; with nil the holder is not told.
  package mutating func revoke(at time: Int64, notifying version: Int?, id: String) -> Action {
    guard var delivery, let place = delivery.place, delivery.revoked == nil else { return .nothing }
    delivery.revoked = time
    switch state {
    case .proposed, .planned, .offered, .requested: return .nothing
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

  mutating func finish(_ status: ExchangeStatus, on thread: Thread) {
    self.thread = thread
    state = .finished(Finished(offer: offer, status: status, delivery: delivery))
  }
}
