package import AgencyWire
internal import PostgreSQL

extension PostgreSQLStorage {
  /// Seconds within which a delivery of the same payload is a repetition: its sender has not seen the first answer.
  private static let repetition: Int64 = 24 * 3600

  package func deliver(_ mail: Mail, to mailbox: PairwiseAgent, quota: Quota) throws(StorageError) -> Delivery {
    try write { (connection, now) throws(PostgreSQLError) in
      guard try connection.lockOpen(mailbox) else { return .gone }
      guard let content = try connection.content(of: mailbox, since: mail.arrival - Self.repetition, mail.digest) else {
        return .gone
      }
      if content.hasRepetition { return .repeated }
      let hasRoom = content.unread < quota.messages && content.unreadBytes + mail.payload.count <= quota.bytes
      guard hasRoom else { return .mailboxFull }
      let id = try connection.insert(mail, into: mailbox)
      return .stored(notifications: try connection.announce(id, in: mailbox, now: now))
    }
  }

  package func messages(_ selection: Selection) throws(StorageError) -> [KeptMessage] {
    let (column, id, dids): (String, Int64, [String]) =
      switch selection.scope {
      case .mailbox(let mailbox): ("pairwise.id", mailbox.id, [])
      case .agent(let agent, let pairwiseDIDs): ("pairwise.agent_id", agent.id, pairwiseDIDs)
      }
    let filter = selection.filter
    // One statement, so that it sees one state of the mailboxes. The window adds up what the answer takes so far.
    let select = """
      WITH heading AS (
        SELECT messages.id, for_did, row_number() OVER oldest AS number,
        sum(\(Self.envelope) + \(filter.excludesPayload ? "0" : "size")) OVER oldest AS total
        FROM messages JOIN pairwise ON pairwise.id = pairwise_id
        WHERE \(column) = $1 AND deleted IS NULL
        AND ($2 IS NULL OR for_did = ANY ($2)) AND ($3 IS NULL OR status = ANY ($3)) AND ($4 IS NULL OR uid = ANY ($4))
        WINDOW oldest AS (ORDER BY messages.id)
      )
      SELECT for_did, uid, status\(filter.excludesPayload ? "" : ", payload")
      FROM heading JOIN messages USING (id) WHERE number = 1 OR total <= $5 ORDER BY id
      """
    return try read { connection throws(PostgreSQLError) in
      try connection.query(
        select, .integer(id), Value(list: dids), Value(list: filter.statusCodes), Value(list: filter.uids),
        .integer(Int64(selection.budget))
      ).map { row throws(PostgreSQLError) in
        KeptMessage(
          pairwiseDID: try row.text(0), uid: try row.text(1), status: try row.text(2),
          payload: filter.excludesPayload ? nil : try row.blob(3))
      }
    }
  }

  /// Bytes that a message takes in an answer beside its payload, rounded up.
  private static let envelope = 200

  package func setStatus(
    _ status: String, of messages: [ConnectionUIDs], of agent: Agent
  ) throws(StorageError) -> [ConnectionUIDs] {
    try write { (connection, now) throws(PostgreSQLError) in
      let update = """
        UPDATE messages SET status = $1, updated = $2 WHERE uid = ANY ($3) AND pairwise_id =
        (SELECT id FROM pairwise WHERE for_did = $4 AND agent_id = $5 AND deleted IS NULL) RETURNING uid
        """
      var groups: [ConnectionUIDs] = []
      for group in messages {
        let updated = try connection.query(
          update, .text(status), .integer(now), .texts(group.uids), .text(group.pairwiseDID), .integer(agent.id)
        ).map { row throws(PostgreSQLError) in try row.text(0) }
        let uids = Set(updated)
        groups.append(ConnectionUIDs(pairwiseDID: group.pairwiseDID, uids: group.uids.filter(uids.contains)))
      }
      return groups
    }
  }
}

/// What a delivery is decided by.
private struct Content {
  let hasRepetition: Bool
  let unread: Int
  let unreadBytes: Int

  init(_ row: Row) throws(PostgreSQLError) {
    hasRepetition = try row.integer(0) != 0
    unread = Int(try row.integer(1))
    unreadBytes = Int(try row.integer(2))
  }
}

extension Connection {
  /// Makes other deliveries to the mailbox wait for the end of the transaction: their numbers then follow its order.
  /// False when the mailbox was deleted.
  fileprivate func lockOpen(_ mailbox: PairwiseAgent) throws(PostgreSQLError) -> Bool {
    let select = "SELECT FROM pairwise WHERE id = $1 AND deleted IS NULL FOR NO KEY UPDATE"
    return try query(select, .integer(mailbox.id)).count > 0
  }

  fileprivate func content(
    of mailbox: PairwiseAgent, since time: Int64, _ digest: [UInt8]
  ) throws(PostgreSQLError) -> Content? {
    let select = """
      SELECT EXISTS (SELECT FROM messages WHERE pairwise_id = $1 AND digest = $2 AND created > $3),
      count(*), coalesce(sum(size), 0)::BIGINT FROM messages WHERE pairwise_id = $1 AND status = 'MS-103'
      """
    return try query(select, .integer(mailbox.id), .blob(digest), .integer(time)).first(Content.init)
  }

  /// Returns the message's number.
  fileprivate func insert(_ mail: Mail, into mailbox: PairwiseAgent) throws(PostgreSQLError) -> Int64 {
    let insert = """
      INSERT INTO messages (uid, pairwise_id, status, size, digest, created, updated, payload)
      VALUES ($1, $2, 'MS-103', $3, $4, $5, $5, $6) RETURNING id
      """
    return try query(
      insert, .text(mail.uid), .integer(mailbox.id), .integer(Int64(mail.payload.count)), .blob(mail.digest),
      .integer(mail.arrival), .blob(mail.payload)
    ).first { row throws(PostgreSQLError) in try row.integer(0) } ?? 0
  }
}
