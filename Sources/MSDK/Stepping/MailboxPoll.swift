internal import Aries
internal import CloudAgent
internal import Credentials
internal import DIDComm
internal import HTTP
internal import Logging

/// An object that applies messages from a mailbox by itself when the program polls it.
protocol Polling: Receiving {
  /// Finds the object's next message.
  var search: MailboxPoll { get set }

  /// Whether a message that the library has applied may have its effect on the object in its present state once more: a
  /// process may end before it has stored the effect, and another one then restores the object without it.
  var recovers: Bool { get }

  /// Whether the object has ended. The message that ended it stays in the mailbox, so that a process that ends before
  /// it has stored the object finds the message again.
  var isOver: Bool { get }

  /// Applies a stored message. Returns the action that was done: `.leave` for a message that does not concern the object.
  mutating func apply(_ stored: StoredMessage, with session: Session) throws -> Action
}

extension Polling {
  /// Applies the oldest message of the mailbox that concerns the object; at most one.
  mutating func poll(_ mailbox: Mailbox, with session: Session) throws {
    var search = search
    defer { self.search = search }
    try search.run(in: mailbox, for: &self, with: session)
  }
}

/// The search of a mailbox for the next message that concerns one object. Each poll repeats it.
///
/// It remembers which messages do not concern the object, so that the next poll neither downloads nor opens them again.
/// The open object keeps this in memory only.
struct MailboxPoll: Sendable {
  /// The messages that do not concern the object in its present state.
  private(set) var passedOver = PassedOver()
  /// Whether an earlier process's note of the passed messages was looked for.
  private(set) var hasBegun = false
  /// The applied messages that do not concern the object in its present state.
  private var recovered: Set<String> = []
  /// The messages that wait: their answer could not be sent so far, or no ledger has the sender's public DID yet.
  private(set) var waiting: Set<String> = []

  /// The applied messages that the inbox could not take. It takes them when they are found again, though the object ignores them
  /// then: a restored object may lack their effect.
  private var unkept: Set<String> = []

  /// Forgets the messages that were passed over, because an object in another state may have a use for them.
  mutating func reset() { (passedOver, recovered) = (PassedOver(), []) }

  /// Begins the first search behind the messages that were passed over up to `last`.
  mutating func begin(after last: String?) {
    hasBegun = true
    passedOver = PassedOver(after: last)
  }

  /// The last message that was passed over, if it is worth a note.
  mutating func takePlace() -> String? { passedOver.takePlace() }
}

extension MailboxPoll {
  /// Passes messages of the mailbox to the object, the oldest first, until one has an effect.
  ///
  /// A message counts as read once its effect is in the object. If the object refuses a message, because it is broken
  /// or not from the peer, the message is rejected at the Cloud Agent: it neither comes again nor hides the messages
  /// behind it. The same happens to a message that can never be answered. The error of a broken message is thrown if no
  /// other message had an effect. Messages from strangers are only logged. A message whose answer could not be sent, or
  /// whose sender is on no ledger yet, stays, and the next poll looks at the others first. All other messages stay for the
  /// application.
  fileprivate mutating func run<Object: Polling>(
    in mailbox: Mailbox, for object: inout Object, with session: Session
  ) throws {
    let messages = try session.messages()
    var refusal: (any Error)?
    guard try !recover(in: mailbox, for: &object, refusal: &refusal, with: session) else { return }
    var isDone = false
    var (filters, list) = try unseen(in: mailbox, of: messages)
    for filter in filters where !isDone {
      var visited: [String] = []
      let isInOrder = try messages.visit(mailbox, filter) { messages in
        Log.debug("connection \(mailbox.pairwiseDID): \(messages.count) messages to look at")
        for stored in messages where !isDone {
          visited.append(stored.uid)
          isDone = try hand(stored, of: mailbox, to: &object, refusal: &refusal, with: session)
        }
        return !isDone
      }
      list = list ?? MessageList(uids: visited, isInOrder: isInOrder)
    }
    if let list { _ = passedOver.remaining(of: list) }
    // The wallet has no note of a connection that another library created.
    session.book.note(mailbox)
    if !isDone, let refusal { throw refusal }
  }

  /// Passes the applied messages of the mailbox to an object that may lack their effect, the oldest first, until one has an
  /// effect. Returns whether one had. `refusal` receives the first error.
  private mutating func recover<Object: Polling>(
    in mailbox: Mailbox, for object: inout Object, refusal: inout (any Error)?, with session: Session
  ) throws -> Bool {
    guard object.recovers else { return false }
    for place in try session.inbox.applied(in: mailbox) where recovered.insert(place.uid).inserted {
      guard let stored = try session.inbox.message(at: place) else { continue }
      do {
        if try hand(stored, of: mailbox, to: &object, refusal: &refusal, with: session) { return true }
      } catch {
        // The next poll tries again. Until then, the message hides no other one.
        recovered.remove(place.uid)
        waiting.remove(place.uid)
        refusal = refusal ?? error
      }
    }
    return false
  }

  /// Passes one message to the object. Returns whether it had an effect. `refusal` receives the error of the first
  /// refused message.
  private mutating func hand<Object: Polling>(
    _ stored: StoredMessage, of mailbox: Mailbox, to object: inout Object, refusal: inout (any Error)?,
    with session: Session
  ) throws -> Bool {
    let (before, recovers) = (object.machine, object.recovers)
    let place = Inbox.Place(pairwiseDID: mailbox.pairwiseDID.text, uid: stored.uid)
    guard try stored.status != .received || !session.inbox.isApplied(place) else {
      // An earlier process ended, or the Cloud Agent failed, before the message was marked.
      mark(stored, .reviewed, of: mailbox, with: session)
      return false
    }
    do {
      let action = try object.apply(stored, with: session)
      let isChange = object.machine != before
      if isChange { reset() }
      switch action {
      case .leave:
        Log.debug("connection \(mailbox.pairwiseDID): message \(stored.uid) stays for the application")
        if stored.status == .received { passedOver.insert(stored.uid) }
        return isChange
      case .sendAndLeave: passedOver.insert(stored.uid)
      case .notify: mark(stored, .rejected, of: mailbox, with: session)
      case .send, .sendAll, .nothing, .refuse:
        mark(stored, .reviewed, of: mailbox, keepingIt: recovers, with: session)
      }
      return true
    } catch let error where Self.isRefusal(error) {
      Log.warning("connection \(mailbox.pairwiseDID): message \(stored.uid) is refused: \(error)")
      guard !object.isOver else {
        reset()
        passedOver.insert(stored.uid)
        throw error
      }
      mark(stored, .rejected, of: mailbox, with: session)
      if error as? ProtocolError != .notFromPeer { refusal = refusal ?? error }
      return false
    } catch let error where error is DeliveryError || error is PublicDIDError || error is ConnectionError {
      waiting.insert(stored.uid)
      throw error
    }
  }

  /// Whether the object can never apply the message: the message is invalid, or its sender cannot be answered.
  private static func isRefusal(_ error: any Error) -> Bool {
    switch error {
    case is ProtocolError, is EnvelopeError, CredentialsError.malformedCredential, CredentialsError.exists: true
    case DeliveryError.unreachable(.invalidURL), DeliveryError.unreachable(.notPublic): true
    default: false
    }
  }

  /// Returns the filters that download the messages to look at, one after the other, and the list that they are from. They
  /// leave out messages that were passed over. Messages that wait come last. If all of them wait, they begin anew.
  ///
  /// All messages behind the last one that was passed over are new, unless some of them were passed over too, or
  /// wait. Then the client first fetches the ids, which are short, and only then the unknown messages. A mailbox
  /// full of the application's unread messages costs a poll nothing.
  private mutating func unseen(
    in mailbox: Mailbox, of messages: any MessageKeeper
  ) throws -> ([MessageFilter], MessageList?) {
    let statuses = [MessageStatus.received]
    guard !passedOver.isSettled || !waiting.isEmpty else {
      return ([MessageFilter(statuses: statuses, after: passedOver.last)], nil)
    }
    let list = try messages.list(mailbox, statuses, after: passedOver.last)
    let new = passedOver.remaining(of: list)
    waiting.formIntersection(new)
    if waiting.count == new.count { waiting = [] }
    let groups = [new.filter { !waiting.contains($0) }, new.filter(waiting.contains)]
    return (groups.filter { !$0.isEmpty }.map { MessageFilter(uids: $0, statuses: statuses) }, list)
  }

  /// Marks a message whose effect is in the object, after it has kept it in the inbox if an interruption may undo the
  /// effect. If that fails, the next poll marks it: the object ignores a message that it knows.
  private mutating func mark(
    _ stored: StoredMessage, _ status: MessageStatus, of mailbox: Mailbox, keepingIt isKept: Bool = false,
    with session: Session
  ) {
    let did = mailbox.pairwiseDID.text
    let message = ConnectionUIDs(pairwiseDID: did, uids: [stored.uid])
    do {
      if isKept || unkept.contains(stored.uid), stored.status == .received {
        unkept.insert(stored.uid)
        try session.inbox.keep(stored, at: .init(pairwiseDID: did, uid: stored.uid))
        unkept.remove(stored.uid)
      }
      try session.messages().setStatus(status, of: [message])
    } catch {
      Log.warning("a message could not be marked \(status): \(error)")
    }
  }
}
