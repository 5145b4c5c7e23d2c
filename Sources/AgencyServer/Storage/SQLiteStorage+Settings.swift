package import AgencyWire
internal import JSON
internal import SQLite

extension SQLiteStorage {
  package func setComMethod(_ method: ComMethod, of agent: Agent, limit: Int) throws(StorageError) -> Bool {
    try write { (database, _) throws(SQLiteError) in
      let agentID = Value.integer(agent.id)
      let isOnlyOne = method.kind == .push || method.kind == .sponsor
      let (name, kind) = (Value.text(method.id), Value.integer(Int64(method.kind.rawValue)))
      guard !method.value.isEmpty else {
        try database("DELETE FROM com_methods WHERE agent_id = ? AND name = ?").run(agentID, name)
        return true
      }
      if isOnlyOne {
        try database("DELETE FROM com_methods WHERE agent_id = ? AND name <> ? AND kind = ?").run(agentID, name, kind)
      }
      let others = "SELECT count(*) FROM com_methods WHERE agent_id = ? AND name <> ?"
      let count = try database(others).first(agentID, name) { row throws(SQLiteError) in try row.integer(0) }
      guard let count, count < limit else { return false }
      let upsert = """
        INSERT INTO com_methods (agent_id, name, kind, value) VALUES (?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET kind = excluded.kind, value = excluded.value
        """
      // What is waiting to be sent by the method of that name stays, and goes where it goes now.
      try database(upsert).run(agentID, name, kind, .text(method.value))
      return true
    }
  }

  package func setConfigs(_ configs: [Config], of agent: Agent, limit: Int) throws(StorageError) -> Bool {
    try write { (database, _) throws(SQLiteError) in
      let agentID = Value.integer(agent.id)
      let names = JSON(configs.map(\.name)).text
      let others = "SELECT name FROM configs WHERE agent_id = ?1 AND name NOT IN (SELECT value FROM json_each(?2))"
      var count = Set(configs.map(\.name)).count
      try database(others).forEach(agentID, .text(names)) { _ in count += 1 }
      guard count <= limit else { return false }
      for config in configs {
        try database("INSERT OR REPLACE INTO configs (agent_id, name, value) VALUES (?, ?, ?)")
          .run(agentID, .text(config.name), .text(config.value))
      }
      return true
    }
  }

  package func firstSight(of digest: [UInt8]) throws(StorageError) -> Int64 {
    try write { (database, now) throws(SQLiteError) in
      try database("INSERT OR IGNORE INTO seen_requests (digest, seen) VALUES (?, ?)")
        .run(.blob(digest), .integer(now))
      return try database("SELECT seen FROM seen_requests WHERE digest = ?").first(.blob(digest)) {
        row throws(SQLiteError) in try row.integer(0)
      } ?? now
    }
  }
}
