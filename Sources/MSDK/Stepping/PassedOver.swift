internal import CloudAgent

/// The messages that stay in the mailbox for the application, so that they are neither downloaded nor opened again.
///
/// The open object keeps them in memory. A completed connection also notes the last one in the wallet (`PlaceBook`).
struct PassedOver: Sendable {
  /// The last message of those at the beginning of the mailbox that were all passed over. They need no list then, and no
  /// place in memory.
  private(set) var last: String?
  /// The number of messages by which `last` has moved since it was noted.
  private var unnoted = 0
  private var uids: Set<String> = []

  /// The highest number of remembered ids, and the size limit of one.
  private static let limit = 10_000
  private static let longestUID = 128

  init(after last: String? = nil) { self.last = last }

  /// Whether `last` tells all of them.
  var isSettled: Bool { uids.isEmpty }

  func contains(_ uid: String) -> Bool { uids.contains(uid) }

  mutating func insert(_ uid: String) {
    guard uids.count < Self.limit, uid.utf8.count <= Self.longestUID else { return }
    uids.insert(uid)
  }

  /// Returns the ids of a list of the messages after `last` that were not passed over, and forgets ids that are no longer
  /// in it.
  ///
  /// The Cloud Agent may list all messages instead: it does not know the wish, or has removed the last one.
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

  /// Returns `last` for a note, if that saves another process a look at some messages. Counts it as noted.
  mutating func takePlace() -> String? {
    guard unnoted >= Self.worthwhile else { return nil }
    unnoted = 0
    return last
  }

  /// A note is a commit of the wallet, which takes as long as a look at so many messages.
  private static let worthwhile = 10
}
