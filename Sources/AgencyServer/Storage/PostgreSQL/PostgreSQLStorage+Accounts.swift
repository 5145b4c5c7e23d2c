package import DIDComm
internal import PostgreSQL

extension PostgreSQLStorage {
  package func identity(orElse new: @autoclosure () -> Identity) throws(StorageError) -> Identity {
    let row = try write { (connection, _) throws(PostgreSQLError) in
      let kept = try connection.query("SELECT verkey, secret FROM identity").first { row throws(PostgreSQLError) in
        (verkey: try row.text(0), secret: try row.blob(1))
      }
      if let kept { return kept }
      let new = new()
      try connection.query(
        "INSERT INTO identity (id, verkey, secret) VALUES (1, $1, $2)", Value(new.verkey), .blob(new.sealedKey.bytes))
      return (new.verkey.text, new.sealedKey.bytes)
    }
    guard let verkey = try? VerKey(row.verkey) else { throw .damaged(table: "identity") }
    return Identity(verkey: verkey, sealedKey: SealedKey(row.secret))
  }

  package func agent(
    of owner: VerKey, ownerDID: DID, orElse new: @autoclosure () -> NewKey
  ) throws(StorageError) -> Agent {
    let row = try write { (connection, now) throws(PostgreSQLError) -> AgentRow? in
      if let row = try connection.agent(of: owner) { return row }
      return try connection.insertAgent(new(), of: owner, ownerDID, .connected, nil, now: now)
    }
    guard let row else { throw .damaged(table: "agents") }
    return try row.agent()
  }

  package func setState(_ state: Agent.State, of agent: Agent) throws(StorageError) {
    try write { (connection, _) throws(PostgreSQLError) in
      try connection.query("UPDATE agents SET state = $1 WHERE id = $2", .text(state.rawValue), .integer(agent.id))
      return ()
    }
  }

  package func noteVisit(of agent: Agent) throws(StorageError) {
    try write { (connection, now) throws(PostgreSQLError) in
      try connection.query("UPDATE agents SET last_seen = $1 WHERE id = $2", .integer(now), .integer(agent.id))
      return ()
    }
  }

  package func accounts(after id: Int64, limit: Int) throws(StorageError) -> [Account] {
    try read { connection throws(PostgreSQLError) in
      try connection.query(Account.select, .integer(id), .integer(Int64(limit))).map(Account.init)
    }
  }

  package func destination(of address: Address) throws(StorageError) -> Destination? {
    let rows = try read { connection throws(PostgreSQLError) in
      let agent = try connection.agent(at: address)
      return (agent: agent, mailbox: agent == nil ? try connection.mailbox(at: address) : nil)
    }
    if let row = rows.agent { return .agent(try row.agent()) }
    if let row = rows.mailbox { return .mailbox(try row.mailbox()) }
    return nil
  }
}

extension Connection {
  func agent(of owner: VerKey) throws(PostgreSQLError) -> AgentRow? {
    try query("SELECT \(AgentRow.columns) FROM agents WHERE owner_verkey = $1", Value(owner)).first(AgentRow.init)
  }

  func insertAgent(
    _ key: NewKey, of owner: VerKey, _ ownerDID: DID, _ state: Agent.State, _ sponsorship: Sponsorship?, now: Int64
  ) throws(PostgreSQLError) -> AgentRow? {
    let insert = """
      INSERT INTO agents (did, verkey, secret, owner_did, owner_verkey, state, sponsor_id, sponsee_id, created, last_seen)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9) RETURNING \(AgentRow.columns)
      """
    return try query(
      insert, .text(key.party.did), Value(key.verkey), .blob(key.sealedKey.bytes), Value(ownerDID), Value(owner),
      .text(state.rawValue), .text(sponsorship?.sponsorID), .text(sponsorship?.sponseeID), .integer(now)
    ).first(AgentRow.init)
  }

  /// Makes others who decide by the agent's row wait for the end of the transaction.
  func lock(_ agent: Agent) throws(PostgreSQLError) {
    try query("SELECT FROM agents WHERE id = $1 FOR NO KEY UPDATE", .integer(agent.id))
  }

  fileprivate func agent(at address: Address) throws(PostgreSQLError) -> AgentRow? {
    let select = """
      SELECT \(AgentRow.columns) FROM agents WHERE did = $1 OR verkey = $1 OR owner_did = $1
      ORDER BY owner_did = $1 LIMIT 1
      """
    return try query(select, Value(address)).first(AgentRow.init)
  }

  fileprivate func mailbox(at address: Address) throws(PostgreSQLError) -> MailboxRow? {
    let select = """
      SELECT \(MailboxRow.columns) FROM pairwise JOIN agents ON agents.id = agent_id
      WHERE pairwise.did = $1 OR pairwise.verkey = $1 OR for_did = $1 OR for_verkey = $1
      ORDER BY for_did = $1 OR for_verkey = $1 LIMIT 1
      """
    return try query(select, Value(address)).first(MailboxRow.init)
  }
}
