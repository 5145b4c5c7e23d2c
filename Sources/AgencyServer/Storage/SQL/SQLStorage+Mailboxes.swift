internal import DIDComm

private enum Creation {
  case row(MailboxRow)
  case taken, tooMany
}

extension SQLStorage {
  func mailbox(
    of agent: Account, for did: DID, _ verkey: VerKey, limit: Int, orElse new: @autoclosure () -> NewKey
  ) throws(StorageError) -> MailboxCreation {
    let now = clock()
    let creation = try write { session throws(Failure) -> Creation in
      if let row = try session.mailbox(for: did, verkey) {
        let isSame = row.agentID == agent.id && row.forDID == did.text && row.forVerKey == verkey.text
        return isSame && !row.isDeleted ? .row(row) : .taken
      }
      try session.lock(agent)
      guard try session.mailboxCount(of: agent) < limit else { return .tooMany }
      try session.insertMailbox(of: agent, for: did, verkey, key: new(), now: now)
      guard let row = try session.mailbox(for: did, verkey) else { return .taken }
      return .row(row)
    }
    switch creation {
    case .row(let row): return .mailbox(try row.mailbox())
    case .taken: return .taken
    case .tooMany: return .tooMany
    }
  }

  func delete(_ mailbox: Mailbox) throws(StorageError) {
    let now = clock()
    try write { session throws(Failure) in
      // First the tombstone, which locks the mailbox: concurrent deliveries are then stored, and deleted below.
      try session.run(
        "UPDATE pairwise SET deleted = $1 WHERE id = $2 AND deleted IS NULL", .integer(now), .integer(mailbox.id))
      try session.run("DELETE FROM messages WHERE pairwise_id = $1", .integer(mailbox.id))
      return ()
    }
  }

  func pairwiseDIDs(of agent: Account, among dids: [String]) throws(StorageError) -> [String] {
    let select = """
      SELECT for_did FROM pairwise WHERE agent_id = $1 AND deleted IS NULL
      AND ($2 IS NULL OR \(Session.isAny(of: "$2", "for_did"))) ORDER BY id
      """
    let restriction = SQLValue.texts(dids.isEmpty ? nil : dids)
    return try read { session throws(Failure) in
      try session.all(select, .integer(agent.id), restriction) { row throws(Failure) in try row.text(0) }
    }
  }
}

extension SQLSession {
  fileprivate func mailbox(for did: DID, _ verkey: VerKey) throws(Failure) -> MailboxRow? {
    let select = """
      SELECT \(MailboxRow.columns) FROM pairwise JOIN agents ON agents.id = agent_id
      WHERE for_did = $1 OR for_verkey = $2
      """
    return try first(select, .text(did.text), .text(verkey.text), row: MailboxRow.init)
  }

  fileprivate func mailboxCount(of agent: Account) throws(Failure) -> Int64 {
    try integer("SELECT count(*) FROM pairwise WHERE agent_id = $1 AND deleted IS NULL", .integer(agent.id)) ?? 0
  }

  fileprivate func insertMailbox(
    of agent: Account, for did: DID, _ verkey: VerKey, key: NewKey, now: Int64
  ) throws(Failure) {
    let insert = """
      INSERT INTO pairwise (agent_id, did, verkey, secret, for_did, for_verkey, created)
      VALUES ($1, $2, $3, $4, $5, $6, $7)
      """
    try run(
      insert, .integer(agent.id), .text(key.party.did), .text(key.verkey.text), .blob(key.sealedKey.bytes),
      .text(did.text), .text(verkey.text), .integer(now))
  }
}
