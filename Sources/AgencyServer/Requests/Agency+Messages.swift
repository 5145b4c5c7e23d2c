internal import AgencyWire
internal import DIDComm
internal import Sodium

extension Agency {
  /// Stores a message for a mailbox's owner. It is on disk when this returns.
  func deliver(_ hop: Hop, to mailbox: Mailbox) throws(RequestError) -> [UInt8] {
    guard !mailbox.isDeleted else { throw .notFound(reason: "the mailbox was deleted") }
    let payload = hop.envelope.bytes
    guard payload.count <= rules.messageBytes else { throw .bodyTooLarge }
    let mail = Mail(
      uid: .randomUUID(), payload: payload, digest: sha256(payload), arrival: clock(), hint: hop.hint)
    let delivery = try stored { () throws(StorageError) in
      try storage.deliver(mail, to: mailbox, quota: rules.quota)
    }
    switch delivery {
    case .stored(let notifications):
      metrics.count(.messagesStored)
      log.note("served", ["request": "message", "message": mail.uid])
      if notifications > 0 { notificationsWait() }
      return []
    case .repeated:
      metrics.count(.messagesRepeated)
      log.note("served", ["request": "message", "outcome": "repeated"])
      return []
    case .mailboxFull: throw .mailboxFull
    case .gone: throw .notFound(reason: "the mailbox was deleted")
    }
  }

  func messages(
    _ request: GetMessages, _ mailbox: Mailbox, _ visit: Visit
  ) throws(RequestError) -> Answer {
    let selection = try selection(in: .mailbox(mailbox), request.filter)
    if let wait = request.filter.wait {
      let search = WaitingSearch(selection: selection, visit: visit) {
        Messages(messages: $0.map(\.stored), end: $1)
      }
      return try answer(search, waiting: wait)
    }
    let kept = try kept(selection)
    try visit.reserveAnswer(of: kept.size, for: mailbox.agentID)
    return Answer(Messages(messages: kept.messages.map(\.stored), end: end(of: kept)))
  }

  /// Returns one entry per connection, also for connections without messages, unless the client waits. Unknown connections
  /// are left out.
  func messages(
    _ request: GetMessagesByConnections, _ agent: Account, _ visit: Visit
  ) throws(RequestError) -> Answer {
    let scope = MessageSelection.Scope.agent(agent, pairwiseDIDs: request.pairwiseDIDs)
    if let wait = request.filter.wait {
      let search = WaitingSearch(selection: try selection(in: scope, request.filter), visit: visit) {
        MessagesByConnections(connections: $0.connections(), end: $1)
      }
      return try answer(search, waiting: wait)
    }
    let dids = try stored { () throws(StorageError) in
      try storage.pairwiseDIDs(of: agent, among: request.pairwiseDIDs)
    }
    let kept = try kept(selection(in: scope, request.filter, headings: dids.count))
    try visit.reserveAnswer(of: kept.size, for: agent.id)
    return Answer(MessagesByConnections(connections: kept.messages.connections(of: dids), end: end(of: kept)))
  }

  /// `headings` is the number of connections that the answer names.
  private func selection(
    in scope: MessageSelection.Scope, _ filter: WireMessageFilter, headings: Int = 0
  ) throws(RequestError) -> MessageSelection {
    var filter = filter
    filter.statusCodes = Self.searched(filter.statusCodes)
    var selection = MessageSelection(scope: scope, filter: filter, budget: rules.answerBytes - headings * 64)
    selection.isSettled = filter.wait != nil
    if let text = filter.after {
      guard let place = masterKey.openPlace(text) else { throw .invalid("after") }
      selection.after = place
    }
    return selection
  }

  private func kept(_ selection: MessageSelection) throws(RequestError) -> KeptMessages {
    try stored { () throws(StorageError) in try storage.messages(selection) }
  }

  /// The wanted codes that messages can have, each once: the cost of a search grows with the codes times the mailboxes.
  /// If no message can have any of them, one wanted code remains, so that the search finds nothing.
  static func searched(_ codes: [String]) -> [String] {
    let known = Set(codes).intersection((101...107).map { "MS-\($0)" })
    return known.isEmpty ? Array(codes.prefix(1)) : known.sorted()
  }

  private func end(of kept: KeptMessages) -> AnswerEnd {
    kept.end.map { .cut(next: masterKey.sealPlace($0)) } ?? .complete
  }

  private static let statuses: Set = ["MS-104", "MS-105", "MS-106", "MS-107"]

  func updateStatus(_ request: UpdateMessageStatus, _ agent: Account) throws(RequestError) -> any AgencyMessage {
    guard Self.statuses.contains(request.statusCode) else { throw .invalid("statusCode") }
    // Each connection takes a statement, and an account has no more mailboxes than this.
    guard request.connections.count <= rules.mailboxesPerAgent else { throw .invalid("uidsByConns") }
    let updated = try stored { () throws(StorageError) in
      try storage.setStatus(request.statusCode, of: request.connections, of: agent, quota: rules.quota)
    }
    let failed = zip(request.connections, updated).filter { $0.uids.count != $1.uids.count }.map { asked, _ in
      MessageStatusUpdated.Failure(
        pairwiseDID: asked.pairwiseDID, statusCode: "GNR-115", statusMessage: "unknown message")
    }
    return MessageStatusUpdated(updated: updated.filter { !$0.uids.isEmpty }, failed: failed)
  }
}

extension KeptMessages {
  /// The bytes of the payloads.
  var size: Int { messages.reduce(0) { $0 + ($1.payload?.count ?? 0) } }
}

extension [KeptMessage] {
  /// The messages by their connections: by all of `dids`, or only by those with messages.
  fileprivate func connections(of dids: [String]? = nil) -> [WireConnectionMessages] {
    let byDID = Dictionary(grouping: self, by: \.pairwiseDID)
    return (dids ?? byDID.keys.sorted()).map { did in
      WireConnectionMessages(pairwiseDID: did, messages: (byDID[did] ?? []).map(\.stored))
    }
  }
}

extension KeptMessage {
  /// The message in the form for its owner.
  fileprivate var stored: WireMessage {
    WireMessage(uid: uid, statusCode: status, payloadText: payload)
  }
}
