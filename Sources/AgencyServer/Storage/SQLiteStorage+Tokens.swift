package import DIDComm
internal import SQLite

extension SQLiteStorage {
  private enum Outcome {
    case row(AgentRow)
    case tokenUsed, keyInUse
  }

  package func provision(
    _ owner: VerKey, ownerDID: DID, _ sponsorship: Sponsorship?, orElse new: @autoclosure () -> NewKey
  ) throws(StorageError) -> Provisioned {
    let outcome = try write { (database, now) throws(SQLiteError) -> Outcome in
      let users = try database.users(of: sponsorship?.marks ?? [])
      if let row = try database.agent(of: owner) {
        if sponsorship == nil { return row.isCreated ? .row(row) : .keyInUse }
        guard !users.isEmpty else { return .keyInUse }
        return users == [row.id] ? .row(row) : .tokenUsed
      }
      guard users.isEmpty else { return .tokenUsed }
      try database.insertAgent(new(), of: owner, ownerDID, .created, sponsorship, now: now)
      guard let row = try database.agent(of: owner) else { return .keyInUse }
      for mark in sponsorship?.marks ?? [] {
        try database("INSERT INTO used_tokens (mark, agent_id, expires) VALUES (?, ?, ?)")
          .run(.blob(mark), .integer(row.id), .integer(sponsorship?.expiry ?? now))
      }
      return .row(row)
    }
    switch outcome {
    case .row(let row): return .agent(try row.agent())
    case .tokenUsed: return .tokenUsed
    case .keyInUse: return .keyInUse
    }
  }
}

extension Database {
  /// The agents that were made with a token of one of these marks.
  fileprivate func users(of marks: [[UInt8]]) throws(SQLiteError) -> Set<Int64> {
    var users: Set<Int64> = []
    for mark in marks {
      try self("SELECT agent_id FROM used_tokens WHERE mark = ?").forEach(.blob(mark)) { row throws(SQLiteError) in
        users.insert(try row.integer(0))
      }
    }
    return users
  }
}
