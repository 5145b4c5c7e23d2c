internal import DIDComm

/// An account keeps its `newest` backups for ever and older ones for a week, but never more than `most` backups.
private let (newest, most, week): (Int64, Int64, Int64) = (3, 14, 7 * 86_400)

extension SQLStorage {
  func keep(_ recovery: Recovery, of account: Account, _ note: Note) throws(StorageError) -> Bool {
    let now = clock()
    let (id, key, address) = (
      SQLValue.integer(account.id), SQLValue.text(recovery.key.text), SQLValue.text(recovery.address)
    )
    return try write { session throws(Failure) in
      try session.lock(account)
      let others = "SELECT count(*) FROM recoveries WHERE (verkey = $1 OR address = $2) AND agent_id <> $3"
      guard try session.integer(others, key, address, id) == 0 else { return false }
      // Another account may have inserted the key since: its row stays.
      let upsert = """
        INSERT INTO recoveries (verkey, agent_id, address, cloud_address) VALUES ($1, $2, $3, $4)
        ON CONFLICT (verkey) DO UPDATE
        SET address = excluded.address, cloud_address = excluded.cloud_address, replaced = NULL
        WHERE recoveries.agent_id = excluded.agent_id
        """
      guard try session.run(upsert, key, id, address, .blob(recovery.cloudAddress)) == 1 else { return false }
      let replace = "UPDATE recoveries SET replaced = $1 WHERE agent_id = $2 AND verkey <> $3 AND replaced IS NULL"
      try session.run(replace, .integer(now), id, key)
      try session.leave(note, for: account, now: now)
      return true
    }
  }

  func keep(
    _ backup: StoredBackup, under expected: VerKey?, of account: Account, _ note: Note
  ) throws(StorageError) -> BackupKeeping {
    let now = clock()
    return try write { session throws(Failure) in
      try session.lock(account)
      let select = "SELECT verkey FROM recoveries WHERE agent_id = $1 AND replaced IS NULL"
      let key = try session.first(select, .integer(account.id)) { row throws(Failure) in try row.text(0) }
      guard let key else { return .noRecovery }
      guard expected == nil || expected?.text == key else { return .otherKey }
      let insert = "INSERT INTO backups (verkey, digest, created, wallet) VALUES ($1, $2, $3, $4)"
      try session.run(insert, .text(key), .blob(backup.digest), .integer(now), .blob(backup.wallet))
      let delete = """
        DELETE FROM backups WHERE id IN (
          SELECT id FROM (
            SELECT id, created, row_number() OVER (ORDER BY id DESC) AS place FROM backups WHERE verkey = $1
          ) AS ranked WHERE place > $2 OR (place > $3 AND created <= $4))
        """
      try session.run(delete, .text(key), .integer(most), .integer(newest), .integer(now - week))
      try session.leave(note, for: account, now: now)
      return .kept
    }
  }

  func cloudAddress(at address: String) throws(StorageError) -> [UInt8]? {
    let select = "SELECT cloud_address FROM recoveries WHERE address = $1"
    return try read { session throws(Failure) in
      try session.first(select, .text(address)) { row throws(Failure) in try row.blob(0) }
    }
  }

  func backupSize(of account: Account, under key: VerKey) throws(StorageError) -> Int {
    let size = """
      SELECT CAST(length(wallet) AS BIGINT) FROM backups JOIN recoveries ON recoveries.verkey = backups.verkey
      WHERE backups.verkey = $1 AND agent_id = $2 ORDER BY id DESC LIMIT 1
      """
    return try read { session throws(Failure) in
      try session.integer(size, .text(key.text), .integer(account.id)).map { Int($0) } ?? 0
    }
  }

  func backup(of account: Account, under key: VerKey) throws(StorageError) -> FoundBackup {
    let known = "SELECT count(*) FROM recoveries WHERE verkey = $1 AND agent_id = $2"
    let select = "SELECT wallet, digest FROM backups WHERE verkey = $1 ORDER BY id DESC LIMIT 1"
    return try read { session throws(Failure) in
      guard try session.integer(known, .text(key.text), .integer(account.id)) == 1 else { return .unknownKey }
      let backup = try session.first(select, .text(key.text)) { row throws(Failure) in
        StoredBackup(wallet: try row.blob(0), digest: try row.blob(1))
      }
      return backup.map { .backup($0) } ?? .nothing
    }
  }

  func leave(_ note: Note, for account: Account) throws(StorageError) {
    let now = clock()
    try write { session throws(Failure) in
      try session.lock(account)
      try session.leave(note, for: account, now: now)
    }
  }

  func notes(of account: Account) throws(StorageError) -> [Note] {
    try read { session throws(Failure) in
      try session.all("SELECT uid, type FROM notes WHERE agent_id = $1 ORDER BY created, uid", .integer(account.id)) {
        row throws(Failure) in Note(uid: try row.text(0), type: try row.text(1))
      }
    }
  }
}

extension SQLSession {
  fileprivate func leave(_ note: Note, for account: Account, now: Int64) throws(Failure) {
    try run("DELETE FROM notes WHERE agent_id = $1 AND type = $2", .integer(account.id), .text(note.type))
    // The time alone orders the notes, so a second note in the same second gets the next one.
    let latest = "SELECT created FROM notes WHERE agent_id = $1 ORDER BY created DESC LIMIT 1"
    let created = try integer(latest, .integer(account.id)).map { max(now, $0 + 1) } ?? now
    let insert = "INSERT INTO notes (uid, agent_id, type, created) VALUES ($1, $2, $3, $4)"
    try run(insert, .text(note.uid), .integer(account.id), .text(note.type), .integer(created))
    try announce(note, of: account, now: now)
  }
}
