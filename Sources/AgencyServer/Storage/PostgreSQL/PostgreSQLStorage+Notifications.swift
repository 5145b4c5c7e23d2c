internal import AgencyWire
internal import PostgreSQL

extension PostgreSQLStorage {
  package func takeNotifications(limit: Int, lease: Int64) throws(StorageError) -> [Notification] {
    let now = clock()
    let isAnyDue = try read { connection throws(PostgreSQLError) in
      try connection.query("SELECT FROM notifications WHERE due <= $1 LIMIT 1", .integer(now)).count > 0
    }
    guard isAnyDue else { return [] }
    return try write { (connection, now) throws(PostgreSQLError) in
      // What another agency is taking now is passed over.
      let take = """
        WITH taken AS (
          UPDATE notifications SET due = $1 WHERE id IN (
            SELECT id FROM notifications WHERE due <= $2 ORDER BY due LIMIT $3 FOR UPDATE SKIP LOCKED)
          RETURNING id, message_id, agent_id, method, attempts
        )
        SELECT taken.id, attempts, name, kind, value, sponsor_id, uid, for_did FROM taken
        JOIN com_methods ON com_methods.agent_id = taken.agent_id AND name = method
        JOIN agents ON agents.id = taken.agent_id
        JOIN messages ON messages.id = message_id
        JOIN pairwise ON pairwise.id = pairwise_id
        ORDER BY taken.id
        """
      return try connection.query(take, .integer(now + lease), .integer(now), .integer(Int64(limit)))
        .map(Notification.init)
    }
  }

  package func settle(_ notification: Notification, retryAt: Int64?) throws(StorageError) {
    try write { (connection, _) throws(PostgreSQLError) in
      guard let retryAt else {
        try connection.query("DELETE FROM notifications WHERE id = $1", .integer(notification.id))
        return
      }
      try connection.query(
        "UPDATE notifications SET due = $1, attempts = $2 WHERE id = $3", .integer(retryAt),
        .integer(Int64(notification.attempts + 1)), .integer(notification.id))
    }
  }
}

extension Notification {
  fileprivate init(_ row: Row) throws(PostgreSQLError) {
    let kind = ComMethod.Kind(rawValue: Int(try row.integer(3))) ?? .push
    self.init(
      id: try row.integer(0), attempts: Int(try row.integer(1)),
      method: ComMethod(id: try row.text(2), kind: kind, value: try row.text(4)), sponsorID: try row.optionalText(5),
      uid: try row.text(6), pairwiseDID: try row.text(7))
  }
}

extension Connection {
  /// Queues a notification for each of the owner's methods. Without a sponsor there is nobody to send to a device.
  func announce(_ messageID: Int64, in mailbox: PairwiseAgent, now: Int64) throws(PostgreSQLError) -> Int {
    let insert = """
      INSERT INTO notifications (message_id, agent_id, method, attempts, due)
      SELECT $1, agent_id, name, 0, $2 FROM com_methods JOIN agents ON agents.id = agent_id
      WHERE agent_id = $3 AND (kind = 2 OR sponsor_id IS NOT NULL)
      """
    return try query(insert, .integer(messageID), .integer(now), .integer(mailbox.agentID)).touched
  }
}
