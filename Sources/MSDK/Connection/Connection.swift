package import Aries
internal import CloudAgent
internal import DIDComm
package import JSON
internal import Sodium
internal import Wallet

/// A connection with a peer, on the invitee's side.
///
/// A value: an operation works on it while nobody else does, and a failed one leaves it as it was, so that it can be
/// repeated.
package struct Connection: Sendable {
  package let sourceID: String
  private(set) var machine: InviteeMachine
  /// The own side. Made by `connect`, and kept when sending the request fails after that.
  var pairwise: Pairwise?

  package init(sourceID: String, invitation: Invitation) {
    self.sourceID = sourceID
    machine = InviteeMachine(invitation: invitation)
  }

  init(sourceID: String, machine: InviteeMachine, pairwise: Pairwise?) {
    self.sourceID = sourceID
    self.machine = machine
    self.pairwise = pairwise
  }

  /// The invitee of a connection invitation. Its members decide, not its type.
  package init(sourceID: String, connectionInvitation text: String) throws(InvitationError) {
    self.init(sourceID: sourceID, invitation: .connection(try ConnectionInvitation(Self.json(text))))
  }

  /// The invitee of an out-of-band invitation.
  package init(sourceID: String, outOfBandInvitation text: String) throws(InvitationError) {
    let invitation = try OutOfBandInvitation(Self.json(text))
    try invitation.requireSupportedHandshake()
    self.init(sourceID: sourceID, invitation: .outOfBand(invitation))
  }

  private static func json(_ text: String) throws(InvitationError) -> JSON {
    do { return try JSON(parsing: text) } catch { throw .malformed("\(error)") }
  }
}

// MARK: - What it tells

extension Connection {
  /// The numbers of the API: 0 failed, 2 invited, 3 request sent, 4 completed.
  package var state: UInt32 {
    switch machine.state {
    case .failed: 0
    case .invited: 2
    case .requested: 3
    case .completed: 4
    }
  }

  package var invitation: Invitation? {
    switch machine.state {
    case .invited(let invitation), .requested(_, let invitation): invitation
    case .completed(_, _, let invitation), .failed(_, _, let invitation): invitation
    }
  }

  /// The invitation as it was received, `{}` where there is none.
  package var invitationText: String { (invitation?.json ?? [:]).text }

  /// The own pairwise DID; empty before `connect`.
  package var pairwiseDID: String { pairwise?.key.did.text ?? "" }

  /// The other side, once it is known.
  var peer: Peer? { if case .completed(let peer, _, _) = machine.state { peer } else { nil } }
}

// MARK: - What it does

extension Connection {
  /// Asks the inviter for the connection: makes the own DID and its mailbox, and sends the request. In later states
  /// nothing is left to do.
  package mutating func connect(_ options: ConnectionOptions, with agent: Agent) throws {
    guard case .invited(let invitation) = machine.state else { return }
    let mailbox = try openMailbox(options, with: agent)
    let document = DIDDocument(
      id: mailbox.pairwiseDID.text, key: mailbox.key, service: try agent.cloudAgent().service(of: mailbox))
    let label = agent.settings.institutionName ?? sourceID
    let requestID = String.uuid(derivedFrom: mailbox.key.text + invitation.id)
    try step(with: agent) { $0.connect(label: label, document: document, requestID: requestID) }
  }

  /// The mailbox of the own DID. The key is kept before the mailbox is asked for, so that asking again after a failure
  /// gives the same mailbox.
  private mutating func openMailbox(_ options: ConnectionOptions, with agent: Agent) throws -> Mailbox {
    if let mailbox = options.mailbox ?? pairwise?.mailbox {
      pairwise = Pairwise(key: mailbox.key, mailbox: mailbox)
      return mailbox
    }
    let cloudAgent = try agent.cloudAgent()
    let key = try pairwise?.key ?? agent.wallet.createDID(seed: nil).verkey
    pairwise = Pairwise(key: key, mailbox: nil)
    let mailbox = try cloudAgent.openMailbox(for: key)
    pairwise = Pairwise(key: key, mailbox: mailbox)
    return mailbox
  }

  /// Takes in a message that the application received. One that is not for the connection itself is ignored.
  package mutating func receive(_ text: String, with agent: @autoclosure () throws -> Agent) throws {
    let message = try Message(JSON(parsing: text))
    try step(with: agent()) { machine throws(ProtocolError) in
      try machine.receive(message, from: .application, replyID: .randomUUID())
    }
  }

  /// Lets the machine decide, does what it asks for, and only then lets the new state count. Returns whether the
  /// message, if there was one, was for the machine.
  @discardableResult
  mutating func step<Failure: Error>(
    with agent: @autoclosure () throws -> Agent,
    _ event: (inout InviteeMachine) throws(Failure) -> InviteeMachine.Action
  ) throws -> Bool {
    var next = machine
    let action = try event(&next)
    switch action {
    case .leave: return false
    case .nothing: break
    case .send(let message, let service):
      guard let key = pairwise?.key else { throw ConnectionError.noPairwiseAgent }
      try agent().send(message, from: key, to: service)
    }
    machine = next
    return true
  }
}

/// The own side of a connection: a key, whose DID is the pairwise DID, and where its messages arrive.
struct Pairwise: Equatable, Sendable {
  let key: VerKey
  let mailbox: Mailbox?
}

/// Why a connection could not do what was asked.
package enum ConnectionError: Error, Equatable, Sendable {
  /// Before `connect` there is no mailbox to look into and no key to send from.
  case noPairwiseAgent
  /// The operation needs the peer, which is not known yet.
  case notReady
  /// A serialized connection that is not one.
  case malformedState(String)
  /// A serialized connection that a newer library wrote.
  case stateFromTheFuture(String)
  case malformedOptions(JSONError)
}

extension ConnectionError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noPairwiseAgent: "the connection has no pairwise agent yet: connect first"
    case .notReady: "the connection is not in a state that allows this"
    case .malformedState(let reason): "not a serialized connection: \(reason)"
    case .stateFromTheFuture(let version): "the connection was serialized by a newer library (\(version))"
    case .malformedOptions(let error): "malformed connection options: \(error)"
    }
  }
}

extension String {
  /// A UUID that is the same for the same text, and tells nothing about it.
  fileprivate static func uuid(derivedFrom text: String) -> String { uuid(Array(sha256(Array(text.utf8)).prefix(16))) }
}
