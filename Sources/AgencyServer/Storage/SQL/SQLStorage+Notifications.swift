internal import AgencyWire
internal import DIDComm

/// The longest time until a notification is due, in seconds: the notifier's longest pause, and a margin. A notification that is
/// due later was written before the clock was set back, and is due now.
private let longestPause: Int64 = 900

extension SQLStorage {
  func takeNotifications(limit: Int, lease: Int64) throws(StorageError) -> [Notification] {
    let now = clock()
    let isAnyDue = try read { session throws(Failure) in
      let select = "SELECT 1 FROM notifications WHERE due <= $1 OR due > $2 LIMIT 1"
      return try session.first(select, .integer(now), .integer(now + longestPause)) { _ in true } ?? false
    }
    guard isAnyDue else { return [] }
    // Skips notifications that another agency is taking.
    let take = """
      UPDATE notifications SET due = $1 WHERE id IN
      (SELECT id FROM notifications WHERE due <= $2 OR due > $3 ORDER BY due LIMIT $4 \(Session.lockFree))
      RETURNING id, attempts, method,
      (SELECT kind FROM com_methods WHERE com_methods.agent_id = notifications.agent_id AND name = method),
      (SELECT value FROM com_methods WHERE com_methods.agent_id = notifications.agent_id AND name = method),
      (SELECT sponsor_id FROM agents WHERE agents.id = notifications.agent_id),
      coalesce((SELECT uid FROM messages WHERE messages.id = message_id), note_uid),
      coalesce(
        (SELECT for_did FROM messages JOIN pairwise ON pairwise.id = pairwise_id WHERE messages.id = message_id),
        (SELECT owner_did FROM agents WHERE agents.id = notifications.agent_id)),
      coalesce(
        (SELECT created FROM messages WHERE messages.id = message_id),
        (SELECT created FROM notes WHERE notes.uid = note_uid)),
      agent_id, message_type, sender_name
      """
    return try write { session throws(Failure) in
      try session.all(
        take, .integer(now + lease), .integer(now), .integer(now + longestPause), .integer(Int64(limit)),
        row: Notification.init
      ).sorted { $0.id < $1.id }
    }
  }

  func settle(_ notification: Notification, retryAt: Int64?) throws(StorageError) {
    guard let retryAt else { return try write("DELETE FROM notifications WHERE id = $1", .integer(notification.id)) }
    try write(
      "UPDATE notifications SET due = $1, attempts = $2 WHERE id = $3", .integer(retryAt),
      .integer(Int64(notification.attempts + 1)), .integer(notification.id))
  }

  func unregister(_ notification: Notification) throws(StorageError) {
    try write(
      "DELETE FROM com_methods WHERE agent_id = $1 AND name = $2 AND kind = $3 AND value = $4",
      .integer(notification.agentID), .text(notification.method.id),
      .integer(Int64(notification.method.kind.rawValue)), .text(notification.method.value))
  }
}

extension Notification {
  fileprivate init<Row: SQLRow>(_ row: Row) throws(Row.Failure) {
    let kind = WireComMethod.Kind(rawValue: Int(try row.integer(3))) ?? .push
    self.init(
      id: try row.integer(0), agentID: try row.integer(9), attempts: Int(try row.integer(1)),
      method: WireComMethod(id: try row.text(2), kind: kind, value: try row.text(4)),
      sponsorID: try row.optionalText(5),
      uid: try row.text(6), pairwiseDID: try row.text(7), arrival: try row.integer(8),
      hint: MessageHint(type: try row.optionalText(10), sender: try row.optionalText(11)))
  }
}

extension SQLSession {
  /// Queues a notification of the agency's own message for each of the owner's methods.
  func announce(_ note: Note, of account: Account, now: Int64) throws(Failure) {
    let insert = """
      INSERT INTO notifications (note_uid, agent_id, method, attempts, due, message_type)
      SELECT $1, agent_id, name, 0, $2, $3 FROM com_methods WHERE agent_id = $4
      """
    try run(insert, .text(note.uid), .integer(now), .text(note.type), .integer(account.id))
  }

  /// Queues a notification for each of the owner's methods.
  func announce(_ mail: Mail, in mailbox: Mailbox, now: Int64) throws(Failure) -> Int {
    let insert = """
      INSERT INTO notifications (message_id, agent_id, method, attempts, due, message_type, sender_name)
      SELECT (SELECT id FROM messages WHERE uid = $1), agent_id, name, 0, $2, $3, $4
      FROM com_methods WHERE agent_id = $5
      """
    return try run(
      insert, .text(mail.uid), .integer(now), .text(mail.hint.type), .text(mail.hint.sender),
      .integer(mailbox.agentID))
  }
}
