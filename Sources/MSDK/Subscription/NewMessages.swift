internal import CloudAgent
internal import DIDComm
internal import JSON
internal import Logging

/// Takes the new messages of a subscriber.
protocol NewMessageTaker {
  /// Whether a mailbox may have a further message taken now.
  func isFree(_ pairwiseDID: String) -> Bool

  /// Takes a message of the mailbox. Returns false if the mailbox was not free in time. Throws if nobody takes messages any more.
  func take(_ message: String, of pairwiseDID: String) throws -> Bool
}

/// Finds the unread messages of all mailboxes that a subscriber has not been told of.
struct NewMessages {
  /// The messages that the subscriber has been told of, by pairwise DID, as long as they are unread.
  private var told: [String: Set<String>] = [:]

  /// The mailboxes that have new messages for which they were not free. Only `find` takes these messages, so that newer ones do
  /// not overtake them.
  private(set) var heldBack: Set<String> = []

  /// The highest number of messages in one download.
  private static let most = 50

  /// Looks for new messages, and passes them to `taker`, the oldest of each mailbox first. Without `collecting`, looks
  /// only at the messages that have been collected. Returns whether there was a new message.
  mutating func find(in session: Session, collecting: Bool, for taker: some NewMessageTaker) throws -> Bool {
    let unread = MessageFilter(statuses: [.received], excludesPayload: true)
    let listed = try session.messages(collecting: collecting).messages(of: [], unread)
    forgetOthers(than: listed)
    heldBack.formIntersection(listed.map(\.pairwiseDID))
    var isAny = false
    for connection in listed {
      let did = connection.pairwiseDID
      guard try session.isOwn(did) else {
        heldBack.remove(did)
        continue
      }
      if heldBack.contains(did), !taker.isFree(did) { continue }
      let new = connection.messages.map(\.uid).filter { told[did]?.contains($0) != true }
      var isTaken = true
      for start in stride(from: 0, to: new.count, by: Self.most) where isTaken {
        let messages = try session.unread(Array(new[start..<min(start + Self.most, new.count)]), of: did)
        isTaken = try pass(messages, of: did, in: session, to: taker, &isAny)
      }
      if isTaken { heldBack.remove(did) } else { heldBack.insert(did) }
    }
    return isAny
  }

  /// Passes the new messages among these unread ones to `taker`. Returns whether there was a new message.
  mutating func tell(
    _ messages: [StoredMessage], of pairwiseDID: String, in session: Session, to taker: some NewMessageTaker
  ) throws -> Bool {
    guard try session.isOwn(pairwiseDID), !heldBack.contains(pairwiseDID) else { return false }
    var isAny = false
    if try !pass(messages, of: pairwiseDID, in: session, to: taker, &isAny) { heldBack.insert(pairwiseDID) }
    return isAny
  }

  /// Returns whether all messages are taken.
  private mutating func pass(
    _ messages: [StoredMessage], of pairwiseDID: String, in session: Session, to taker: some NewMessageTaker,
    _ isAny: inout Bool
  ) throws -> Bool {
    for message in messages where told[pairwiseDID]?.contains(message.uid) != true {
      guard try taker.take(session.announcement(of: message, for: pairwiseDID), of: pairwiseDID) else { return false }
      told[pairwiseDID, default: []].insert(message.uid)
      isAny = true
    }
    return true
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
