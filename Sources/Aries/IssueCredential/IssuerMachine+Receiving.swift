internal import JSON
internal import Sodium

// MARK: - The holder's messages

extension IssuerMachine {
  /// Applies a message of the holder. The first request counts. Another holder of the same offer gets a report; other
  /// requests on the thread are left, and so is an ack of a holder who has not decided yet.
  package mutating func receive(_ message: Message, from sender: Sender) throws(ProtocolError) -> Action {
    guard let route, message.thread?.thid == thread.thid else { return .leave }
    let received = thread.received(from: route.peerDID)
    switch (state, message) {
    case (.offered(let state), .issueCredential(let request)) where request.step == .request:
      try requireHolder(sender, of: request, over: route)
      try accept(request, state, on: received)
      return .nothing
    case (.offered(let state), .issueCredential(let proposal)) where proposal.step == .propose:
      guard !state.answered.contains(proposal.id) else { return .leave }
      try requireHolder(sender, of: proposal, over: route)
      return try take(proposal, state, on: received)
    case (_, .problemReport(let report)):
      if isHolderKnown { try route.require(sender) } else { try route.requireAnswer(from: sender) }
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

  /// Throws if the holder cannot have sent a message.
  private func requireHolder(
    _ sender: Sender, of message: IssueCredentialMessage, over route: Route
  ) throws(ProtocolError) {
    if isHolderKnown { try route.require(sender) } else { try route.requireAnswer(message, from: sender) }
  }

  /// Whether the holder has sent a message: without a handshake, it is known by its request or its proposal.
  private var isHolderKnown: Bool {
    switch state {
    case .offered(let state): !state.answered.isEmpty
    case .proposed, .planned, .requested, .issued, .finished: true
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

  /// Takes a proposal in, about which the program decides. A proposal that cannot be used, or that comes after too many
  /// others, ends the exchange.
  private mutating func take(
    _ proposal: IssueCredentialMessage, _ offered: Offered, on thread: Thread
  ) throws(ProtocolError) -> Action {
    guard let route = offered.route.answering(proposal) else { throw .noReplyService }
    guard let reason = Self.flaw(of: proposal, after: offered) else {
      self.thread = thread
      self.thread.pthid = thread.pthid ?? proposal.thread.pthid
      state = .proposed(Proposed(proposal: proposal, route: route, answered: offered.answered))
      return .nothing
    }
    let report = ProblemReport(
      in: proposal.dialect, id: .uuid(derivedFrom: proposal.id + offered.offer.id), code: "issuance-abandoned",
      explanation: "The credential proposal cannot be used.", comment: reason, thread: thread)
    finish(.failed(report), on: thread)
    return route.send(report.json)
  }

  private static func flaw(of proposal: IssueCredentialMessage, after offered: Offered) -> String? {
    guard offered.answered.count < mostRounds else { return "there were \(mostRounds) proposals before" }
    do { _ = try CredentialProposal(proposal) } catch { return "\(error)" }
    return nil
  }
}
