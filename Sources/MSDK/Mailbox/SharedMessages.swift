internal import Aries
internal import CloudAgent
internal import DIDComm
internal import Threading

/// The messages of a session's mailboxes. Objects and calls that look at one mailbox share the messages that one of them
/// has downloaded, and calls that wait for a look at it share the next look.
///
/// The Cloud Agent always tells which messages there are. Only the messages themselves come from memory.
struct SharedMessages: MessageKeeper {
  let keeper: any MessageKeeper
  let memory: MessageMemory

  func messages(in mailbox: Mailbox, _ filter: MessageFilter) throws -> [StoredMessage] {
    let did = mailbox.pairwiseDID.text
    guard !filter.excludesPayload, filter.isForUnread, memory.unread.withLock({ $0.hasAny(of: [did]) }) else {
      return try noted(keeper.messages(in: mailbox, filter), of: did)
    }
    var headings = filter
    headings.excludesPayload = true
    let listed = try keeper.messages(in: mailbox, headings)
    return try filled([ConnectionMessages(pairwiseDID: did, messages: listed)]) { _, uids in
      let messages = try keeper.messages(in: mailbox, MessageFilter(uids: uids))
      return [ConnectionMessages(pairwiseDID: did, messages: messages)]
    }.flatMap(\.messages)
  }

  func list(_ mailbox: Mailbox, _ statuses: [MessageStatus], after last: String?) throws -> MessageList {
    try keeper.list(mailbox, statuses, after: last)
  }

  func visit(
    _ mailbox: Mailbox, _ filter: MessageFilter, _ take: ([StoredMessage]) throws -> Bool
  ) throws -> Bool {
    guard !filter.excludesPayload, !filter.uids.isEmpty || filter.isForUnread else {
      return try keeper.visit(mailbox, filter, take)
    }
    let look = filter.uids.isEmpty ? try look(at: mailbox, filter) : MailboxLook(uids: filter.uids)
    var rest = look.list.uids[...]
    while !rest.isEmpty {
      let messages = try memory.alone(with: mailbox) { try next(&rest, of: look, in: mailbox, filter.statuses) }
      guard try take(messages) else { break }
    }
    return look.list.isInOrder
  }

  func messages(of pairwiseDIDs: [String], _ filter: MessageFilter) throws -> [ConnectionMessages] {
    guard !filter.excludesPayload, filter.isForUnread, memory.unread.withLock({ $0.hasAny(of: pairwiseDIDs) }) else {
      return try noted(keeper.messages(of: pairwiseDIDs, filter))
    }
    var headings = filter
    headings.excludesPayload = true
    return try filled(keeper.messages(of: pairwiseDIDs, headings)) { dids, uids in
      try keeper.messages(of: dids, MessageFilter(uids: uids))
    }
  }

  func setStatus(_ status: MessageStatus, of messages: [ConnectionUIDs]) throws {
    try keeper.setStatus(status, of: messages)
    memory.note(status, of: messages)
  }
}

extension SharedMessages {
  /// The number of bytes that one download brings before the caller looks at the messages.
  private static let share = 2 << 20
  /// The highest number of messages in one request.
  private static let uidsPerRequest = 500

  /// The messages of a mailbox now. If the memory has none of them, one request brings the list and the messages.
  private func look(at mailbox: Mailbox, _ filter: MessageFilter) throws -> MailboxLook {
    try memory.sharedLook(at: mailbox, filter) {
      let did = mailbox.pairwiseDID.text
      var found: [StoredMessage] = []
      if !memory.unread.withLock({ $0.hasAny(of: did, after: filter.after) }) {
        let (isInOrder, isComplete) = try download(mailbox, filter, into: &found)
        if isComplete { return MailboxLook(found, isInOrder: isInOrder) }
      }
      let list = try keeper.list(mailbox, filter.statuses, after: filter.after)
      return MailboxLook(list, bringing: found)
    }
  }

  /// The next messages of a look: known ones, or else some that one download brings. Empty if the messages have gone
  /// meanwhile.
  private func next(
    _ rest: inout ArraySlice<String>, of look: MailboxLook, in mailbox: Mailbox, _ statuses: [MessageStatus]
  ) throws -> [StoredMessage] {
    let did = mailbox.pairwiseDID.text
    let known = { (uid: String) in
      look.brought[uid] ?? memory.unread.withLock { $0.message(at: Inbox.Place(pairwiseDID: did, uid: uid)) }
    }
    var here: [StoredMessage] = []
    while let message = rest.first.flatMap(known) {
      here.append(message)
      rest.removeFirst()
    }
    guard here.isEmpty else { return here }
    let missing = Array(rest.prefix(Self.uidsPerRequest).prefix { known($0) == nil })
    let (_, isComplete) = try download(mailbox, MessageFilter(uids: missing, statuses: statuses), into: &here)
    let gone = isComplete ? Set(missing) : Set(here.map(\.uid))
    rest = rest.filter { !gone.contains($0) }[...]
    return here
  }

  /// Downloads the messages, but ends after a share. Returns whether they come in order, and whether they are all there.
  private func download(
    _ mailbox: Mailbox, _ filter: MessageFilter, into found: inout [StoredMessage]
  ) throws -> (isInOrder: Bool, isComplete: Bool) {
    var (size, isComplete) = (0, true)
    let isInOrder = try keeper.visit(mailbox, filter) { messages in
      found += messages
      size += memory.note(messages, of: mailbox.pairwiseDID.text)
      isComplete = size < Self.share
      return isComplete
    }
    return (isInOrder, isComplete)
  }

  private func noted(_ messages: [StoredMessage], of pairwiseDID: String) -> [StoredMessage] {
    _ = memory.note(messages, of: pairwiseDID)
    return messages
  }

  private func noted(_ connections: [ConnectionMessages]) -> [ConnectionMessages] {
    for connection in connections { _ = memory.note(connection.messages, of: connection.pairwiseDID) }
    return connections
  }

  /// The listed messages with their payloads. Downloads only the unknown ones, by the DIDs of their connections and their
  /// ids.
  private func filled(
    _ listed: [ConnectionMessages], _ download: ([String], [String]) throws -> [ConnectionMessages]
  ) throws -> [ConnectionMessages] {
    var known = memory.known(of: listed)
    let missing = listed.map { connection in
      (
        did: connection.pairwiseDID,
        uids: connection.messages.map(\.uid).filter { known[connection.pairwiseDID]?[$0] == nil }
      )
    }.filter { !$0.uids.isEmpty }
    if !missing.isEmpty {
      for connection in try noted(download(missing.map(\.did), missing.flatMap(\.uids))) {
        for message in connection.messages { known[connection.pairwiseDID, default: [:]][message.uid] = message }
      }
    }
    return listed.map { connection in
      let messages = connection.messages.compactMap { known[connection.pairwiseDID]?[$0.uid]?.with($0.status) }
      return ConnectionMessages(pairwiseDID: connection.pairwiseDID, messages: messages)
    }
  }
}

extension MessageFilter {
  /// Whether only unread messages meet the filter. The memory has no others.
  fileprivate var isForUnread: Bool { statuses == [.received] }
}

extension StoredMessage {
  fileprivate func with(_ status: MessageStatus) -> StoredMessage {
    StoredMessage(
      uid: uid, status: status, senderDID: senderDID, type: type, payload: payload, envelope: envelope,
      refMsgID: refMsgID)
  }
}
