/// The ids of messages that were looked at and left in the mailbox, so that they are neither downloaded nor opened again.
///
/// Only a memory of the open connection: it is not stored, and who forgets looks again.
struct PassedOver: Sendable {
  private var uids: Set<String> = []

  /// Most ids that are remembered, and the most bytes of one.
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
