internal import CloudAgent
internal import DIDComm
internal import JSON
internal import Logging

/// Finds the unread messages of all mailboxes that a subscriber has not been told of.
struct NewMessages {
  /// The messages that the subscriber has been told of, by pairwise DID, as long as they are unread.
  private var told: [String: Set<String>] = [:]

  /// The highest number of messages in one download.
  private static let most = 50

  /// Looks for new messages, and passes them to `tell`, the oldest of each mailbox first. Without `collecting`, looks
  /// only at the messages that have been collected. Returns whether there was a new message.
  mutating func find(in session: Session, collecting: Bool, _ tell: (_ message: String) throws -> Void) throws -> Bool {
    let unread = MessageFilter(statuses: [.received], excludesPayload: true)
    let listed = try session.messages(collecting: collecting).messages(of: [], unread)
    forgetOthers(than: listed)
    var isAny = false
    for connection in listed where try session.isOwn(connection.pairwiseDID) {
      let new = connection.messages.map(\.uid).filter { told[connection.pairwiseDID]?.contains($0) != true }
      for start in stride(from: 0, to: new.count, by: Self.most) {
        let uids = Array(new[start..<min(start + Self.most, new.count)])
        let messages = try session.unread(uids, of: connection.pairwiseDID)
        if try self.tell(messages, of: connection.pairwiseDID, in: session, tell) { isAny = true }
      }
    }
    return isAny
  }

  /// Passes the new messages among these unread ones to `tell`. Returns whether there was a new message.
  mutating func tell(
    _ messages: [StoredMessage], of pairwiseDID: String, in session: Session, _ tell: (_ message: String) throws -> Void
  ) throws -> Bool {
    guard try session.isOwn(pairwiseDID) else { return false }
    var isAny = false
    for message in messages where told[pairwiseDID]?.contains(message.uid) != true {
      try tell(session.announcement(of: message, for: pairwiseDID))
      told[pairwiseDID, default: []].insert(message.uid)
      isAny = true
    }
    return isAny
  }

  private mutating func forgetOthers(than listed: [ConnectionMessages]) {
    var unread: [String: Set<String>] = [:]
    for connection in listed { unread[connection.pairwiseDID] = Set(connection.messages.map(\.uid)) }
    for (did, uids) in told {
      let rest = uids.intersection(unread[did] ?? [])
      told[did] = rest.isEmpty ? nil : rest
    }
  }
}

extension Session {
  /// Whether the wallet has the key of a mailbox. If a copy of the wallet is in use elsewhere, the account also has
  /// mailboxes of the copy.
  fileprivate func isOwn(_ pairwiseDID: String) throws -> Bool {
    guard let did = try? DID(pairwiseDID) else { return false }
    return try wallet.verkey(of: did) != nil
  }

  /// Downloads messages that were unread, in this order. Omits messages that are gone, or that are read by now.
  fileprivate func unread(_ uids: [String], of pairwiseDID: String) throws -> [StoredMessage] {
    let known = uids.compactMap { uid in
      messageMemory.unread.withLock { $0.message(at: .init(pairwiseDID: pairwiseDID, uid: uid)) }
    }
    let missing = uids.filter { uid in !known.contains { $0.uid == uid } }
    guard !missing.isEmpty else { return known }
    let filter = MessageFilter(uids: missing, statuses: [.received])
    let brought = try messages(collecting: false).messages(of: [pairwiseDID], filter).flatMap(\.messages)
    return uids.compactMap { uid in known.first { $0.uid == uid } ?? brought.first { $0.uid == uid } }
  }
}
