internal import Aries
internal import CloudAgent
internal import DIDComm
internal import JSON
internal import Logging

extension Connection {
  /// Looks into the mailbox and takes in the oldest message that is for the connection itself; at most one. Messages for
  /// credentials and proofs, and all that the connection does not know, stay for the application. On a proprietary
  /// connection only an inviter has something to look for: the answer to its invitation.
  package mutating func poll(with session: Session) throws {
    if case .proprietary(let connection) = machine, connection.state != .offered { return }
    guard let mailbox = pairwise?.mailbox else { throw ConnectionError.noMailbox }
    try poll(mailbox, with: session)
  }
}

extension Connection: Polling {
  var isOver: Bool { if case .failed = machine { true } else { false } }

  /// New messages, and in a state that waits for an answer also read ones: a process that ends before it has stored the
  /// effect of such a message is restored without it.
  var awaitedStatuses: [MessageStatus] {
    switch machine {
    case .requested, .offered, .responded, .proprietary: [.received, .reviewed]
    case .planned, .invited, .completed, .failed: [.received]
    }
  }

  /// Applies the message. Returns `.leave` if it is not for the connection itself, or was read and has no more effect on
  /// the state: the connection answered it then.
  mutating func take(_ stored: StoredMessage, with session: Session) throws -> Action {
    guard let opened = try session.open(stored, of: pairwiseDID),
      let json = try? JSON(parsing: opened.message), let message = try? Message(json)
    else { return .leave }
    session.noteRevocation(message, from: opened.sender, over: pairwiseDID)
    let before = machine
    do {
      let action = try receive(
        message, from: .envelope(opened.sender), onlyChanging: stored.status == .reviewed, with: session)
      if action != .leave || machine != before {
        Log.info("connection \(pairwiseDID): message \(stored.uid) is taken in, \(json.kind)")
      }
      return action
    } catch ProtocolError.wrongThread {
      return .leave
    }
  }
}
