internal import AgencyWire
internal import SQLite

extension SQLiteStorage {
  package func takeNotifications(limit: Int, lease: Int64) throws(StorageError) -> [Notification] {
    let now = clock()
    let isAnyDue = try read { database throws(SQLiteError) in
      try database("SELECT 1 FROM notifications WHERE due <= ? LIMIT 1").first(.integer(now)) { _ in true } ?? false
    }
    guard isAnyDue else { return [] }
    return try write { (database, now) throws(SQLiteError) in
      let due = try database.dueNotifications(at: now, limit: limit)
      for notification in due {
        try database("UPDATE notifications SET due = ? WHERE id = ?")
          .run(.integer(now + lease), .integer(notification.id))
      }
      return due
    }
  }

  package func settle(_ notification: Notification, retryAt: Int64?) throws(StorageError) {
    try write { (database, _) throws(SQLiteError) in
      guard let retryAt else {
        try database("DELETE FROM notifications WHERE id = ?").run(.integer(notification.id))
        return
      }
      try database("UPDATE notifications SET due = ?, attempts = ? WHERE id = ?")
        .run(.integer(retryAt), .integer(Int64(notification.attempts + 1)), .integer(notification.id))
    }
  }
}

extension Database {
  /// Queues a notification for each of the owner's methods. Without a sponsor there is nobody to send to a device.
  func announce(_ messageID: Int64, in mailbox: PairwiseAgent, now: Int64) throws(SQLiteError) -> Int {
    let insert = """
      INSERT INTO notifications (message_id, agent_id, method, attempts, due)
      SELECT ?1, agent_id, name, 0, ?2 FROM com_methods JOIN agents ON agents.id = agent_id
      WHERE agent_id = ?3 AND (kind = 2 OR sponsor_id IS NOT NULL)
      """
    try self(insert).run(.integer(messageID), .integer(now), .integer(mailbox.agentID))
    return connection.changes
  }

  fileprivate func dueNotifications(at now: Int64, limit: Int) throws(SQLiteError) -> [Notification] {
    let select = """
      SELECT notifications.id, attempts, name, kind, value, sponsor_id, uid, for_did FROM notifications
      JOIN com_methods ON com_methods.agent_id = notifications.agent_id AND name = method
      JOIN agents ON agents.id = notifications.agent_id
      JOIN messages ON messages.id = message_id
      JOIN pairwise ON pairwise.id = pairwise_id
      WHERE due <= ? ORDER BY due LIMIT ?
      """
    var due: [Notification] = []
    try self(select).forEach(.integer(now), .integer(Int64(limit))) { row throws(SQLiteError) in
      let kind = ComMethod.Kind(rawValue: Int(try row.integer(3))) ?? .push
      let method = ComMethod(id: try row.text(2), kind: kind, value: try row.text(4))
      let sponsorID: String? = if case .text(let id) = try row.value(5) { id } else { nil }
      due.append(
        Notification(
          id: try row.integer(0), attempts: Int(try row.integer(1)), method: method, sponsorID: sponsorID,
          uid: try row.text(6), pairwiseDID: try row.text(7)))
    }
    return due
  }
}
