internal import Aries
internal import CloudAgent
internal import DIDComm

/// The messages of a Cloud Agent that only passes them on. The wallet's inbox holds them, with their statuses. Each request
/// first collects the waiting ones, if there is a source.
struct CollectedMessages: MessageKeeper {
  let source: (any MessageSource)?
  let inbox: Inbox
  let book: MailboxBook

  func messages(in mailbox: Mailbox, _ filter: MessageFilter) throws -> [StoredMessage] {
    _ = try did(of: mailbox)
    return try messages(of: [mailbox.pairwiseDID.text], filter).flatMap(\.messages)
  }

  func list(_ mailbox: Mailbox, _ statuses: [MessageStatus], after last: String?) throws -> MessageList {
    let places = try places([did(of: mailbox)], MessageFilter(statuses: statuses, after: last))
    return MessageList(uids: places.map(\.uid), isInOrder: true)
  }

  func visit(
    _ mailbox: Mailbox, _ filter: MessageFilter, _ take: ([StoredMessage]) throws -> Bool
  ) throws -> Bool {
    for place in try places([did(of: mailbox)], filter) {
      if let message = try inbox.message(at: place), try !take([message]) { break }
    }
    return true
  }

  func messages(of pairwiseDIDs: [String], _ filter: MessageFilter) throws -> [ConnectionMessages] {
    var (dids, messages): ([String], [String: [StoredMessage]]) = ([], [:])
    for place in try places(pairwiseDIDs, filter) {
      guard let message = try filter.isForHeadings ? Self.heading(place) : inbox.message(at: place) else { continue }
      if messages[place.pairwiseDID] == nil { dids.append(place.pairwiseDID) }
      messages[place.pairwiseDID, default: []].append(
        filter.excludesPayload ? message.withoutPayload : message)
    }
    return dids.map { ConnectionMessages(pairwiseDID: $0, messages: messages[$0] ?? []) }
  }

  func setStatus(_ status: MessageStatus, of messages: [ConnectionUIDs]) throws {
    try inbox.set(status, of: messages)
  }

  /// The pairwise DID of an open mailbox.
  private func did(of mailbox: Mailbox) throws -> String {
    let did = mailbox.pairwiseDID.text
    guard try !book.mailboxes(of: [did]).isEmpty else { throw CloudAgentError.unknownMailbox(mailbox.pairwiseDID) }
    return did
  }

  private func places(_ pairwiseDIDs: [String], _ filter: MessageFilter) throws -> [Inbox.Place] {
    try source?.collect { try MessageFiling(inbox: inbox, book: book).file($0) }
    return try inbox.find(pairwiseDIDs, filter)
  }
}

extension CollectedMessages {
  /// An unread message without its payload, which needs no record: all messages of a source look so.
  private static func heading(_ place: Inbox.Place) -> StoredMessage {
    StoredMessage(
      uid: place.uid, status: .received, senderDID: "", type: MessageFiling.type, payload: nil, envelope: nil,
      refMsgID: nil)
  }
}

extension MessageFilter {
  fileprivate var isForHeadings: Bool { excludesPayload && statuses == [.received] }
}

extension StoredMessage {
  fileprivate var withoutPayload: StoredMessage {
    StoredMessage(
      uid: uid, status: status, senderDID: senderDID, type: type, payload: nil, envelope: nil, refMsgID: refMsgID)
  }
}
