package import Aries
internal import JSON
internal import Sodium

extension Credential {
  /// A credential that this side proposes. `text` is the JSON text of the proposal.
  package init(sourceID: String, proposing text: String, comment: String?, in form: ExchangeForm) throws {
    let proposal = try CredentialProposal(parsing: text)
    self.init(
      sourceID: sourceID,
      machine: HolderMachine(proposing: proposal, comment: comment, in: form, id: .randomUUID()))
  }

  /// Sends the proposal, in the chosen version and format, or in the form that the issuer is likely to understand. In
  /// other states there is nothing to propose.
  package mutating func propose(over connection: Connection, with session: Session) throws {
    guard let planned = machine.planned else { return }
    let route = try connection.routeOfProposal()
    let version = session.issuingDialect(machine.form, over: connection).major
    let format = machine.form.format ?? session.settings.exchanges.format ?? planned.neededFormat
    let propose = { (machine: inout HolderMachine) throws(MessageError) in
      try machine.propose(inVersion: version, format, over: route)
    }
    if keeping.isRestored, try takesAnswer(to: propose, with: session) { return }
    try step(over: route, with: session, propose)
  }

  /// Proposes another credential than the offered one. `text` is the JSON text of the proposal. Throws in other states.
  ///
  /// The id is derived: a process that forgets the step and repeats it proposes nothing new, which the issuer would answer
  /// with another offer.
  package mutating func propose(
    instead text: String, comment: String?, over connection: Connection, with session: Session
  ) throws {
    let proposal = try CredentialProposal(parsing: text)
    let route = try machine.route ?? connection.routeOfProposal()
    let id = String.uuid(derivedFrom: "\(thread) \(machine.offer?.id ?? "") \(text) \(comment ?? "")")
    try step(over: route, with: session) { machine throws(ProtocolError) in
      try machine.propose(instead: proposal, comment: comment, id: id, over: route)
    }
  }

  /// The offer, also one that answers a proposal, as JSON text. Throws before there is one.
  package func offerMessage() throws -> String {
    guard let offer = machine.offer else { throw ExchangeError.notReady }
    return offer.json.text
  }
}
