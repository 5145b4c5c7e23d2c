internal import AgencyWire
package import Aries
internal import DIDComm
internal import Logging
internal import Threading

extension AgencyClient {
  package func messages(in mailbox: Mailbox, _ filter: MessageFilter) throws -> [StoredMessage] {
    try Download.all(WireMessageFilter(filter)) { try answer($0, from: mailbox) }.flatMap(\.messages).map(
      StoredMessage.init)
  }

  /// An agency that marks the ends of its answers is msdk's own, which lists messages in the order of their arrival.
  package func list(_ mailbox: Mailbox, _ statuses: [MessageStatus], after last: String?) throws -> MessageList {
    var uids: [String] = []
    let filter = MessageFilter(statuses: statuses, excludesPayload: true, after: last)
    let isInOrder = try visit(mailbox, filter) { messages in
      uids += messages.map(\.uid)
      return true
    }
    return MessageList(uids: uids, isInOrder: isInOrder)
  }

  package func visit(
    _ mailbox: Mailbox, _ filter: MessageFilter, _ take: ([StoredMessage]) throws -> Bool
  ) throws -> Bool {
    var isInOrder = true
    try Download.each(WireMessageFilter(filter)) { filter in
      let answer = try answer(filter, from: mailbox)
      if answer.end == .unsaid { isInOrder = false }
      return answer
    } take: {
      try take($0.flatMap(\.messages).map(StoredMessage.init))
    }
    return isInOrder
  }

  private func answer(_ filter: WireMessageFilter, from mailbox: Mailbox) throws -> Download.Answer {
    let answer: Messages = try channel.request(
      GetMessages(filter: filter), from: mailbox.key, to: try mailbox.agent, through: (agent, owner))
    let messages = WireConnectionMessages(pairwiseDID: mailbox.pairwiseDID.text, messages: answer.messages)
    return Download.Answer(connections: [messages], end: answer.end)
  }

  /// Requests the messages in three layers, as for a mailbox, because agencies expect that.
  package func ownMessages(_ filter: MessageFilter) throws -> [StoredMessage] {
    try Download.all(WireMessageFilter(filter)) { filter in
      let answer: Messages = try channel.request(
        GetMessages(filter: filter), from: owner, to: agent, through: (agent, owner))
      let messages = WireConnectionMessages(pairwiseDID: "", messages: answer.messages)
      return Download.Answer(connections: [messages], end: answer.end)
    }.flatMap(\.messages).map(StoredMessage.init)
  }

  /// Some agencies do not know the request for several mailboxes, and their errors do not clearly say so. On such an
  /// error the client asks for each noted mailbox. If that works, it keeps asking that way.
  package func messages(of pairwiseDIDs: [String], _ filter: MessageFilter) throws -> [ConnectionMessages] {
    try wireMessages(of: pairwiseDIDs, WireMessageFilter(filter)).map(ConnectionMessages.init)
  }

  private func wireMessages(of pairwiseDIDs: [String], _ filter: WireMessageFilter) throws -> [WireConnectionMessages] {
    if asksOneByOne.withLock({ $0 }) { return try messagesOneByOne(of: pairwiseDIDs, filter) }
    do {
      return try messagesTogether(of: pairwiseDIDs, filter)
    } catch let error as CloudAgentError where error.mayMeanUnknownRequest {
      guard let messages = try? messagesOneByOne(of: pairwiseDIDs, filter), !messages.isEmpty else { throw error }
      asksOneByOne.withLock { $0 = true }
      Log.info("the agency does not give the messages of several connections at once: each is asked for")
      return messages
    }
  }

  private func messagesTogether(of pairwiseDIDs: [String], _ filter: WireMessageFilter) throws
    -> [WireConnectionMessages]
  {
    try Download.all(filter) { filter in
      let request = GetMessagesByConnections(pairwiseDIDs: pairwiseDIDs, filter: filter)
      let answer: MessagesByConnections = try channel.request(request, from: owner, to: agent)
      return Download.Answer(connections: answer.connections, end: answer.end)
    }
  }

  /// A refused mailbox, for example one that another program closed, does not hide the others.
  private func messagesOneByOne(of pairwiseDIDs: [String], _ filter: WireMessageFilter) throws
    -> [WireConnectionMessages]
  {
    var refusal: CloudAgentError?
    var room = Download.maximum
    let found = try directory.mailboxes(of: pairwiseDIDs).compactMap { mailbox -> WireConnectionMessages? in
      do {
        return try Download.all(filter, room: &room) { try answer($0, from: mailbox) }.first
      } catch let error as CloudAgentError where error.isAboutOneMailbox {
        Log.warning("the messages of a connection could not be downloaded: \(error)")
        refusal = error
        return nil
      }
    }
    if found.isEmpty, let refusal { throw refusal }
    return found
  }
}

extension CloudAgentError {
  /// Whether the agency may not know the request. An agency that gives one of Verity's reasons knows it.
  fileprivate var mayMeanUnknownRequest: Bool {
    guard case .refused(let status, let refusal) = self else { return false }
    return [400, 404, 405, 500, 501].contains(status) && refusal?.statusCode.isEmpty ?? true
  }

  fileprivate var isAboutOneMailbox: Bool {
    switch self {
    case .refused, .missingKey, .unknownMailbox: true
    case .unreachable, .invalidAnswer, .declined, .denied, .tooMuch, .unable, .recoveryKeyTaken, .recoveryKeyReplaced:
      false
    }
  }
}
