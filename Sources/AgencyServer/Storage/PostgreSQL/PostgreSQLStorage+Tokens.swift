package import DIDComm
internal import PostgreSQL

extension PostgreSQLStorage {
  private enum Outcome {
    case row(AgentRow)
    case tokenUsed, keyInUse
  }

  package func provision(
    _ owner: VerKey, ownerDID: DID, _ sponsorship: Sponsorship?, orElse new: @autoclosure () -> NewKey
  ) throws(StorageError) -> Provisioned {
    let outcome = try write { (connection, now) throws(PostgreSQLError) -> Outcome in
      let users = try connection.users(of: sponsorship?.marks ?? [])
      if let row = try connection.agent(of: owner) {
        if sponsorship == nil { return row.isCreated ? .row(row) : .keyInUse }
        guard !users.isEmpty else { return .keyInUse }
        return users == [row.id] ? .row(row) : .tokenUsed
      }
      guard users.isEmpty else { return .tokenUsed }
      let inserted = try connection.insertAgent(new(), of: owner, ownerDID, .created, sponsorship, now: now)
      guard let row = inserted else { return .keyInUse }
      for mark in sponsorship?.marks ?? [] {
        try connection.query(
          "INSERT INTO used_tokens (mark, agent_id, expires) VALUES ($1, $2, $3)", .blob(mark), .integer(row.id),
          .integer(sponsorship?.expiry ?? now))
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

extension Connection {
  /// The agents that were made with a token of one of these marks.
  fileprivate func users(of marks: [[UInt8]]) throws(PostgreSQLError) -> Set<Int64> {
    var users: Set<Int64> = []
    for mark in marks {
      let select = "SELECT agent_id FROM used_tokens WHERE mark = $1"
      users.formUnion(try query(select, .blob(mark)).map { row throws(PostgreSQLError) in try row.integer(0) })
    }
    return users
  }
}
