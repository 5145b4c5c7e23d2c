package import AgencyWire
internal import SQLite

extension SQLiteStorage {
  /// Seconds within which a delivery of the same payload is a repetition: its sender has not seen the first answer.
  private static let repetition: Int64 = 24 * 3600

  package func deliver(_ mail: Mail, to mailbox: PairwiseAgent, quota: Quota) throws(StorageError) -> Delivery {
    try write { (database, now) throws(SQLiteError) in
      guard try database.isOpen(mailbox) else { return .gone }
      let repeated = try database("SELECT 1 FROM messages WHERE pairwise_id = ? AND digest = ? AND created > ?")
        .first(.integer(mailbox.id), .blob(mail.digest), .integer(mail.arrival - Self.repetition)) { _ in true }
      if repeated != nil { return .repeated }
      guard try database.hasRoom(for: mail, in: mailbox, quota: quota) else { return .mailboxFull }
      let insert = """
        INSERT INTO messages (uid, pairwise_id, status, size, digest, created, updated, payload)
        VALUES (?1, ?2, 'MS-103', ?3, ?4, ?5, ?5, ?6)
        """
      try database(insert).run(
        .text(mail.uid), .integer(mailbox.id), .integer(Int64(mail.payload.count)), .blob(mail.digest),
        .integer(mail.arrival), .blob(mail.payload))
      return .stored(notifications: try database.announce(database.connection.lastInsertedRow, in: mailbox, now: now))
    }
  }

  package func messages(_ selection: Selection) throws(StorageError) -> [KeptMessage] {
    try read { database throws(SQLiteError) in
      let filter = selection.filter
      var left = selection.budget
      return try database.headings(selection).prefix { heading in
        let isFirst = left == selection.budget
        left -= Self.envelope + (filter.excludesPayload ? 0 : heading.size)
        return isFirst || left >= 0
      }.map { heading throws(SQLiteError) in
        KeptMessage(
          pairwiseDID: heading.pairwiseDID, uid: heading.uid, status: heading.status,
          payload: filter.excludesPayload ? nil : try database.payload(of: heading))
      }
    }
  }

  /// Bytes that a message takes in an answer beside its payload, rounded up.
  private static let envelope = 200

  package func setStatus(
    _ status: String, of messages: [ConnectionUIDs], of agent: Agent
  ) throws(StorageError) -> [ConnectionUIDs] {
    try write { (database, now) throws(SQLiteError) in
      let update = """
        UPDATE messages SET status = ?1, updated = ?2 WHERE uid = ?3 AND pairwise_id =
        (SELECT id FROM pairwise WHERE for_did = ?4 AND agent_id = ?5 AND deleted IS NULL)
        """
      var groups: [ConnectionUIDs] = []
      for group in messages {
        var updated: [String] = []
        for uid in group.uids {
          try database(update).run(
            .text(status), .integer(now), .text(uid), .text(group.pairwiseDID), .integer(agent.id))
          if database.connection.changes > 0 { updated.append(uid) }
        }
        groups.append(ConnectionUIDs(pairwiseDID: group.pairwiseDID, uids: updated))
      }
      return groups
    }
  }
}

/// A message without its payload.
private struct Heading {
  let id: Int64
  let uid: String
  let status: String
  let size: Int
  let pairwiseDID: String

  init(_ row: Statement) throws(SQLiteError) {
    id = try row.integer(0)
    uid = try row.text(1)
    status = try row.text(2)
    size = Int(try row.integer(3))
    pairwiseDID = try row.text(4)
  }
}

extension Database {
  fileprivate func isOpen(_ mailbox: PairwiseAgent) throws(SQLiteError) -> Bool {
    try self("SELECT 1 FROM pairwise WHERE id = ? AND deleted IS NULL").first(.integer(mailbox.id)) { _ in true } != nil
  }

  fileprivate func hasRoom(for mail: Mail, in mailbox: PairwiseAgent, quota: Quota) throws(SQLiteError) -> Bool {
    let unread = "SELECT count(*), coalesce(sum(size), 0) FROM messages WHERE pairwise_id = ? AND status = 'MS-103'"
    return try self(unread).first(.integer(mailbox.id)) { row throws(SQLiteError) in
      let count = try row.integer(0)
      let bytes = try row.integer(1)
      return count < Int64(quota.messages) && bytes + Int64(mail.payload.count) <= Int64(quota.bytes)
    } ?? false
  }

  /// What the selection names, oldest first, whatever the budget.
  fileprivate func headings(_ selection: Selection) throws(SQLiteError) -> [Heading] {
    let (column, id, dids): (String, Int64, [String]) =
      switch selection.scope {
      case .mailbox(let mailbox): ("pairwise.id", mailbox.id, [])
      case .agent(let agent, let pairwiseDIDs): ("pairwise.agent_id", agent.id, pairwiseDIDs)
      }
    let select = """
      SELECT messages.id, uid, status, size, for_did FROM messages JOIN pairwise ON pairwise.id = pairwise_id
      WHERE \(column) = ?1 AND deleted IS NULL
      AND (?2 IS NULL OR for_did IN (SELECT value FROM json_each(?2)))
      AND (?3 IS NULL OR status IN (SELECT value FROM json_each(?3)))
      AND (?4 IS NULL OR uid IN (SELECT value FROM json_each(?4)))
      ORDER BY messages.id
      """
    var headings: [Heading] = []
    try self(select).forEach(
      .integer(id), Value(list: dids), Value(list: selection.filter.statusCodes), Value(list: selection.filter.uids)
    ) { row throws(SQLiteError) in headings.append(try Heading(row)) }
    return headings
  }

  fileprivate func payload(of heading: Heading) throws(SQLiteError) -> [UInt8]? {
    try self("SELECT payload FROM messages WHERE id = ?").first(.integer(heading.id)) { row throws(SQLiteError) in
      try row.blob(0)
    }
  }
}
