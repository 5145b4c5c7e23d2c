internal import AgencyWire
internal import Aries
internal import CloudAgent
internal import DIDComm
internal import JSON
internal import Logging

extension Connection {
  /// Looks into the mailbox and takes in the oldest message that is for the connection itself; at most one.
  ///
  /// A message counts as read once its effect is in the connection. One that claims to be for the connection and is
  /// not from the peer, or broken, is rejected at the Cloud Agent, so that it neither comes again nor hides those behind
  /// it; so is one that can never be answered. The error of a broken one is reported where nothing else was taken in; that
  /// a stranger wrote is not the caller's trouble, and only logged. A message whose answer could not be sent stays, and
  /// the next poll looks at the others first. Every other message stays for the application. So does one that ends the
  /// connection: a process that ends before it has stored that finds the message again. On a proprietary connection there
  /// is nothing to look for.
  package mutating func poll(with session: Session) throws {
    if isProprietary { return }
    guard let mailbox = pairwise?.mailbox else { throw ConnectionError.noMailbox }
    let cloudAgent = try session.cloudAgent()
    var refusal: (any Error)?
    var isDone = false
    for filter in try unseen(in: mailbox, at: cloudAgent) where !isDone {
      try cloudAgent.visit(mailbox, filter) { messages in
        isDone = try takeFirst(of: messages, refusal: &refusal, with: session, cloudAgent)
        return !isDone
      }
    }
    // A connection that another library has made is not noted yet.
    session.book.note(mailbox)
    if !isDone, let refusal { throw refusal }
  }

  /// Takes in the first message that is for the connection itself. Returns whether there was one. `refusal` receives the
  /// error of the first message that was refused.
  private mutating func takeFirst(
    of messages: [StoredMessage], refusal: inout (any Error)?, with session: Session, _ cloudAgent: any CloudAgent
  ) throws -> Bool {
    Log.debug("connection \(pairwiseDID): \(messages.count) messages to look at")
    for stored in messages {
      do {
        let before = changes
        switch try take(stored, with: session) {
        case .leave:
          Log.debug("connection \(pairwiseDID): message \(stored.uid) stays for the application")
          passedOver.insert(stored.uid)
          if changes == before { continue }
        case .sendAndLeave: passedOver.insert(stored.uid)
        case .tell: mark(stored, MessageStatus.rejected, at: cloudAgent)
        case .send, .nothing, .refuse: mark(stored, MessageStatus.reviewed, at: cloudAgent)
        }
        return true
      } catch let error where Self.isRefusal(error) {
        Log.warning("connection \(pairwiseDID): message \(stored.uid) is refused: \(error)")
        if case .failed = machine {
          passedOver.insert(stored.uid)
          throw error
        }
        mark(stored, MessageStatus.rejected, at: cloudAgent)
        if error as? ProtocolError != .notFromPeer { refusal = refusal ?? error }
      } catch let error as DeliveryError {
        unanswered.insert(stored.uid)
        throw error
      }
    }
    return false
  }

  /// Whether the message can never be taken in: it is not good, or whoever wrote it cannot be written to.
  private static func isRefusal(_ error: any Error) -> Bool {
    switch error {
    case is ProtocolError, is EnvelopeError: true
    case DeliveryError.unreachable(.invalidURL), DeliveryError.unreachable(.notPublic): true
    default: false
    }
  }

  /// Returns the filters that download the messages to look at, one after the other. Messages that were passed over are
  /// left out. Messages whose answer could not be sent come last. If no answer could be sent, all messages begin anew.
  ///
  /// Where some were passed over, the ids come first, which are short, and then only the messages that are not known: a
  /// mailbox full of what the application has not read yet is not downloaded each time.
  private mutating func unseen(in mailbox: Mailbox, at cloudAgent: any CloudAgent) throws -> [MessageFilter] {
    let all = MessageFilter(statusCodes: statuses)
    guard !passedOver.isEmpty || !unanswered.isEmpty else { return [all] }
    let listing = MessageFilter(statusCodes: statuses, excludesPayload: true)
    let listed = try cloudAgent.messages(in: mailbox, listing).map(\.uid)
    passedOver.keep(only: listed)
    let new = listed.filter { !passedOver.contains($0) }
    unanswered.formIntersection(new)
    if unanswered.count == new.count { unanswered = [] }
    let groups = [new.filter { !unanswered.contains($0) }, new.filter(unanswered.contains)]
    return groups.filter { !$0.isEmpty }.map { MessageFilter(uids: $0, statusCodes: statuses) }
  }

  /// The statuses of the messages that polling looks at: new ones, and in a state that waits for an answer also read ones.
  /// A process that ends before it has stored what such a message did is restored without it.
  private var statuses: [String] {
    switch machine {
    case .requested, .offered, .responded: [MessageStatus.received, MessageStatus.reviewed]
    case .planned, .invited, .completed, .failed, .proprietary: [MessageStatus.received]
    }
  }

  /// Applies the message. Returns `.leave` if it is not for the connection itself, or was read and has no more effect on
  /// the state: what it asked for was done then.
  private mutating func take(_ stored: StoredMessage, with session: Session) throws -> Action {
    guard let opened = try session.open(stored, of: pairwiseDID),
      let json = try? JSON(parsing: opened.message), let message = try? Message(json)
    else { return .leave }
    do {
      let (wasRead, before) = (stored.statusCode == MessageStatus.reviewed, changes)
      let action = try receive(message, from: .envelope(opened.sender), onlyChanging: wasRead, with: session)
      if action != .leave || changes != before {
        Log.info("connection \(pairwiseDID): message \(stored.uid) is taken in, \(json.kind)")
      }
      return action
    } catch ProtocolError.wrongThread {
      return .leave
    }
  }

  /// The message has had its effect: a mark that fails now is made up for by the next poll, which ignores what it
  /// knows.
  private func mark(_ stored: StoredMessage, _ status: String, at cloudAgent: any CloudAgent) {
    do {
      try cloudAgent.setStatus(status, of: [ConnectionUIDs(pairwiseDID: pairwiseDID, uids: [stored.uid])])
    } catch {
      Log.warning("a message could not be marked \(status): \(error)")
    }
  }
}
