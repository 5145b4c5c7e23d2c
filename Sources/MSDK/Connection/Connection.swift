package import Aries
internal import CloudAgent
package import DIDComm
internal import JSON
internal import Sodium
internal import Wallet

/// A connection with a peer, on the invitee's or on the inviter's side.
///
/// A connection is a value: one operation at a time works on it, and a failed operation does not change it, so that the
/// program can repeat the operation.
package struct Connection: Sendable {
  package let sourceID: String
  package internal(set) var machine: ConnectionMachine {
    didSet {
      // A message that meant nothing in the last state may mean something in the new one.
      search.reset()
      keeping.noteChange()
    }
  }
  /// This side's key and mailbox. `connect` creates them, and keeps them if a later step fails.
  private(set) var pairwise: Pairwise? {
    didSet { keeping.noteChange() }
  }
  /// The mailbox of this side's public DID, if the DID implies the invitation: requests arrive there. Nil for any other
  /// invitation, and before `connect`.
  private(set) var reception: Mailbox? {
    didSet { keeping.noteChange() }
  }
  package var keeping = Keeping()
  var search = MailboxPoll()

  init(sourceID: String, machine: ConnectionMachine, pairwise: Pairwise? = nil, reception: Mailbox? = nil) {
    self.sourceID = sourceID
    self.machine = machine
    self.pairwise = pairwise
    self.reception = reception
  }

  /// Begins the invitee's side of an invitation. Refuses an invitation if msdk supports nothing that it offers.
  package init(sourceID: String, invitation: Invitation) throws(InvitationError) {
    self.init(sourceID: sourceID, machine: try ConnectionMachine(invitation: invitation))
    try requireStorable()
  }

  /// Begins the invitee's side of a connection invitation, or of a proprietary invitation in either form. The members
  /// decide, not the type.
  package init(sourceID: String, connectionInvitation text: String) throws(InvitationError) {
    let json = try Self.json(text)
    if ProprietaryInvitation.isLikely(json) {
      let connection = ProprietaryConnection(sourceID: sourceID, invitation: try ProprietaryInvitation(json))
      self.init(sourceID: sourceID, machine: .proprietary(connection))
      try requireStorable()
    } else {
      try self.init(sourceID: sourceID, invitation: .connection(ConnectionInvitation(json)))
    }
  }

  /// Begins the invitee's side of an out-of-band invitation, or of a public DID, which is an invitation by itself.
  /// Without a handshake the connection is completed immediately, or once a ledger has given the inviter's service.
  package init(sourceID: String, outOfBandInvitation text: String) throws(InvitationError) {
    let isPublicDID = PublicDID(text) != nil || WebPublicDID(text) != nil
    let invitation = try isPublicDID ? OutOfBandInvitation(impliedBy: text) : OutOfBandInvitation(Self.json(text))
    try self.init(sourceID: sourceID, invitation: .outOfBand(invitation))
  }

  /// Begins the inviter's side. `connect` creates the invitation.
  package init(sourceID: String, inviting plan: InvitationPlan) {
    self.init(sourceID: sourceID, machine: .planned(plan))
  }

  /// Begins the inviter's side of a connection with a peer that knows this side's public DID. `connect` opens the mailboxes.
  package init(sourceID: String, atPublicDID: Void) { self.init(sourceID: sourceID, inviting: .publicDID) }

  /// Begins the inviter's side, in the protocol that the session is configured for; without a session, in an Aries
  /// protocol.
  package static func inviter(sourceID: String, with session: Session?) -> Connection {
    guard let session, session.settings.speaksProprietary else {
      return Connection(sourceID: sourceID, inviting: .connection)
    }
    return Connection(sourceID: sourceID, machine: .proprietary(ProprietaryConnection(sourceID: sourceID)))
  }

  /// Begins the inviter's side, with an out-of-band invitation. `request` is the JSON text of a message to attach.
  package init(
    sourceID: String, goalCode: String?, goal: String?, handshake: Bool, attaching request: String?
  ) throws {
    let request = try request.map { JSON.object(try JSON(parsing: $0).requireObject()) }
    let plan = try OutOfBandPlan(goalCode: goalCode, goal: goal, handshake: handshake, request: request)
    self.init(sourceID: sourceID, inviting: .outOfBand(plan))
  }

  private func requireStorable() throws(InvitationError) {
    guard isStorable else { throw .malformed("it is nested too deeply to be kept") }
  }

  private static func json(_ text: String) throws(InvitationError) -> JSON {
    do { return try JSON(parsing: text) } catch { throw .malformed("\(error)") }
  }
}

// MARK: - Facts

extension Connection {
  package var state: ConnectionState { machine.state }

  package var invitation: Invitation? { machine.invitation }

  /// This side's pairwise DID; empty before `connect`.
  package var pairwiseDID: String { pairwise?.key.did.text ?? "" }

  /// The other side, once it has introduced itself.
  var peer: Peer? { machine.peer }
}

// MARK: - Operations

extension Connection {
  /// Advances the handshake: creates this side's DID and its mailbox; then an invitee sends its request, and an inviter
  /// creates its invitation. Without a handshake, sends nothing. Does nothing in later states.
  package mutating func connect(_ options: ConnectionOptions, with session: Session) throws {
    switch machine {
    case .planned(let plan): try invite(plan, options, with: session)
    case .invited(let invitation, _): try request(invitation, options, with: session)
    case .completed(let machine):
      if machine.isConnectionless && pairwise?.mailbox == nil {
        _ = try openMailbox(options, for: invitationDigest, with: session)
      }
    case .requested, .offered, .responded, .failed: return
    case .proprietary(let connection): try connect(connection, options, with: session)
    }
  }

  private mutating func request(_ invitation: Invitation, _ options: ConnectionOptions, with session: Session) throws {
    let inviter = try service(of: invitation, with: session)
    let handshake = try options.handshake(for: invitation)
    let own = try openMailbox(options, for: invitationDigest, with: session)
    let label = session.profile.name ?? sourceID
    let requestID = String.uuid(derivedFrom: own.key.verkey.text + invitation.id)
    try step(through: { try PairwiseOutbox(own.key.verkey, with: session) }) { machine in
      machine.connect(
        label: label, as: own, requestID: requestID, by: handshake, presenting: options.didMethod, at: inviter)
    }
  }

  /// The inviter's service. If the invitation names a public DID, the ledgers or the DID's server give the service.
  private func service(of invitation: Invitation, with session: Session) throws -> Service? {
    guard case .publicDID(let did) = invitation.address else { return invitation.service }
    if let web = WebPublicDID(did) { return try web.document(with: session.resolver).service }
    guard let publicDID = PublicDID(did) else { throw ConnectionError.needsLedger(did) }
    return try publicDID.service(on: session.agent.ledgers.all)
  }

  private mutating func invite(_ plan: InvitationPlan, _ options: ConnectionOptions, with session: Session) throws {
    let handshakes = try options.handshakes(for: plan)
    let reception = try plan == .publicDID ? session.openReception() : nil
    let id = String.randomUUID()
    let own = try openMailbox(options, for: id, with: session)
    self.reception = reception
    let profile = session.profile
    let namesPublicDID = options.usesPublicDID || plan == .publicDID
    let inviter = Inviter(
      label: profile.name ?? sourceID, imageURL: profile.logoURL,
      publicDID: namesPublicDID ? session.settings.institutionDID : nil, service: own.service,
      did: options.didMethod.flatMap { $0 == .unqualified ? nil : $0.did(of: own) })
    let invitation = try plan.invitation(
      id: id, from: inviter, handshakes: handshakes, version: session.settings.exchanges.outOfBandVersion)
    if !invitation.isImplied {
      try ReuseBook(wallet: session.wallet).note(invitation: invitation.id, of: pairwiseDID)
    }
    var next = machine
    next.invite(invitation)
    enter(next)
  }

  /// Identifies the received invitation. Another inviter may copy its id.
  var invitationDigest: String { .uuid(derivedFrom: invitationText) }

  /// Opens the mailbox of this side's DID for the connection of an invitation, which `invitation` identifies. It keeps the
  /// key before it asks for the mailbox, so that a repetition after a failure gives the same mailbox.
  mutating func openMailbox(_ options: ConnectionOptions, for invitation: String, with session: Session) throws
    -> OwnSide
  {
    if let mailbox = options.mailbox {
      try session.requireOwn(mailbox)
      try session.book.note(invitation, of: mailbox, isGiven: mailbox != pairwise?.mailbox)
      pairwise = Pairwise(mailbox)
    } else if pairwise?.mailbox == nil {
      let key = try keepKey(with: session)
      let mailbox = try session.openMailbox(for: key)
      try session.book.note(invitation, of: mailbox, isGiven: false)
      pairwise = Pairwise(mailbox)
    }
    guard let own = try ownSide(with: session) else { throw ConnectionError.noMailbox }
    return own
  }

  /// This side's key, created at first use. A program that stores the connection with its key before `connect` can
  /// repeat `connect` after any interruption: the peer treats both requests as one.
  @discardableResult
  package mutating func keepKey(with session: Session) throws -> VerKey {
    let key = try pairwise?.key ?? session.wallet.createDID(seed: nil).verkey
    if pairwise == nil { pairwise = Pairwise(key: key) }
    // A process that ends before the peer's answer then goes on with the key that the peer knows. An earlier call may have
    // failed to keep the key.
    try keep(with: session)
    return key
  }

  /// This side's key and service, once it has a mailbox.
  func ownSide(with session: Session) throws -> OwnSide? {
    guard let mailbox = pairwise?.mailbox else { return nil }
    guard let key = try session.wallet.keyPair(for: mailbox.key) else { throw CloudAgentError.missingKey(mailbox.key) }
    return OwnSide(
      key: key, service: try session.cloudAgent().service(of: mailbox), mailboxKey: mailbox.keeper?.verkey)
  }

  /// Applies a message that the program hands over: an entry of its downloads, or the text of the message. Ignores messages
  /// that are not for the connection itself.
  package mutating func receive(_ text: String, with session: @autoclosure () throws -> Session) throws {
    let handed = try HandedMessage(parsing: text)
    let message = try Message(handed.json)
    // Before `connect`, nothing can have come from the peer.
    guard inbox != nil, message.canConcern(machine) else { return }
    try receive(handed, with: session())
  }
}
