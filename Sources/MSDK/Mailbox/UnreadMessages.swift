internal import CloudAgent
internal import DIDComm
internal import JSON
internal import Threading

/// Unread messages that this process has downloaded, some of them opened too. Many objects wait for messages of one
/// mailbox, and each looks at all of them.
///
/// The memory holds at most 8 MiB and 4,096 messages, and forgets the oldest first. A forgotten message is downloaded again.
struct UnreadMessages: Sendable {
  private struct Entry: Sendable {
    let message: StoredMessage
    var opened: Opened?
    let size: Int
    let number: Int
  }

  private struct Mailbox: Sendable {
    var entries: [String: Entry] = [:]
    /// The id of the message that was noted last.
    var newest = ""
  }

  private var mailboxes: [String: Mailbox] = [:]
  /// The messages in the order of their notes. Some of them may be gone.
  private var order = Queue<(place: Inbox.Place, number: Int)>()
  private var count = 0
  private(set) var size = 0

  static let maximumSize = 8 << 20
  static let limit = 4_096

  func message(at place: Inbox.Place) -> StoredMessage? { entry(place)?.message }

  private func entry(_ place: Inbox.Place) -> Entry? { mailboxes[place.pairwiseDID]?.entries[place.uid] }

  /// Whether the memory has a message of one of these mailboxes; of any mailbox if the list is empty.
  func hasAny(of pairwiseDIDs: [String]) -> Bool {
    pairwiseDIDs.isEmpty ? !mailboxes.isEmpty : pairwiseDIDs.contains { mailboxes[$0] != nil }
  }

  /// Whether the memory may have a message that came after `last`; after the beginning if that is nil.
  func hasAny(of pairwiseDID: String, after last: String?) -> Bool {
    mailboxes[pairwiseDID].map { $0.newest != last } ?? false
  }

  /// The opened envelope of a message. Nil if the memory lacks it, or has another message with the same id.
  func opened(_ message: StoredMessage, of pairwiseDID: String) -> Opened? {
    guard let entry = entry(.init(pairwiseDID: pairwiseDID, uid: message.uid)),
      entry.message.envelope == message.envelope
    else { return nil }
    return entry.opened
  }

  /// Adds a message, if it is unread and an envelope. `size` is the size of the envelope in bytes.
  mutating func note(_ message: StoredMessage, of pairwiseDID: String, size envelope: Int) {
    // The opened message is shorter than its envelope.
    let size = 2 * envelope
    guard message.status == .received, message.envelope != nil, size <= Self.maximumSize,
      mailboxes[pairwiseDID]?.entries[message.uid] == nil
    else { return }
    while order.count >= Self.limit || self.size + size > Self.maximumSize { forgetOldest() }
    count += 1
    mailboxes[pairwiseDID, default: Mailbox()].entries[message.uid] = Entry(
      message: message.withoutOtherForms, opened: nil, size: size, number: count)
    mailboxes[pairwiseDID]?.newest = message.uid
    order.append((Inbox.Place(pairwiseDID: pairwiseDID, uid: message.uid), count))
    self.size += size
  }

  /// Adds the opened envelope of a message that the memory has.
  mutating func note(_ opened: Opened, from message: StoredMessage, of pairwiseDID: String) {
    guard entry(.init(pairwiseDID: pairwiseDID, uid: message.uid))?.message.envelope == message.envelope else { return }
    mailboxes[pairwiseDID]?.entries[message.uid]?.opened = opened
  }

  mutating func remove(_ place: Inbox.Place) {
    guard let entry = mailboxes[place.pairwiseDID]?.entries.removeValue(forKey: place.uid) else { return }
    size -= entry.size
    if mailboxes[place.pairwiseDID]?.entries.isEmpty == true { mailboxes[place.pairwiseDID] = nil }
  }

  /// Removes the messages of a closed mailbox.
  mutating func empty(_ pairwiseDID: String) {
    size -= mailboxes.removeValue(forKey: pairwiseDID)?.entries.values.reduce(0) { $0 + $1.size } ?? 0
  }

  private mutating func forgetOldest() {
    guard let (place, number) = order.popFirst() else { return }
    if entry(place)?.number == number { remove(place) }
  }
}

extension StoredMessage {
  /// The message with its envelope as its payload: some agencies write an envelope as an array of numbers.
  fileprivate var withoutOtherForms: StoredMessage {
    StoredMessage(
      uid: uid, status: status, senderDID: senderDID, type: type, payload: envelope, envelope: envelope,
      refMsgID: refMsgID)
  }
}
