package import DIDComm
internal import JSON
internal import SQLite

extension SQLiteStorage {
  private enum Creation {
    case row(MailboxRow)
    case taken, tooMany
  }

  package func mailbox(
    of agent: Agent, for did: DID, _ verkey: VerKey, limit: Int, orElse new: @autoclosure () -> NewKey
  ) throws(StorageError) -> MailboxCreation {
    let creation = try write { (database, now) throws(SQLiteError) -> Creation in
      if let row = try database.mailbox(for: did, verkey) {
        let isSame = row.agentID == agent.id && row.forDID == did.text && row.forVerKey == verkey.text
        return isSame && !row.isDeleted ? .row(row) : .taken
      }
      let count = try database("SELECT count(*) FROM pairwise WHERE agent_id = ? AND deleted IS NULL")
        .first(.integer(agent.id)) { row throws(SQLiteError) in try row.integer(0) }
      guard let count, count < limit else { return .tooMany }
      try database.insertMailbox(of: agent, for: did, verkey, key: new(), now: now)
      guard let row = try database.mailbox(for: did, verkey) else { return .taken }
      return .row(row)
    }
    switch creation {
    case .row(let row): return .mailbox(try row.mailbox())
    case .taken: return .taken
    case .tooMany: return .tooMany
    }
  }

  package func delete(_ mailbox: PairwiseAgent) throws(StorageError) {
    try write { (database, now) throws(SQLiteError) in
      try database("DELETE FROM messages WHERE pairwise_id = ?").run(.integer(mailbox.id))
      try database("UPDATE pairwise SET deleted = ? WHERE id = ? AND deleted IS NULL")
        .run(.integer(now), .integer(mailbox.id))
    }
  }

  package func pairwiseDIDs(of agent: Agent, among dids: [String]) throws(StorageError) -> [String] {
    try read { database throws(SQLiteError) in
      var found: [String] = []
      let select = """
        SELECT for_did FROM pairwise WHERE agent_id = ?1 AND deleted IS NULL
        AND (?2 IS NULL OR for_did IN (SELECT value FROM json_each(?2))) ORDER BY id
        """
      try database(select).forEach(.integer(agent.id), Value(list: dids)) { row throws(SQLiteError) in
        found.append(try row.text(0))
      }
      return found
    }
  }
}

extension Value {
  /// For `(? IS NULL OR column IN (SELECT value FROM json_each(?)))`: an empty list is no restriction.
  init(list: [String]) { self = list.isEmpty ? .null : .text(JSON(list).text) }
}

extension Database {
  fileprivate func mailbox(for did: DID, _ verkey: VerKey) throws(SQLiteError) -> MailboxRow? {
    let select = """
      SELECT \(MailboxRow.columns) FROM pairwise JOIN agents ON agents.id = agent_id
      WHERE for_did = ? OR for_verkey = ?
      """
    return try self(select).first(Value(did), Value(verkey), row: MailboxRow.init)
  }

  fileprivate func insertMailbox(
    of agent: Agent, for did: DID, _ verkey: VerKey, key: NewKey, now: Int64
  ) throws(SQLiteError) {
    let insert = """
      INSERT INTO pairwise (agent_id, did, verkey, secret, for_did, for_verkey, created) VALUES (?, ?, ?, ?, ?, ?, ?)
      """
    try self(insert).run(
      .integer(agent.id), .text(key.party.did), Value(key.verkey), .blob(key.sealedKey.bytes), Value(did),
      Value(verkey), .integer(now))
  }
}
