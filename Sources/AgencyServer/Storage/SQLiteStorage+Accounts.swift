package import DIDComm
internal import SQLite

extension SQLiteStorage {
  package func identity(orElse new: @autoclosure () -> Identity) throws(StorageError) -> Identity {
    let row = try write { (database, _) throws(SQLiteError) in
      let kept = try database("SELECT verkey, secret FROM identity").first { row throws(SQLiteError) in
        (verkey: try row.text(0), secret: try row.blob(1))
      }
      if let kept { return kept }
      let new = new()
      try database("INSERT INTO identity (id, verkey, secret) VALUES (1, ?, ?)")
        .run(Value(new.verkey), .blob(new.sealedKey.bytes))
      return (new.verkey.text, new.sealedKey.bytes)
    }
    guard let verkey = try? VerKey(row.verkey) else { throw .damaged(table: "identity") }
    return Identity(verkey: verkey, sealedKey: SealedKey(row.secret))
  }

  package func agent(
    of owner: VerKey, ownerDID: DID, orElse new: @autoclosure () -> NewKey
  ) throws(StorageError) -> Agent {
    let row = try write { (database, now) throws(SQLiteError) -> AgentRow? in
      if let row = try database.agent(of: owner) { return row }
      try database.insertAgent(new(), of: owner, ownerDID, .connected, nil, now: now)
      return try database.agent(of: owner)
    }
    guard let row else { throw .damaged(table: "agents") }
    return try row.agent()
  }

  package func setState(_ state: Agent.State, of agent: Agent) throws(StorageError) {
    try write { (database, _) throws(SQLiteError) in
      try database("UPDATE agents SET state = ? WHERE id = ?").run(.text(state.rawValue), .integer(agent.id))
    }
  }

  package func noteVisit(of agent: Agent) throws(StorageError) {
    try write { (database, now) throws(SQLiteError) in
      try database("UPDATE agents SET last_seen = ? WHERE id = ?").run(.integer(now), .integer(agent.id))
    }
  }

  package func accounts(after id: Int64, limit: Int) throws(StorageError) -> [Account] {
    try read { database throws(SQLiteError) in
      var accounts: [Account] = []
      try database(Account.select).forEach(.integer(id), .integer(Int64(limit))) { row throws(SQLiteError) in
        accounts.append(try Account(row))
      }
      return accounts
    }
  }

  package func destination(of address: Address) throws(StorageError) -> Destination? {
    let rows = try read { database throws(SQLiteError) in
      let agent = try database.agent(at: address)
      return (agent: agent, mailbox: agent == nil ? try database.mailbox(at: address) : nil)
    }
    if let row = rows.agent { return .agent(try row.agent()) }
    if let row = rows.mailbox { return .mailbox(try row.mailbox()) }
    return nil
  }
}

extension Database {
  func agent(of owner: VerKey) throws(SQLiteError) -> AgentRow? {
    try self("SELECT \(AgentRow.columns) FROM agents WHERE owner_verkey = ?").first(Value(owner), row: AgentRow.init)
  }

  func insertAgent(
    _ key: NewKey, of owner: VerKey, _ ownerDID: DID, _ state: Agent.State, _ sponsorship: Sponsorship?, now: Int64
  ) throws(SQLiteError) {
    let insert = """
      INSERT INTO agents (did, verkey, secret, owner_did, owner_verkey, state, sponsor_id, sponsee_id, created, last_seen)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9)
      """
    try self(insert).run(
      .text(key.party.did), Value(key.verkey), .blob(key.sealedKey.bytes), Value(ownerDID), Value(owner),
      .text(state.rawValue), sponsorship.map { .text($0.sponsorID) } ?? .null,
      sponsorship.map { .text($0.sponseeID) } ?? .null, .integer(now))
  }

  fileprivate func agent(at address: Address) throws(SQLiteError) -> AgentRow? {
    let select = """
      SELECT \(AgentRow.columns) FROM agents WHERE did = ?1 OR verkey = ?1 OR owner_did = ?1
      ORDER BY owner_did = ?1 LIMIT 1
      """
    return try self(select).first(Value(address), row: AgentRow.init)
  }

  fileprivate func mailbox(at address: Address) throws(SQLiteError) -> MailboxRow? {
    let select = """
      SELECT \(MailboxRow.columns) FROM pairwise JOIN agents ON agents.id = agent_id
      WHERE pairwise.did = ?1 OR pairwise.verkey = ?1 OR for_did = ?1 OR for_verkey = ?1
      ORDER BY for_did = ?1 OR for_verkey = ?1 LIMIT 1
      """
    return try self(select).first(Value(address), row: MailboxRow.init)
  }
}
