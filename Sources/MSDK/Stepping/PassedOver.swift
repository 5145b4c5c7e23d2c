internal import CloudAgent

/// The messages that stay in the mailbox for the application, so that they are neither downloaded nor opened again.
///
/// The open object keeps their ids in memory. A completed connection also notes the last of them in the wallet
/// (`PlaceBook`).
struct PassedOver: Sendable {
  /// The last message of the longest beginning of the mailbox that was passed completely. Its id stands for all these
  /// messages, which need no list.
  private(set) var last: String?
  /// The number of messages by which `last` has moved since the last note.
  private var unnoted = 0
  private var uids: Set<String> = []

  /// The highest number of remembered ids, and the size limit of an id.
  private static let limit = 10_000
  private static let longestUID = 128

  init(after last: String? = nil) { self.last = last }

  /// Whether `last` stands for all passed messages.
  var isSettled: Bool { uids.isEmpty }

  func contains(_ uid: String) -> Bool { uids.contains(uid) }

  mutating func insert(_ uid: String) {
    guard uids.count < Self.limit, uid.utf8.count <= Self.longestUID else { return }
    uids.insert(uid)
  }

  /// Returns the ids of the messages after `last` that were not passed, from a list of messages. Forgets ids that the
  /// list no longer has.
  ///
  /// The Cloud Agent may list all messages instead, because it does not support the filter, or has removed the last
  /// message.
  mutating func remaining(of list: MessageList) -> [String] {
    var later = list.uids[...]
    if let last, let place = later.firstIndex(of: last) { later = later[(place + 1)...] }
    let remaining = later.filter { !uids.contains($0) }
    if list.isInOrder {
      let passed = later.prefix { uids.contains($0) }
      last = passed.last ?? last
      unnoted += passed.count
      later = later.dropFirst(passed.count)
    }
    uids.formIntersection(later)
    return remaining
  }

  /// Returns `last` for a note, if the note spares another process enough messages. Counts it as noted.
  mutating func takePlace() -> String? {
    guard unnoted >= Self.worthwhile else { return nil }
    unnoted = 0
    return last
  }

  /// The number of messages that are worth a note: a note is a commit of the wallet, which takes as long as looking at
  /// so many messages.
  private static let worthwhile = 10
}
