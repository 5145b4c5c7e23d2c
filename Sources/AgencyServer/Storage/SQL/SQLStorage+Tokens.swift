internal import DIDComm

private enum Outcome {
  case row(AccountRow)
  case tokenUsed, keyInUse
}

extension SQLStorage {
  func provision(
    _ owner: VerKey, ownerDID: DID, _ sponsorship: Sponsorship?, orElse new: @autoclosure () -> NewKey
  ) throws(StorageError) -> Provisioned {
    let now = clock()
    let outcome = try write { session throws(Failure) -> Outcome in
      let users = try session.users(of: sponsorship?.marks ?? [])
      if let row = try session.agent(of: owner) {
        if sponsorship == nil { return row.isCreated ? .row(row) : .keyInUse }
        guard !users.isEmpty else { return .keyInUse }
        return users == [row.id] ? .row(row) : .tokenUsed
      }
      guard users.isEmpty else { return .tokenUsed }
      let inserted = try session.insertAgent(new(), of: owner, ownerDID, .created, sponsorship, now: now)
      guard let row = inserted else { return .keyInUse }
      for mark in sponsorship?.marks ?? [] {
        try session.run(
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

extension SQLSession {
  /// The accounts that a token with one of these marks created.
  fileprivate func users(of marks: [[UInt8]]) throws(Failure) -> Set<Int64> {
    var users: Set<Int64> = []
    for mark in marks {
      if let user = try integer("SELECT agent_id FROM used_tokens WHERE mark = $1", .blob(mark)) { users.insert(user) }
    }
    return users
  }
}
