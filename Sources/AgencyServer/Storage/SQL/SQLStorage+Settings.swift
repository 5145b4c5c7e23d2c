internal import AgencyWire

extension SQLStorage {
  func setComMethod(_ method: WireComMethod, of agent: Account, limit: Int) throws(StorageError) -> Bool {
    let agentID = SQLValue.integer(agent.id)
    let (name, kind) = (SQLValue.text(method.id), SQLValue.integer(Int64(method.kind.rawValue)))
    // An account has one com method of each of these kinds. No kind has the number 0.
    let replaced = method.kind == .push || method.kind == .sponsor ? kind : .integer(0)
    return try write { session throws(Failure) in
      try session.lock(agent)
      guard !method.value.isEmpty else {
        try session.run("DELETE FROM com_methods WHERE agent_id = $1 AND name = $2", agentID, name)
        return true
      }
      let others = "SELECT count(*) FROM com_methods WHERE agent_id = $1 AND name <> $2 AND kind <> $3"
      guard let count = try session.integer(others, agentID, name, replaced), count < limit else { return false }
      try session.run(
        "DELETE FROM com_methods WHERE agent_id = $1 AND name <> $2 AND kind = $3", agentID, name, replaced)
      let upsert = """
        INSERT INTO com_methods (agent_id, name, kind, value) VALUES ($1, $2, $3, $4)
        ON CONFLICT (agent_id, name) DO UPDATE SET kind = excluded.kind, value = excluded.value
        """
      // Waiting notifications of the method of that name stay, and go to its new address.
      try session.run(upsert, agentID, name, kind, .text(method.value))
      return true
    }
  }

  func setConfigs(_ configs: [Config], of agent: Account, limit: Int) throws(StorageError) -> Bool {
    // Compares by bytes, like the database: of repeated names, the last value is set, once.
    let latest = Dictionary(configs.map { (Array($0.name.utf8), $0) }, uniquingKeysWith: { $1 }).values
    return try write { session throws(Failure) in
      try session.lock(agent)
      let others = "SELECT count(*) FROM configs WHERE agent_id = $1 AND NOT (\(Session.isAny(of: "$2", "name")))"
      let count = try session.integer(others, .integer(agent.id), .texts(latest.map(\.name)))
      guard let count, latest.count + Int(count) <= limit else { return false }
      let upsert = """
        INSERT INTO configs (agent_id, name, value) VALUES ($1, $2, $3)
        ON CONFLICT (agent_id, name) DO UPDATE SET value = excluded.value
        """
      for config in latest {
        try session.run(upsert, .integer(agent.id), .text(config.name), .text(config.value))
      }
      return true
    }
  }

  func firstSight(of digest: [UInt8]) throws(StorageError) -> Int64 {
    let now = clock()
    return try write { session throws(Failure) in
      let insert = "INSERT INTO seen_requests (digest, seen) VALUES ($1, $2) ON CONFLICT DO NOTHING"
      try session.run(insert, .blob(digest), .integer(now))
      return try session.integer("SELECT seen FROM seen_requests WHERE digest = $1", .blob(digest)) ?? now
    }
  }
}
