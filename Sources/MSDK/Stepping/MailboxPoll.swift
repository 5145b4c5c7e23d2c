internal import Aries
internal import CloudAgent
internal import Credentials
internal import DIDComm
internal import HTTP
internal import Logging
internal import Platform
internal import Registry

/// An object that applies messages from a mailbox by itself when the program polls it.
protocol Polling: Receiving, KeptObject {
  /// Finds the object's next message.
  var search: MailboxPoll { get set }

  /// Whether an applied message may have its effect on the object again: a process may end before it has stored the
  /// effect, and another process then restores the object without it.
  var recovers: Bool { get }

  /// Whether the object has ended. The message that ended it stays in the mailbox: if a process ends before it has
  /// stored the object, the next process finds the message again.
  var isOver: Bool { get }

  /// The messages in the order in which they are applied: the oldest first, but those last that need the answer of a server
  /// that a stranger may have named.
  func ordered(_ messages: [StoredMessage], with session: Session) throws -> [StoredMessage]

  /// Applies a stored message. Returns the action that was done: `.leave` for a message that does not concern the object.
  mutating func apply(_ stored: StoredMessage, with session: Session) throws -> Action
}

extension Polling {
  func ordered(_ messages: [StoredMessage], with _: Session) -> [StoredMessage] { messages }

  /// Applies the oldest message of the mailbox that concerns the object; at most one. Throws `unknownMailbox` if the mailbox
  /// is at an earlier Cloud Agent: no message would ever come.
  mutating func poll(_ mailbox: Mailbox, with session: Session) throws {
    _ = try session.cloudAgent().service(of: mailbox)
    var search = search
    defer { self.search = search }
    try search.run(in: mailbox, for: &self, with: session)
  }

  /// Applies an unread message of the mailbox. Polls instead if this process does not have the message, or if an older message
  /// waits. Without a poll, the exchanges of a mailbox do not all look at each other's messages.
  mutating func take(_ place: Inbox.Place, of mailbox: Mailbox, with session: Session) throws {
    let stored = session.messageMemory.unread.withLock { $0.message(at: place) }
    guard let stored, search.waiting.isEmpty else { return try poll(mailbox, with: session) }
    var search = search
    defer { self.search = search }
    try search.take(stored, of: mailbox, for: &self, with: session)
  }
}

/// The search of a mailbox for the next message that concerns one object. Each poll repeats it.
///
/// The search remembers the messages that do not concern the object, so that the next poll neither downloads nor opens
/// them again. Only the memory of the open object holds them.
struct MailboxPoll: Sendable {
  /// The messages that do not concern the object in its present state.
  private(set) var passedOver = PassedOver()
  /// Whether an earlier process's note of the passed messages was looked for.
  private(set) var hasBegun = false
  /// The applied messages that do not concern the object in its present state.
  private var recovered: Set<String> = []
  /// The messages that had an effect on this object. The library keeps them for objects that lack their effect, so this one
  /// needs none of them again: a second effect of each poll would hide the messages behind it.
  private var effective: Set<String> = []
  /// The messages that wait: their answer could not be sent so far, no ledger has the sender's public DID yet, or another
  /// object is answering.
  private(set) var waiting: Set<String> = []

  /// The applied messages that the inbox could not take. The inbox takes them when the poll finds them again, though
  /// the object then ignores them: a restored object may lack their effect.
  private var unkept: Set<String> = []

  /// The time before which no read message is applied again after a restore.
  private var recallPause: MonotonicTime?
  /// Each look downloads the read messages, and may wait for a silent peer.
  private static let recallPauseMilliseconds = 60_000

  var mayRecall: Bool { recallPause.map { $0 < .now } ?? true }

  mutating func pauseRecall() { recallPause = .now.after(milliseconds: Self.recallPauseMilliseconds) }

  /// Forgets the passed messages, because they may concern the object in its new state.
  mutating func reset() { (passedOver, recovered) = (PassedOver(), []) }

  /// Begins the first search after `last`, the last passed message.
  mutating func begin(after last: String?) {
    hasBegun = true
    passedOver = PassedOver(after: last)
  }

  /// The last passed message, if it is worth a note.
  mutating func takePlace() -> String? { passedOver.takePlace() }
}

extension MailboxPoll {
  /// Passes messages of the mailbox to the object, the oldest first, until one has an effect.
  ///
  /// A message counts as read once its effect is in the object. If the object refuses a message, because it is broken
  /// or not from the peer, the poll rejects it at the Cloud Agent: the message neither comes again nor hides the
  /// messages behind it. The same happens to a message that can never be answered. The poll throws the error of a
  /// broken message if no other message had an effect, and only logs messages from strangers. A message stays if its
  /// answer could not be sent, or if its sender or an object that it names is in no registry yet; the next poll looks at the
  /// others first. All other messages stay for the application.
  fileprivate mutating func run<Object: Polling>(
    in mailbox: Mailbox, for object: inout Object, with session: Session
  ) throws {
    let messages = try session.messages()
    var refusal: (any Error)?
    guard try !recover(in: mailbox, for: &object, refusal: &refusal, with: session) else { return }
    var isDone = false
    let end = MonotonicTime.now.after(milliseconds: Self.patience)
    var (filters, list) = try unseen(in: mailbox, of: messages)
    for filter in filters where !isDone {
      var visited: [String] = []
      let isInOrder = try messages.visit(mailbox, filter) { messages in
        Log.debug("connection \(mailbox.pairwiseDID): \(messages.count) messages to look at")
        visited += messages.map(\.uid)
        for stored in try object.ordered(messages, with: session) where !isDone {
          do {
            isDone = try hand(stored, of: mailbox, to: &object, refusal: &refusal, with: session)
          } catch let error where waiting.contains(stored.uid) && MonotonicTime.now < end {
            // A sender whose address refuses at once hides no other one.
            refusal = refusal ?? error
          }
        }
        return !isDone
      }
      list = list ?? MessageList(uids: visited, isInOrder: isInOrder)
    }
    if let list { _ = passedOver.remaining(of: list) }
    // The wallet has no note about a connection that another library created.
    session.book.note(mailbox)
    if !isDone, let refusal { throw refusal }
  }

  /// Passes one unread message of the mailbox to the object. Throws the error of a broken message, and an error that lets the
  /// message stay.
  fileprivate mutating func take<Object: Polling>(
    _ stored: StoredMessage, of mailbox: Mailbox, for object: inout Object, with session: Session
  ) throws {
    var refusal: (any Error)?
    let isDone = try hand(stored, of: mailbox, to: &object, refusal: &refusal, with: session)
    if !isDone, let refusal { throw refusal }
  }

  /// The milliseconds after which a poll ends at a message whose answer cannot be sent. A silent address costs its time
  /// limit, and the next poll begins with the other messages.
  private static let patience = 5000

  /// Passes the applied messages of the mailbox to an object that may lack their effect, the oldest first, until one has an
  /// effect. Returns whether one had. `refusal` receives the first error.
  private mutating func recover<Object: Polling>(
    in mailbox: Mailbox, for object: inout Object, refusal: inout (any Error)?, with session: Session
  ) throws -> Bool {
    guard object.recovers else { return false }
    for place in try session.inbox.applied(in: mailbox)
    where !effective.contains(place.uid) && recovered.insert(place.uid).inserted {
      guard let stored = try session.inbox.message(at: place) else { continue }
      do {
        if try hand(stored, of: mailbox, to: &object, refusal: &refusal, with: session) { return true }
      } catch {
        // The next poll tries again. Until then, the message does not hide others.
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
      mark(stored, .reviewed, of: mailbox, applyingTo: &object, with: session)
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
      case .nothing where !isChange:
        mark(stored, .reviewed, of: mailbox, keepingIt: recovers, applyingTo: &object, with: session)
        if recovers { effective.insert(stored.uid) }
        return false
      case .notify: mark(stored, .rejected, of: mailbox, applyingTo: &object, with: session)
      case .send, .sendAll, .nothing, .refuse:
        mark(stored, .reviewed, of: mailbox, keepingIt: recovers, applyingTo: &object, with: session)
      }
      if recovers { effective.insert(stored.uid) }
      return true
    } catch let error where Self.isRefusal(error) {
      Log.warning("connection \(mailbox.pairwiseDID): message \(stored.uid) is refused: \(error)")
      guard !object.isOver else {
        reset()
        passedOver.insert(stored.uid)
        throw error
      }
      mark(stored, .rejected, of: mailbox, applyingTo: &object, with: session)
      if error as? ProtocolError != .notFromPeer { refusal = refusal ?? error }
      return false
    } catch ConnectionError.beingAnswered {
      // A later poll finds out whether the answer of the other object has left.
      recovered.remove(stored.uid)
      if stored.status == .received { waiting.insert(stored.uid) }
      return false
    } catch let error where Self.canWait(error) {
      waiting.insert(stored.uid)
      throw error
    }
  }

  /// Whether a later poll may apply the message, which hides no other one until then.
  private static func canWait(_ error: any Error) -> Bool {
    error is DeliveryError || error is PublicDIDError || error is ConnectionError || error is RegistryFailure
  }

  /// Whether the object can never apply the message: the message is invalid, or its sender cannot be answered.
  static func isRefusal(_ error: any Error) -> Bool {
    switch error {
    case is ProtocolError, is EnvelopeError, CredentialsError.malformedCredential, CredentialsError.exists: true
    case DeliveryError.unreachable(.invalidURL), DeliveryError.unreachable(.notPublic): true
    default: false
    }
  }

  /// Returns the filters that download the messages to look at, one after the other, and the list that has these
  /// messages. They omit passed messages. Waiting messages come last. If all messages wait, the filters begin with them
  /// again.
  ///
  /// All messages after the last passed one are new, unless some of them were passed too, or wait. In that case the
  /// client fetches the ids, which are short, and then only the unknown messages. The application's unread messages
  /// cost a poll nothing, even if they fill the mailbox.
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

  /// Marks a message whose effect is in the object. If the wallet keeps the object, its record gets the effect first. If an
  /// interruption may undo the effect, the inbox gets the message in the same transaction. If marking fails, the next poll
  /// marks the message: the object ignores a message that it knows.
  private mutating func mark<Object: Polling>(
    _ stored: StoredMessage, _ status: MessageStatus, of mailbox: Mailbox, keepingIt isKept: Bool = false,
    applyingTo object: inout Object, with session: Session
  ) {
    let did = mailbox.pairwiseDID.text
    let message = ConnectionUIDs(pairwiseDID: did, uids: [stored.uid])
    do {
      if isKept || unkept.contains(stored.uid), stored.status == .received {
        unkept.insert(stored.uid)
        let change = object.keepingChange(with: session)
        try session.inbox.keep([stored], of: did, beside: change)
        if change != nil { object.keeping.noteRecord() }
        unkept.remove(stored.uid)
      } else {
        try object.keep(with: session)
      }
      try session.messages().setStatus(status, of: [message])
    } catch {
      Log.warning("a message could not be marked \(status): \(error)")
    }
  }
}
