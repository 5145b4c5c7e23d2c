internal import Aries
internal import CloudAgent
internal import JSON
internal import Threading

/// The messages of a mailbox at one moment: their ids, and the messages that the look itself has brought.
struct MailboxLook: Sendable {
  let list: MessageList
  let brought: [String: StoredMessage]

  init(_ list: MessageList, bringing messages: [StoredMessage] = []) {
    self.list = list
    brought = Dictionary(messages.map { ($0.uid, $0) }) { $1 }
  }

  init(_ messages: [StoredMessage], isInOrder: Bool) {
    self.init(MessageList(uids: messages.map(\.uid), isInOrder: isInOrder), bringing: messages)
  }

  init(uids: [String]) { self.init(MessageList(uids: uids, isInOrder: true)) }
}

/// A session's memory of the messages in its mailboxes, and the order of the calls that download some.
final class MessageMemory: Sendable {
  let unread = Locked(UnreadMessages())
  private let marked = Locked(MarkedMessages())
  private let locks = LockTable<String>()
  private let waiting = Locked<[String: Waiting]>([:])

  /// The calls that look at one mailbox, and the last look.
  private struct Waiting: Sendable {
    var calls = 0
    /// The calls that have not ended.
    var running = 0
    /// The number of calls that had begun before the last look, its filter and its result.
    var last: (served: Int, filter: MessageFilter, look: Result<MailboxLook, any Error>)?
  }

  /// Runs `body` while no other call downloads messages of the mailbox.
  func alone<Result>(with mailbox: Mailbox, _ body: () throws -> Result) throws -> Result {
    try locks.withLock(of: mailbox.pairwiseDID.text, body)
  }

  /// The result of `look`, which one call at a time runs for a mailbox. A call that waits for another call shares the
  /// next look, which begins after all calls that it serves.
  func sharedLook(
    at mailbox: Mailbox, _ filter: MessageFilter, _ look: () throws -> MailboxLook
  ) throws -> MailboxLook {
    let did = mailbox.pairwiseDID.text
    let call = waiting.withLock { waiting in
      waiting[did, default: Waiting()].running += 1
      waiting[did]?.calls += 1
      return waiting[did]?.calls ?? 0
    }
    defer {
      waiting.withLock { waiting in
        waiting[did]?.running -= 1
        if waiting[did]?.running == 0 { waiting[did] = nil }
      }
    }
    return try alone(with: mailbox) {
      let (begun, last) = waiting.withLock { ($0[did]?.calls ?? 0, $0[did]?.last) }
      if let last, last.served >= call, last.filter == filter { return try last.look.get() }
      let result = Result { try look() }
      waiting.withLock { $0[did]?.last = (begun, filter, result) }
      return try result.get()
    }
  }

  /// Adds the unread messages. Returns the size of the envelopes among all given messages, in bytes.
  func note(_ messages: [StoredMessage], of pairwiseDID: String) -> Int {
    messages.reduce(0) { sum, message in
      let size = message.envelope?.bytes.count ?? 0
      unread.withLock { $0.note(message, of: pairwiseDID, size: size) }
      return sum + size
    }
  }

  /// The listed messages that the memory has, by pairwise DID and id.
  func known(of connections: [ConnectionMessages]) -> [String: [String: StoredMessage]] {
    unread.withLock { unread in
      var known: [String: [String: StoredMessage]] = [:]
      for connection in connections {
        for message in connection.messages {
          let place = Inbox.Place(pairwiseDID: connection.pairwiseDID, uid: message.uid)
          if let message = unread.message(at: place) { known[place.pairwiseDID, default: [:]][place.uid] = message }
        }
      }
      return known
    }
  }

  /// Forgets messages that have got another status, and notes the status.
  func note(_ status: MessageStatus, of messages: [ConnectionUIDs]) {
    let places = messages.flatMap { connection in
      connection.uids.map { Inbox.Place(pairwiseDID: connection.pairwiseDID, uid: $0) }
    }
    unread.withLock { unread in places.forEach { unread.remove($0) } }
    marked.withLock { marked in places.forEach { marked.note(status, of: $0) } }
  }

  /// The status that this session has given to the message, as far as it remembers.
  func mark(of place: Inbox.Place) -> MessageStatus? { marked.withLock { $0.statuses[place] } }
}

/// The last messages that got another status.
private struct MarkedMessages: Sendable {
  private(set) var statuses: [Inbox.Place: MessageStatus] = [:]
  private var order = Queue<Inbox.Place>()

  private static let limit = 4_096

  mutating func note(_ status: MessageStatus, of place: Inbox.Place) {
    guard statuses.updateValue(status, forKey: place) == nil else { return }
    order.append(place)
    if order.count > Self.limit, let oldest = order.popFirst() { statuses[oldest] = nil }
  }
}
