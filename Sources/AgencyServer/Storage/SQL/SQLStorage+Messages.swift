internal import AgencyWire

/// The seconds within which the same payload is a repetition, because its sender has not seen the first answer.
private let repetition: Int64 = 24 * 3600

/// The size of a message in an answer without its payload, rounded up.
private let envelope = 200

extension SQLStorage {
  func deliver(_ mail: Mail, to mailbox: Mailbox, quota: Quota) throws(StorageError) -> Delivery {
    let now = clock()
    let delivery = try write { session throws(Failure) -> Delivery in
      guard let unread = try session.lockOpen(mailbox) else { return .gone }
      if try session.has(mail.digest, in: mailbox, since: mail.arrival - repetition) { return .repeated }
      let hasRoom = unread.messages < quota.messages && unread.bytes + mail.payload.count <= quota.bytes
      guard hasRoom else { return .mailboxFull }
      try session.insert(mail, into: mailbox)
      return .stored(notifications: try session.announce(mail, in: mailbox, now: now))
    }
    if case .stored = delivery { note(Arrival(in: mailbox)) }
    return delivery
  }

  func messages(_ selection: MessageSelection) throws(StorageError) -> KeptMessages {
    let (conditions, values) = conditions(of: selection)
    let hasPayload = !selection.filter.excludesPayload
    let size = hasPayload ? "\(envelope) + size" : "\(envelope)"
    // One statement, so that it sees one state of the mailboxes. The window computes the remaining budget after each
    // message. The first message always fits.
    let select = """
      WITH heading AS (
        SELECT messages.id, for_did, $1 - sum(\(size)) OVER (ORDER BY messages.id ROWS UNBOUNDED PRECEDING) AS rest,
        lead(messages.id, 1, CAST(0 AS BIGINT)) OVER (ORDER BY messages.id) AS follower
        FROM messages JOIN pairwise ON pairwise.id = pairwise_id WHERE deleted IS NULL AND \(conditions)
      )
      SELECT for_did, uid, status, follower, id\(hasPayload ? ", payload" : "")
      FROM heading JOIN messages USING (id) WHERE rest >= 0 OR rest = $1 - (\(size)) ORDER BY id
      """
    let body = { (session: Session) throws(Failure) -> KeptMessages in
      var (end, last): (Int64?, Int64?) = (nil, nil)
      let messages = try session.all(select, binding: values) { row throws(Failure) in
        last = try row.integer(4)
        end = try row.integer(3) == 0 ? nil : last
        return KeptMessage(
          pairwiseDID: try row.text(0), uid: try row.text(1), status: try row.text(2),
          payload: hasPayload ? try row.blob(5) : nil)
      }
      return KeptMessages(messages: messages, end: end, last: last)
    }
    return try selection.isSettled ? readSettled(of: selection.accountID, body) : read(body)
  }

  /// The condition of the selection, with the values from `$1` on, and the budget. It mentions nothing else, so that
  /// SQL reads the sizes from the index of a mailbox without reading the messages.
  private func conditions(of selection: MessageSelection) -> (conditions: String, values: [SQLValue]) {
    let (column, id, dids): (String, Int64, [String]) =
      switch selection.scope {
      case .mailbox(let mailbox): ("pairwise.id", mailbox.id, [])
      case .agent(let agent, let pairwiseDIDs): ("pairwise.agent_id", agent.id, pairwiseDIDs)
      }
    var conditions = ["\(column) = $2"]
    var values: [SQLValue] = [.integer(Int64(selection.budget)), .integer(id)]
    let lists = [("for_did", dids), ("status", selection.filter.statusCodes), ("uid", selection.filter.uids)]
    for (column, list) in lists where !list.isEmpty {
      values.append(.texts(list))
      conditions.append(Session.isAny(of: "$\(values.count)", column))
    }
    if let uid = selection.filter.afterUID {
      values.append(.text(uid))
      let last =
        "(SELECT last.id FROM messages AS last WHERE last.uid = $\(values.count) AND last.pairwise_id = pairwise.id)"
      conditions.append("messages.id > coalesce(\(last), 0)")
    }
    if selection.after > 0 {
      values.append(.integer(selection.after))
      conditions.append("messages.id > $\(values.count)")
    }
    return (conditions.joined(separator: " AND "), values)
  }

  func setStatus(
    _ status: String, of messages: [WireConnectionUIDs], of agent: Account, quota: Quota
  ) throws(StorageError) -> [WireConnectionUIDs] {
    let now = clock()
    return try write { session throws(Failure) in
      var groups: [WireConnectionUIDs] = []
      for group in messages {
        let updated = try session.setStatus(status, of: group, of: agent, now: now)
        groups.append(WireConnectionUIDs(pairwiseDID: group.pairwiseDID, uids: group.uids.filter(updated.contains)))
        if !updated.isEmpty { try session.removeRead(beyond: quota, from: group.pairwiseDID) }
      }
      return groups
    }
  }
}

extension SQLSession {
  /// Locks the mailbox, so that other deliveries wait and their numbers follow its order. Returns the number and the size
  /// of its unread messages, which the database counts; nil if the mailbox was deleted.
  fileprivate func lockOpen(_ mailbox: Mailbox) throws(Failure) -> (messages: Int, bytes: Int)? {
    let columns = "unread, unread_bytes" + Self.delaysSettledReads(of: "agent_id")
    let select = "SELECT \(columns) FROM pairwise WHERE id = $1 AND deleted IS NULL \(Self.lock)"
    return try first(select, .integer(mailbox.id)) { row throws(Failure) in
      (Int(try row.integer(0)), Int(try row.integer(1)))
    }
  }

  /// Whether the mailbox has received the same message since `time`. It is a statement of its own, so that it sees what
  /// was delivered while this session waited for the lock.
  fileprivate func has(_ digest: [UInt8], in mailbox: Mailbox, since time: Int64) throws(Failure) -> Bool {
    let select = "SELECT 1 FROM messages WHERE pairwise_id = $1 AND digest = $2 AND created > $3 LIMIT 1"
    return try first(select, .integer(mailbox.id), .blob(digest), .integer(time)) { _ in true } ?? false
  }

  fileprivate func insert(_ mail: Mail, into mailbox: Mailbox) throws(Failure) {
    let insert = """
      INSERT INTO messages (uid, pairwise_id, status, size, digest, created, updated, payload)
      VALUES ($1, $2, 'MS-103', $3, $4, $5, $5, $6)
      """
    try run(
      insert, .text(mail.uid), .integer(mailbox.id), .integer(Int64(mail.payload.count)), .blob(mail.digest),
      .integer(mail.arrival), .blob(mail.payload))
  }

  /// The condition names the statuses, so that the index of a mailbox gives the sizes.
  fileprivate func removeRead(beyond quota: Quota, from pairwiseDID: String) throws(Failure) {
    let delete = """
      DELETE FROM messages WHERE id IN (
        SELECT id FROM (
          SELECT id, row_number() OVER newest AS place, sum(size) OVER newest AS bytes FROM messages
          WHERE pairwise_id = (SELECT id FROM pairwise WHERE for_did = $1)
          AND status IN ('MS-104', 'MS-105', 'MS-106', 'MS-107')
          WINDOW newest AS (ORDER BY id DESC ROWS UNBOUNDED PRECEDING)
        ) AS ranked WHERE place > $2 OR bytes > $3)
      """
    try run(delete, .text(pairwiseDID), .integer(Int64(quota.messages)), .integer(Int64(quota.bytes)))
  }

  /// Returns the existing messages of the group. It finds them by their ids, even in a full mailbox.
  fileprivate func setStatus(
    _ status: String, of group: WireConnectionUIDs, of agent: Account, now: Int64
  ) throws(Failure) -> Set<String> {
    let update = """
      UPDATE messages SET status = $1, updated = $2 WHERE \(Self.isAny(of: "$3", "uid")) AND EXISTS
      (SELECT 1 FROM pairwise WHERE id = pairwise_id AND for_did = $4 AND agent_id = $5 AND deleted IS NULL)
      RETURNING uid
      """
    return Set(
      try all(
        update, .text(status), .integer(now), .texts(group.uids), .text(group.pairwiseDID), .integer(agent.id)
      ) { row throws(Failure) in try row.text(0) })
  }
}
