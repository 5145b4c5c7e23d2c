internal import DIDComm

extension SQLStorage {
  func identity() throws(StorageError) -> Identity? {
    try read { session throws(Failure) in try session.identity() }?.identity()
  }

  func identity(orElse new: @autoclosure () -> Identity) throws(StorageError) -> Identity {
    let row = try write { session throws(Failure) in
      if let kept = try session.identity() { return kept }
      let new = IdentityRow(new())
      try session.run(
        "INSERT INTO identity (id, verkey, secret) VALUES (1, $1, $2)", .text(new.verkey), .blob(new.secret))
      return new
    }
    return try row.identity()
  }

  func agent(
    of owner: VerKey, ownerDID: DID, orElse new: @autoclosure () -> NewKey
  ) throws(StorageError) -> Account {
    let now = clock()
    let row = try write { session throws(Failure) -> AccountRow? in
      if let row = try session.agent(of: owner) { return row }
      return try session.insertAgent(new(), of: owner, ownerDID, .connected, nil, now: now)
    }
    guard let row else { throw .damaged(table: "agents") }
    return try row.agent()
  }

  func setState(_ state: Account.State, of agent: Account) throws(StorageError) -> Bool {
    try write { session throws(Failure) in
      let update = "UPDATE agents SET state = $1 WHERE id = $2"
      return try session.run(update, .text(state.rawValue), .integer(agent.id)) > 0
    }
  }

  func setLock(_ isLocked: Bool, ofAccount did: String) throws(StorageError) -> Bool {
    try write { session throws(Failure) in
      try session.run("UPDATE agents SET locked = $1 WHERE did = $2", .integer(isLocked ? 1 : 0), .text(did)) > 0
    }
  }

  func deleteAccount(_ did: String) throws(StorageError) -> Bool {
    try write { session throws(Failure) in
      try session.run("DELETE FROM agents WHERE did = $1", .text(did)) > 0
    }
  }

  func noteVisit(of agent: Account) throws(StorageError) {
    try write("UPDATE agents SET last_seen = $1 WHERE id = $2", .integer(clock()), .integer(agent.id))
  }

  func accounts(after id: Int64, limit: Int) throws(StorageError) -> [AccountSummary] {
    try read { session throws(Failure) in
      try session.all(AccountSummary.select, .integer(id), .integer(Int64(limit)), row: AccountSummary.init)
    }
  }

  func destination(of address: Address) throws(StorageError) -> Destination? {
    let rows = try read { session throws(Failure) in
      let agent = try session.agent(at: address)
      return (agent: agent, mailbox: agent == nil ? try session.mailbox(at: address) : nil)
    }
    if let row = rows.agent { return .agent(try row.agent()) }
    if let row = rows.mailbox { return .mailbox(try row.mailbox()) }
    return nil
  }
}

extension SQLSession {
  func identity() throws(Failure) -> IdentityRow? {
    try first("SELECT verkey, secret FROM identity", row: IdentityRow.init)
  }

  func agent(of owner: VerKey) throws(Failure) -> AccountRow? {
    try first(
      "SELECT \(AccountRow.columns) FROM agents WHERE owner_verkey = $1", .text(owner.text), row: AccountRow.init)
  }

  func insertAgent(
    _ key: NewKey, of owner: VerKey, _ ownerDID: DID, _ state: Account.State, _ sponsorship: Sponsorship?, now: Int64
  ) throws(Failure) -> AccountRow? {
    let insert = """
      INSERT INTO agents (did, verkey, secret, owner_did, owner_verkey, state, sponsor_id, sponsee_id, created, last_seen)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9) RETURNING \(AccountRow.columns)
      """
    return try first(
      insert, .text(key.party.did), .text(key.verkey.text), .blob(key.sealedKey.bytes), .text(ownerDID.text),
      .text(owner.text), .text(state.rawValue), .text(sponsorship?.sponsorID), .text(sponsorship?.sponseeID),
      .integer(now), row: AccountRow.init)
  }

  /// Locks the account's row, so that other transactions that depend on it wait.
  func lock(_ agent: Account) throws(Failure) {
    try run("SELECT 1 FROM agents WHERE id = $1 \(Self.lock)", .integer(agent.id))
  }

  fileprivate func agent(at address: Address) throws(Failure) -> AccountRow? {
    let select = """
      SELECT \(AccountRow.columns) FROM agents WHERE did = $1 OR verkey = $1 OR owner_did = $1
      ORDER BY owner_did = $1 LIMIT 1
      """
    return try first(select, .text(address.text), row: AccountRow.init)
  }

  fileprivate func mailbox(at address: Address) throws(Failure) -> MailboxRow? {
    let select = """
      SELECT \(MailboxRow.columns) FROM pairwise JOIN agents ON agents.id = agent_id
      WHERE pairwise.did = $1 OR pairwise.verkey = $1 OR for_did = $1 OR for_verkey = $1
      ORDER BY for_did = $1 OR for_verkey = $1 LIMIT 1
      """
    return try first(select, .text(address.text), row: MailboxRow.init)
  }
}
