internal import Aries
internal import JSON
internal import Sodium

// A holder proposes, and the program decides about the offer: its values are never taken from the proposal by the library.

extension IssuerCredential {
  /// A proposal of a holder; `text` is its message.
  package init(sourceID: String, proposal text: String) throws {
    self.init(sourceID: sourceID, machine: try IssuerMachine(proposal: JSON(parsing: text)))
  }

  /// The proposal as JSON text: `{"attributes", "filter", "comment", "thid"}`. Throws unless one waits for an answer.
  package func proposal() throws -> String {
    guard let message = machine.proposal else { throw ExchangeError.notReady }
    return try CredentialProposal(message).summary(of: message).text
  }

  /// Decides about the offer that answers the proposal. `values` is the JSON text of its values. Throws unless a proposal
  /// waits for an answer.
  package mutating func plan(
    _ definition: CredentialDefinition, values: String, name: String, with session: Session
  ) throws {
    let terms = try Self.terms(of: definition, values: values, with: session)
    var next = machine
    try next.plan(terms, of: definition.id, name: name)
    enter(next)
  }

  /// Declines the proposal, or withdraws the offer; `reason` is for the holder's user. Throws in other states, and if an
  /// earlier process has sent the credential.
  package mutating func decline(because reason: String?, over connection: Connection, with session: Session) throws {
    _ = try noteEarlierCredential(with: session)
    let route =
      switch machine.state {
      case .proposed(let proposed): try proposed.route ?? connection.routeOfProposal()
      case .offered(let offered): offered.route
      case .requested(let requested): requested.route
      case .planned, .issued, .finished: throw ProtocolError.outOfTurn
      }
    let id = refusalID(on: thread, because: reason)
    try step(over: route, with: session) { machine throws(ProtocolError) in
      try machine.decline(because: reason, id: id, over: route)
    }
  }

  /// The route of a planned offer. A proposal is answered where it came from.
  func route(of planned: IssuerMachine.Planned, over connection: Connection) throws -> Route {
    guard let answering = planned.answering else { return try connection.route() }
    return try answering.route ?? connection.routeOfProposal()
  }
}

extension Connection {
  /// The route of a proposal and of the answer to it, which needs a mailbox and a peer.
  func routeOfProposal() throws(ConnectionError) -> Route {
    let route = try route()
    guard case .connection = route, !route.isInvitation else { throw .noMailbox }
    return route
  }
}
