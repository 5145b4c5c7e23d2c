package import JSON

/// The holder's side of issue-credential, from the offer on.
///
/// It decides and does nothing: the caller creates the request, verifies and stores the credential, and sends.
package struct HolderMachine: Equatable, Sendable {
  /// The thread of the exchange. A wallet holds the credential under its `thid`.
  package private(set) var thread: Thread
  package private(set) var state: State

  package enum State: Equatable, Sendable {
    /// The holder has sent no request, so the issuer's key is unknown, and no message has an effect.
    case offered(IssueCredentialMessage)
    case requested(Requested)
    case finished(Finished)
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
    self.init(.offered(offer), on: offer.thread.begun())
  }
}

// MARK: - Facts

extension HolderMachine {
  package var offer: IssueCredentialMessage? {
    switch state {
    case .offered(let offer): offer
    case .requested(let state): state.offer
    case .finished(let state): state.offer
    }
  }

  /// The way of the answer to the request. Nil if none is awaited.
  package var route: Route? {
    if case .requested(let state) = state { state.route } else { nil }
  }
}

// MARK: - The holder's steps

extension HolderMachine {
  /// Requests the credential. `content` and `metadata` are the engine's results for the offer and the definition. Does
  /// nothing in later states.
  package mutating func request(
    _ content: String, metadata: String, definition: String, id: String, over route: Route
  ) throws(MessageError) -> Action {
    guard case .offered(let offer) = state else { return .nothing }
    let thread = thread.received(from: route.peerDID)
    let request = IssueCredentialMessage(
      .request, in: offer.dialect, id: id, thread: thread,
      content: AttachedContent(text: content, format: try offer.content().format))
    self.thread = thread
    state = .requested(Requested(offer: offer, metadata: metadata, definition: definition, route: route))
    return route.send(request.json)
  }

  /// Tells the issuer that no request can be made from its offer, which stays.
  package func refusalOfOffer(because comment: String, id: String, over route: Route) -> Action {
    guard case .offered(let offer) = state else { return .nothing }
    let report = ProblemReport(
      in: offer.dialect, id: id, code: "invalid-credential-offer",
      explanation: "The credential offer cannot be used.", comment: comment,
      thread: thread.received(from: route.peerDID))
    return route.notify(report.json)
  }

  /// Declines the offer. Does nothing once the exchange has ended.
  package mutating func reject(_ comment: String?, id: String, over route: Route) -> Action {
    guard let offer else { return .nothing }
    let thread: Thread
    switch state {
    case .offered: thread = self.thread.received(from: route.peerDID)
    case .requested: thread = self.thread.next()
    case .finished: return .nothing
    }
    let report = ProblemReport(
      in: offer.dialect, id: id, code: "rejection", explanation: "credential-offer was rejected.", comment: comment,
      thread: thread)
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
    guard let route, case .issueCredential(let credential) = message, credential.step == .issue,
      credential.thread.thid == thread.thid
    else { return nil }
    try route.require(sender)
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

  /// Applies a message other than a new credential. A repeated credential has no further effect.
  package mutating func receive(_ message: Message, from sender: Sender) throws(ProtocolError) -> Action {
    guard message.thread?.thid == thread.thid else { return .leave }
    switch (state, message) {
    case (.requested(let state), .problemReport(let report)):
      try state.route.require(sender)
      finish(.failed(report), on: thread.received(from: state.route.peerDID))
      return .nothing
    case (.finished(let state), .issueCredential(let credential)):
      return credential.id == state.credential?.id ? .nothing : .leave
    default: return .leave
    }
  }
}
