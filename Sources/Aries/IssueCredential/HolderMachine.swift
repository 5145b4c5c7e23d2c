package import JSON

/// The holder's side of issue-credential, from the offer or from its own proposal on.
///
/// It decides and does nothing: the caller creates the request, verifies and stores the credential, and sends.
package struct HolderMachine: Equatable, Sendable {
  /// The thread of the exchange. A wallet holds the credential under its `thid`.
  package private(set) var thread: Thread
  package private(set) var state: State
  /// The form in which the program wants to propose.
  package private(set) var form = ExchangeForm.undecided

  package enum State: Equatable, Sendable {
    /// A proposal of this side that is not sent yet. It is kept in version 1.0; the peer decides its version on the
    /// wire.
    case proposing(IssueCredentialMessage)
    case proposed(Proposed)
    case offered(Offered)
    case requested(Requested)
    case finished(Finished)
  }

  /// The holder has sent the proposal, perhaps in answer to an offer.
  package struct Proposed: Equatable, Sendable {
    package let proposal: IssueCredentialMessage
    package let route: Route
    /// The ids of earlier offers. They stay in the mailbox, and must not be taken for new ones.
    let answered: [String]
  }

  /// The issuer has sent the offer.
  package struct Offered: Equatable, Sendable {
    package let offer: IssueCredentialMessage
    /// The way of the proposal that the offer answers. Without a proposal it is nil: the issuer's key is unknown, and no
    /// message has an effect.
    package let route: Route?
    /// The ids of earlier offers.
    let answered: [String]
  }

  /// The holder has sent the request.
  package struct Requested: Equatable, Sendable {
    package let offer: IssueCredentialMessage
    /// The engine needs both again for the credential, as JSON text: the secrets of the request, which are worth
    /// nothing without the link secret, and the credential definition.
    package let metadata: String
    package let definition: String
    package let route: Route
  }

  package struct Finished: Equatable, Sendable {
    package let offer: IssueCredentialMessage?
    /// The id under which the wallet holds the credential.
    package let credentialID: String?
    package let credential: IssueCredentialMessage?
    package let status: ExchangeStatus
  }

  init(_ state: State, on thread: Thread) {
    self.thread = thread
    self.state = state
  }

  /// An offer. Throws if no request can be made from it.
  package init(offer json: JSON) throws(MessageError) {
    let offer = try CredentialOffer(json).message
    self.init(.offered(Offered(offer: offer, route: nil, answered: [])), on: offer.thread.begun())
  }

  /// A proposal of this side, which `propose` sends. `id` begins the thread.
  package init(proposing proposal: CredentialProposal, comment: String?, in form: ExchangeForm, id: String) {
    let message = IssueCredentialMessage(
      proposing: proposal, comment: comment, id: id, thread: nil, in: Dialect(CredentialStep.family, 1), .indy)
    self.init(proposing: message, in: form, on: Thread(thid: id).begun())
  }

  init(proposing message: IssueCredentialMessage, in form: ExchangeForm, on thread: Thread) {
    self.init(.proposing(message), on: thread)
    self.form = form
  }
}

// MARK: - Facts

extension HolderMachine {
  /// The offer to answer, also after the answer. A proposal makes it obsolete.
  package var offer: IssueCredentialMessage? {
    switch state {
    case .proposing, .proposed: nil
    case .offered(let state): state.offer
    case .requested(let state): state.offer
    case .finished(let state): state.offer
    }
  }

  /// The way of the issuer's next message. Nil if none is awaited.
  package var route: Route? {
    switch state {
    case .proposed(let state): state.route
    case .offered(let state): state.route
    case .requested(let state): state.route
    case .proposing, .finished: nil
    }
  }

  /// The proposal that is not sent yet.
  package var planned: CredentialProposal? {
    if case .proposing(let message) = state { try? CredentialProposal(message) } else { nil }
  }
}

// MARK: - Proposing

extension HolderMachine {
  /// Sends the proposal, in the version and the format that the peer understands. Does nothing in other states.
  package mutating func propose(
    inVersion major: Int, _ format: ContentFormat, over route: Route
  ) throws(MessageError) -> Action {
    guard case .proposing(let planned) = state else { return .nothing }
    let proposal = IssueCredentialMessage(
      proposing: try CredentialProposal(planned), comment: planned.comment, id: planned.id, thread: thread,
      in: Dialect(CredentialStep.family, major), format)
    enter(.proposed(Proposed(proposal: proposal, route: route, answered: [])), on: thread)
    return route.send(proposal.json)
  }

  /// Proposes another credential than the offered one, on the thread of the offer and in its version. Throws in other
  /// states, and after too many rounds.
  package mutating func propose(
    instead proposal: CredentialProposal, comment: String?, id: String, over route: Route
  ) throws(ProtocolError) -> Action {
    guard case .offered(let offered) = state, offered.answered.count < mostRounds else { throw .outOfTurn }
    let format: ContentFormat
    do { format = try offered.offer.content().format } catch { throw .malformed(error) }
    let thread = threadOfAnswer(to: offered, over: route)
    let message = IssueCredentialMessage(
      proposing: proposal, comment: comment, id: id, thread: thread, in: offered.offer.dialect, format)
    enter(
      .proposed(Proposed(proposal: message, route: route, answered: offered.answered + [offered.offer.id])), on: thread)
    return route.send(message.json)
  }

  /// The thread of this side's next message after an offer. Without a proposal before, it is the first one.
  private func threadOfAnswer(to offered: Offered, over route: Route) -> Thread {
    offered.route == nil ? thread.received(from: route.peerDID) : thread.next()
  }

  private mutating func enter(_ state: State, on thread: Thread) { self = HolderMachine(state, on: thread) }
}

// MARK: - The holder's steps

extension HolderMachine {
  /// Requests the credential. `content` and `metadata` are the engine's results for the offer and the definition. Does
  /// nothing in later states.
  package mutating func request(
    _ content: String, metadata: String, definition: String, id: String, over route: Route
  ) throws(MessageError) -> Action {
    guard case .offered(let offered) = state else { return .nothing }
    let (offer, thread) = (offered.offer, threadOfAnswer(to: offered, over: route))
    let request = IssueCredentialMessage(
      .request, in: offer.dialect, id: id, thread: thread,
      content: AttachedContent(text: content, format: try offer.content().format))
    enter(
      .requested(Requested(offer: offer, metadata: metadata, definition: definition, route: route)), on: thread)
    return route.send(request.json)
  }

  /// Tells the issuer that no request can be made from its offer, which stays.
  package func refusalOfOffer(because comment: String, id: String, over route: Route) -> Action {
    guard case .offered(let offered) = state else { return .nothing }
    let report = offered.offer.report(comment, id: id, thread: threadOfAnswer(to: offered, over: route))
    return route.notify(report.json)
  }

  /// Declines the offer, or withdraws the proposal. Does nothing before there is a message, and once the exchange has
  /// ended.
  package mutating func reject(_ comment: String?, id: String, over route: Route) -> Action {
    let (thread, dialect): (Thread, Dialect)
    switch state {
    case .offered(let state): (thread, dialect) = (threadOfAnswer(to: state, over: route), state.offer.dialect)
    case .requested(let state): (thread, dialect) = (self.thread.next(), state.offer.dialect)
    case .proposed(let state): (thread, dialect) = (self.thread.next(), state.proposal.dialect)
    case .proposing, .finished: return .nothing
    }
    let explanation = offer == nil ? "credential-proposal was withdrawn." : "credential-offer was rejected."
    let report = ProblemReport(
      in: dialect, id: id, code: "rejection", explanation: explanation, comment: comment, thread: thread)
    finish(.rejected(report), on: thread)
    return route.send(report.json)
  }

  private mutating func finish(
    _ status: ExchangeStatus, on thread: Thread, storedAs id: String? = nil, _ credential: IssueCredentialMessage? = nil
  ) {
    self.thread = thread
    state = .finished(Finished(offer: offer, credentialID: id, credential: credential, status: status))
  }
}

// MARK: - The issuer's messages

extension HolderMachine {
  /// Returns the credential in a message. The caller verifies and stores it, and then calls `accept` or `refuse`.
  /// Returns nil for every other message, which goes to `receive`.
  package func credential(
    in message: Message, from sender: Sender
  ) throws(ProtocolError) -> IssueCredentialMessage? {
    guard case .requested(let state) = state, case .issueCredential(let credential) = message,
      credential.step == .issue, credential.thread.thid == thread.thid
    else { return nil }
    try state.route.require(sender)
    return credential
  }

  /// Notes that the credential is stored. The issuer gets an ack even if it did not ask: some issuers wait for it
  /// without asking.
  package mutating func accept(_ credential: IssueCredentialMessage, storedAs id: String, ackID: String) -> Action {
    guard let route else { return .nothing }
    finish(.succeeded, on: thread.received(from: route.peerDID).next(), storedAs: id, credential)
    return route.send(Ack(id: ackID, thread: thread).json(in: credential.dialect))
  }

  /// Refuses a credential that differs from the offer or is not genuine: tells the issuer, which may send another.
  package func refuse(_ credential: IssueCredentialMessage, because comment: String, id: String) -> Action {
    guard let route else { return .nothing }
    let report = ProblemReport(
      in: credential.dialect, id: id, code: "invalid-credential", explanation: "The credential was refused.",
      comment: comment, thread: thread.received(from: route.peerDID).next())
    return route.notify(report.json)
  }

  /// Applies a message other than a new credential. A repeated credential has no further effect. `id` is the id of the
  /// report, if an offer must be refused.
  package mutating func receive(
    _ message: Message, from sender: Sender, id: String
  ) throws(ProtocolError) -> Action {
    guard message.thread?.thid == thread.thid else { return .leave }
    switch (state, message) {
    case (.proposed(let state), .issueCredential(let offer)) where offer.step == .offer:
      guard !state.answered.contains(offer.id) else { return .leave }
      try state.route.require(sender)
      return receive(offer, after: state, id: id)
    case (.proposed, .problemReport(let report)), (.offered, .problemReport(let report)),
      (.requested, .problemReport(let report)):
      guard let route else { return .leave }
      try route.require(sender)
      finish(.failed(report), on: thread.received(from: route.peerDID))
      return .nothing
    case (.finished(let state), .issueCredential(let credential)):
      return credential.id == state.credential?.id ? .nothing : .leave
    default: return .leave
    }
  }

  /// Takes the answer to a proposal in. An offer from which no request can be made ends the exchange on both sides.
  private mutating func receive(_ offer: IssueCredentialMessage, after state: Proposed, id: String) -> Action {
    let thread = thread.received(from: state.route.peerDID)
    do { _ = try CredentialOffer(offer) } catch {
      let report = offer.report("\(error)", id: id, thread: thread.next())
      finish(.failed(report), on: thread.next())
      return .refuse(.malformed(error), report: state.route.prepared(report.json), to: state.route.service)
    }
    enter(.offered(Offered(offer: offer, route: state.route, answered: state.answered)), on: thread)
    return .nothing
  }
}

extension IssueCredentialMessage {
  /// The report that no request can be made from this offer.
  fileprivate func report(_ comment: String, id: String, thread: Thread) -> ProblemReport {
    ProblemReport(
      in: dialect, id: id, code: "invalid-credential-offer", explanation: "The credential offer cannot be used.",
      comment: comment, thread: thread)
  }
}
