package import AgencyWire
internal import PostgreSQL

extension PostgreSQLStorage {
  package func setComMethod(_ method: ComMethod, of agent: Agent, limit: Int) throws(StorageError) -> Bool {
    try write { (connection, _) throws(PostgreSQLError) in
      try connection.lock(agent)
      let agentID = Value.integer(agent.id)
      let (name, kind) = (Value.text(method.id), Value.integer(Int64(method.kind.rawValue)))
      guard !method.value.isEmpty else {
        try connection.query("DELETE FROM com_methods WHERE agent_id = $1 AND name = $2", agentID, name)
        return true
      }
      if method.kind == .push || method.kind == .sponsor {
        try connection.query(
          "DELETE FROM com_methods WHERE agent_id = $1 AND name <> $2 AND kind = $3", agentID, name, kind)
      }
      let others = "SELECT count(*) FROM com_methods WHERE agent_id = $1 AND name <> $2"
      let count = try connection.query(others, agentID, name).first { row throws(PostgreSQLError) in try row.integer(0)
      }
      guard let count, count < limit else { return false }
      let upsert = """
        INSERT INTO com_methods (agent_id, name, kind, value) VALUES ($1, $2, $3, $4)
        ON CONFLICT (agent_id, name) DO UPDATE SET kind = excluded.kind, value = excluded.value
        """
      // What is waiting to be sent by the method of that name stays, and goes where it goes now.
      try connection.query(upsert, agentID, name, kind, .text(method.value))
      return true
    }
  }

  package func setConfigs(_ configs: [Config], of agent: Agent, limit: Int) throws(StorageError) -> Bool {
    try write { (connection, _) throws(PostgreSQLError) in
      try connection.lock(agent)
      let names = Set(configs.map(\.name))
      let others = "SELECT FROM configs WHERE agent_id = $1 AND name <> ALL ($2)"
      let count = names.count + (try connection.query(others, .integer(agent.id), .texts(Array(names))).count)
      guard count <= limit else { return false }
      let upsert = """
        INSERT INTO configs (agent_id, name, value) VALUES ($1, $2, $3)
        ON CONFLICT (agent_id, name) DO UPDATE SET value = excluded.value
        """
      for config in configs {
        try connection.query(upsert, .integer(agent.id), .text(config.name), .text(config.value))
      }
      return true
    }
  }

  package func firstSight(of digest: [UInt8]) throws(StorageError) -> Int64 {
    try write { (connection, now) throws(PostgreSQLError) in
      let insert = "INSERT INTO seen_requests (digest, seen) VALUES ($1, $2) ON CONFLICT DO NOTHING"
      try connection.query(insert, .blob(digest), .integer(now))
      return try connection.query("SELECT seen FROM seen_requests WHERE digest = $1", .blob(digest)).first {
        row throws(PostgreSQLError) in try row.integer(0)
      } ?? now
    }
  }
}
