package import Aries
internal import CloudAgent
internal import DIDComm
internal import JSON
internal import Logging

extension Connection {
  /// Asks for messages and applies the oldest one that is for the connection itself; at most one. Messages for
  /// credentials and proofs, and all unknown messages, stay for the application. On a proprietary connection an inviter
  /// polls for the answer to its invitation, and an invitee for the first message, which proves the inviter's key.
  package mutating func poll(with session: Session) throws {
    if case .proprietary(let connection) = machine {
      let awaitsProof = connection.state == .accepted && !connection.isProven && pairwise?.mailbox != nil
      guard connection.state == .offered || awaitsProof else { return }
    }
    guard let mailbox = inbox else { throw ConnectionError.noMailbox }
    if recovers, try recall(from: mailbox, with: session) { return }
    let book = PlaceBook(wallet: session.wallet)
    if !search.hasBegun { search.begin(after: book.place(of: self)) }
    try poll(mailbox, with: session)
    if let place = search.takePlace() { book.note(place, of: self) }
  }
}

extension Connection: Polling {
  package var inbox: Mailbox? { awaitedReception ?? pairwise?.mailbox }

  /// The mailbox of the public DID, as long as the connection awaits a request that may come from anybody.
  var awaitedReception: Mailbox? { if case .offered = machine { reception } else { nil } }

  var isOver: Bool { if case .failed = machine { true } else { false } }

  /// Whether the connection waits for an answer.
  var recovers: Bool {
    switch machine {
    case .requested, .offered, .responded, .proprietary: true
    case .planned, .invited, .completed, .failed: false
    }
  }

  /// A stranger may answer an invitation with a DID of a server that takes its time. The others come before.
  func ordered(_ messages: [StoredMessage], with session: Session) throws -> [StoredMessage] {
    guard messages.count > 1, let mailbox = inbox else { return messages }
    let needsServer = try messages.map { stored in
      let opened = try session.open(stored, of: mailbox.pairwiseDID.text)
      let message = opened.flatMap { try? Message(JSON(parsing: $0.message)) }
      return message.flatMap(machine.publicDID).map { WebPublicDID($0) != nil } ?? false
    }
    let (first, last) = (zip(messages, needsServer).filter { !$0.1 }, zip(messages, needsServer).filter(\.1))
    return (first + last).map(\.0)
  }

  /// Applies the message. Returns `.leave` if it is not for the connection itself, or if it was read before and does
  /// not change the state: the connection answered it then.
  mutating func apply(_ stored: StoredMessage, with session: Session) throws -> Action {
    guard let mailbox = inbox, let opened = try session.open(stored, of: mailbox.pairwiseDID.text),
      let json = try? JSON(parsing: opened.message), let message = try? Message(json)
    else { return .leave }
    if awaitedReception != nil {
      guard let request = message.request else { return .leave }
      if let action = try actionForClaimed(request, stored, from: opened.sender, with: session) { return action }
    }
    session.noteRevocation(message, from: opened.sender, over: pairwiseDID)
    session.noteFeatures(message, isFromPeer: machine.isPeer(.envelope(opened.sender)), over: pairwiseDID)
    let before = machine
    do {
      let action = try receive(
        message, from: .envelope(opened.sender), onlyChanging: stored.status == .reviewed, with: session)
      if action != .leave || machine != before {
        Log.info("connection \(pairwiseDID): message \(stored.uid) is applied, \(json.kind)")
      }
      return action
    } catch ProtocolError.wrongThread {
      return .leave
    }
  }

  /// The action for a request to the public DID that this connection may not answer, before anybody is asked for the
  /// requester's DID. Nil if it may answer. Throws if another connection is answering.
  ///
  /// A request that another connection has answered is read: its peer has the answer, or writes a new request.
  private func actionForClaimed(
    _ request: any HandshakeRequest, _ stored: StoredMessage, from sender: VerKey?, with session: Session
  ) throws -> Action? {
    guard let sender, let invitation else { return nil }
    let claims = claims(to: invitation, by: request.thread.thid, of: sender, in: session.wallet)
    let standings = try claims.map { try $0.standing() }
    if standings.first == .taken { return stored.status == .received ? .nothing : .leave }
    if standings.contains(.taken) { return .leave }
    if standings.contains(.reserved) { throw ConnectionError.beingAnswered }
    return nil
  }
}
