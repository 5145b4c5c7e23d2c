package import JSON
internal import Sodium

/// The issuer's side of issue-credential, from the plan of an offer or from a holder's proposal on.
///
/// It decides and does nothing: the caller makes the offer and the credential, and sends.
package struct IssuerMachine: Equatable, Sendable {
  /// The thread of the exchange. The first message begins it, and has its id.
  package internal(set) var thread: Thread
  package internal(set) var state: State
  /// Whether a proposal has begun the thread. Its id is then the holder's choice, and other holders may choose the same.
  package internal(set) var isBegunByHolder = false
  /// The form in which the program wants to begin the exchange.
  package internal(set) var form = ExchangeForm.undecided

  package enum State: Equatable, Sendable {
    case proposed(Proposed)
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

  /// The holder proposes a credential, perhaps in answer to an offer. The program decides about the answer.
  package struct Proposed: Equatable, Sendable {
    package let proposal: IssueCredentialMessage
    /// Nil for a proposal that the program has handed over, until the program names a connection.
    package let route: Route?
    /// The ids of earlier proposals. They stay in the mailbox, and must not be taken for new ones.
    let answered: [String]
  }

  /// The issuer has not sent the offer.
  package struct Planned: Equatable, Sendable {
    package let terms: Terms
    package let definitionID: String
    /// The name for the holder's user.
    package let name: String
    /// The id of the offer. Without a proposal, the offer begins the thread.
    package let id: String
    /// The proposal that the offer answers.
    package let answering: Proposed?
    /// The offer, once it is made.
    package internal(set) var offer: IssueCredentialMessage?
  }

  /// The issuer has sent the offer.
  package struct Offered: Equatable, Sendable {
    package let terms: Terms
    package let offer: IssueCredentialMessage
    package let route: Route
    /// The ids of the proposals that came before.
    let answered: [String]
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

  /// A credential that is to be offered. `id` is the id of the offer.
  package init(
    offering terms: Terms, of definitionID: String, name: String, in form: ExchangeForm = .undecided, id: String
  ) {
    self.init(
      .planned(Planned(terms: terms, definitionID: definitionID, name: name, id: id, answering: nil)),
      on: Thread(thid: id))
    self.form = form
  }

  /// A proposal that the program hands over.
  package init(proposal json: JSON) throws(MessageError) {
    let proposal = try IssueCredentialMessage(.propose, json)
    _ = try CredentialProposal(proposal)
    self.init(.proposed(Proposed(proposal: proposal, route: nil, answered: [])), on: proposal.thread.begun())
    isBegunByHolder = true
  }
}

// MARK: - Facts

extension IssuerMachine {
  /// The offer; nil before it is made. A proposal makes it obsolete.
  package var offer: IssueCredentialMessage? {
    switch state {
    case .proposed: nil
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
    case .proposed(let state): state.route
    case .offered(let state): state.route
    case .requested(let state): state.route
    case .issued(let state): state.delivery.route
    }
  }

  /// The issued credential; nil before, and if none was issued.
  package var delivery: Delivery? {
    switch state {
    case .proposed, .planned, .offered, .requested: nil
    case .issued(let state): state.delivery
    case .finished(let state): state.delivery
    }
  }
}

extension IssuerMachine {
  /// The holder's proposal, until the offer that answers it is sent.
  package var proposal: IssueCredentialMessage? {
    switch state {
    case .proposed(let state): state.proposal
    case .planned(let state): state.answering?.proposal
    case .offered, .requested, .issued, .finished: nil
    }
  }
}
