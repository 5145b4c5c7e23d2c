/// The ids of messages that stay in the mailbox for the application, so that they are neither downloaded nor opened
/// again.
///
/// The open connection keeps them in memory only, and looks at the messages again after a restart.
struct PassedOver: Sendable {
  private var uids: Set<String> = []

  /// The highest number of remembered ids, and the size limit of one.
  private static let limit = 10_000
  private static let longestUID = 128

  var isEmpty: Bool { uids.isEmpty }

  func contains(_ uid: String) -> Bool { uids.contains(uid) }

  mutating func insert(_ uid: String) {
    guard uids.count < Self.limit, uid.utf8.count <= Self.longestUID else { return }
    uids.insert(uid)
  }

  /// Forgets all but these: the others are no longer new.
  mutating func keep(only listed: [String]) { uids.formIntersection(listed) }
}
