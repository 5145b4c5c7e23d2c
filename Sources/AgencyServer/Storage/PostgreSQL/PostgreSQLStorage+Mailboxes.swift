package import DIDComm
internal import PostgreSQL

extension PostgreSQLStorage {
  private enum Creation {
    case row(MailboxRow)
    case taken, tooMany
  }

  package func mailbox(
    of agent: Agent, for did: DID, _ verkey: VerKey, limit: Int, orElse new: @autoclosure () -> NewKey
  ) throws(StorageError) -> MailboxCreation {
    let creation = try write { (connection, now) throws(PostgreSQLError) -> Creation in
      if let row = try connection.mailbox(for: did, verkey) {
        let isSame = row.agentID == agent.id && row.forDID == did.text && row.forVerKey == verkey.text
        return isSame && !row.isDeleted ? .row(row) : .taken
      }
      try connection.lock(agent)
      guard try connection.mailboxCount(of: agent) < limit else { return .tooMany }
      try connection.insertMailbox(of: agent, for: did, verkey, key: new(), now: now)
      guard let row = try connection.mailbox(for: did, verkey) else { return .taken }
      return .row(row)
    }
    switch creation {
    case .row(let row): return .mailbox(try row.mailbox())
    case .taken: return .taken
    case .tooMany: return .tooMany
    }
  }

  package func delete(_ mailbox: PairwiseAgent) throws(StorageError) {
    try write { (connection, now) throws(PostgreSQLError) in
      // First the tombstone, which locks the mailbox: what was being delivered is then there to be deleted.
      try connection.query(
        "UPDATE pairwise SET deleted = $1 WHERE id = $2 AND deleted IS NULL", .integer(now), .integer(mailbox.id))
      try connection.query("DELETE FROM messages WHERE pairwise_id = $1", .integer(mailbox.id))
      return ()
    }
  }

  package func pairwiseDIDs(of agent: Agent, among dids: [String]) throws(StorageError) -> [String] {
    try read { connection throws(PostgreSQLError) in
      let select = """
        SELECT for_did FROM pairwise WHERE agent_id = $1 AND deleted IS NULL
        AND ($2 IS NULL OR for_did = ANY ($2)) ORDER BY id
        """
      return try connection.query(select, .integer(agent.id), Value(list: dids)).map { row throws(PostgreSQLError) in
        try row.text(0)
      }
    }
  }
}

extension Connection {
  fileprivate func mailbox(for did: DID, _ verkey: VerKey) throws(PostgreSQLError) -> MailboxRow? {
    let select = """
      SELECT \(MailboxRow.columns) FROM pairwise JOIN agents ON agents.id = agent_id
      WHERE for_did = $1 OR for_verkey = $2
      """
    return try query(select, Value(did), Value(verkey)).first(MailboxRow.init)
  }

  fileprivate func mailboxCount(of agent: Agent) throws(PostgreSQLError) -> Int {
    let count = "SELECT count(*) FROM pairwise WHERE agent_id = $1 AND deleted IS NULL"
    return try query(count, .integer(agent.id)).first { row throws(PostgreSQLError) in Int(try row.integer(0)) } ?? 0
  }

  fileprivate func insertMailbox(
    of agent: Agent, for did: DID, _ verkey: VerKey, key: NewKey, now: Int64
  ) throws(PostgreSQLError) {
    let insert = """
      INSERT INTO pairwise (agent_id, did, verkey, secret, for_did, for_verkey, created)
      VALUES ($1, $2, $3, $4, $5, $6, $7)
      """
    try query(
      insert, .integer(agent.id), .text(key.party.did), Value(key.verkey), .blob(key.sealedKey.bytes), Value(did),
      Value(verkey), .integer(now))
  }
}
