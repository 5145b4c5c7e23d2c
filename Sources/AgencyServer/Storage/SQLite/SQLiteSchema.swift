internal import SQLite

/// The tables in SQLite, and their migrations.
///
/// Codes are the codes of the protocol. Times are seconds since 1970. `secret` columns hold sealed keys.
enum SQLiteSchema {
  /// Step n makes version n + 1 from version n. Published steps never change.
  static let steps = [
    """
    CREATE TABLE identity (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      verkey TEXT NOT NULL,
      secret BLOB NOT NULL
    ) STRICT;

    CREATE TABLE agents (
      id INTEGER PRIMARY KEY,
      did TEXT NOT NULL UNIQUE,
      verkey TEXT NOT NULL UNIQUE,
      secret BLOB NOT NULL,
      owner_did TEXT NOT NULL,
      owner_verkey TEXT NOT NULL UNIQUE,
      state TEXT NOT NULL,
      sponsor_id TEXT,
      sponsee_id TEXT,
      created INTEGER NOT NULL,
      last_seen INTEGER NOT NULL DEFAULT 0,
      locked INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE INDEX agents_owner_did ON agents (owner_did);
    CREATE INDEX agents_unfinished ON agents (created) WHERE state <> 'created';

    CREATE TABLE used_tokens (
      mark BLOB PRIMARY KEY,
      agent_id INTEGER NOT NULL,
      expires INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX used_tokens_age ON used_tokens (expires);

    CREATE TABLE com_methods (
      agent_id INTEGER NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      kind INTEGER NOT NULL,
      value TEXT NOT NULL,
      PRIMARY KEY (agent_id, name)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE configs (
      agent_id INTEGER NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      value TEXT NOT NULL,
      PRIMARY KEY (agent_id, name)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE seen_requests (
      digest BLOB PRIMARY KEY,
      seen INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX seen_requests_age ON seen_requests (seen);

    CREATE TABLE pairwise (
      id INTEGER PRIMARY KEY,
      agent_id INTEGER NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
      did TEXT NOT NULL UNIQUE,
      verkey TEXT NOT NULL UNIQUE,
      secret BLOB NOT NULL,
      for_did TEXT NOT NULL UNIQUE,
      for_verkey TEXT NOT NULL UNIQUE,
      created INTEGER NOT NULL,
      deleted INTEGER,
      unread INTEGER NOT NULL DEFAULT 0,
      unread_bytes INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE INDEX pairwise_agent ON pairwise (agent_id);
    CREATE INDEX pairwise_deleted ON pairwise (deleted) WHERE deleted IS NOT NULL;

    CREATE TABLE messages (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      uid TEXT NOT NULL UNIQUE,
      pairwise_id INTEGER NOT NULL REFERENCES pairwise (id) ON DELETE CASCADE,
      status TEXT NOT NULL,
      size INTEGER NOT NULL,
      digest BLOB NOT NULL,
      created INTEGER NOT NULL,
      updated INTEGER NOT NULL,
      payload BLOB NOT NULL
    ) STRICT;
    CREATE INDEX messages_mailbox ON messages (pairwise_id, status, id, size);
    CREATE INDEX messages_digest ON messages (pairwise_id, digest);
    CREATE INDEX messages_age ON messages (updated);
    CREATE INDEX messages_read ON messages (updated) WHERE status IN ('MS-105', 'MS-106', 'MS-107');

    -- A delivery depends on the number and the size of the mailbox's unread messages. Counting them then would take the
    -- longer, the more of them wait.
    CREATE TRIGGER count_insert AFTER INSERT ON messages WHEN NEW.status = 'MS-103' BEGIN
      UPDATE pairwise SET unread = unread + 1, unread_bytes = unread_bytes + NEW.size WHERE id = NEW.pairwise_id;
    END;
    CREATE TRIGGER count_delete AFTER DELETE ON messages WHEN OLD.status = 'MS-103' BEGIN
      UPDATE pairwise SET unread = unread - 1, unread_bytes = unread_bytes - OLD.size WHERE id = OLD.pairwise_id;
    END;
    CREATE TRIGGER count_update AFTER UPDATE OF status ON messages
    WHEN (OLD.status = 'MS-103') <> (NEW.status = 'MS-103') BEGIN
      UPDATE pairwise SET unread = unread + iif(NEW.status = 'MS-103', 1, -1),
      unread_bytes = unread_bytes + iif(NEW.status = 'MS-103', NEW.size, -OLD.size) WHERE id = NEW.pairwise_id;
    END;

    CREATE TABLE notes (
      uid TEXT PRIMARY KEY,
      agent_id INTEGER NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
      type TEXT NOT NULL,
      created INTEGER NOT NULL,
      UNIQUE (agent_id, type)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX notes_age ON notes (created);

    CREATE TABLE recoveries (
      verkey TEXT PRIMARY KEY,
      agent_id INTEGER NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
      address TEXT NOT NULL UNIQUE,
      cloud_address BLOB NOT NULL,
      replaced INTEGER
    ) STRICT;
    CREATE INDEX recoveries_agent ON recoveries (agent_id);
    CREATE INDEX recoveries_replaced ON recoveries (replaced) WHERE replaced IS NOT NULL;

    CREATE TABLE backups (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      verkey TEXT NOT NULL REFERENCES recoveries (verkey) ON DELETE CASCADE,
      digest BLOB NOT NULL,
      created INTEGER NOT NULL,
      wallet BLOB NOT NULL
    ) STRICT;
    CREATE INDEX backups_verkey ON backups (verkey, id, created);

    -- The id of a notification is given once: an attempt may end after its notification was deleted, and must not settle
    -- another one.
    CREATE TABLE notifications (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      message_id INTEGER REFERENCES messages (id) ON DELETE CASCADE,
      note_uid TEXT REFERENCES notes (uid) ON DELETE CASCADE,
      agent_id INTEGER NOT NULL,
      method TEXT NOT NULL,
      attempts INTEGER NOT NULL,
      due INTEGER NOT NULL,
      message_type TEXT,
      sender_name TEXT,
      FOREIGN KEY (agent_id, method) REFERENCES com_methods (agent_id, name) ON DELETE CASCADE,
      CHECK ((message_id IS NULL) <> (note_uid IS NULL))
    ) STRICT;
    CREATE INDEX notifications_due ON notifications (due);
    CREATE INDEX notifications_message ON notifications (message_id);
    CREATE INDEX notifications_note ON notifications (note_uid);
    CREATE INDEX notifications_method ON notifications (agent_id, method);

    CREATE TABLE writing_check (
      id INTEGER PRIMARY KEY,
      filling BLOB NOT NULL
    ) STRICT;
    """
  ]

  /// The version of the schema in this program.
  static var newest: Int64 { Int64(steps.count) }

  /// The version of the database's tables; 0 for an empty database.
  static func version(of database: Database) throws(SQLiteError) -> Int64 {
    try database.integer("PRAGMA user_version") ?? 0
  }

  /// Whether a database has tables, but no agency's: it is another program's, or damaged.
  static func isForeign(_ database: Database) throws(SQLiteError) -> Bool {
    guard try database.integer("SELECT 1 FROM sqlite_schema WHERE name = 'identity'") == nil else { return false }
    return try database.integer("SELECT 1 FROM sqlite_schema LIMIT 1") != nil
  }

  /// Configures a database and migrates it to the newest version. Returns nil on success; otherwise the unknown version, 0 for
  /// a database that is no agency's, which stays as it is.
  static func prepare(_ database: Database, by steps: [String] = steps) throws(SQLiteError) -> Int64? {
    database.waitForLocks()
    guard try !isForeign(database) else { return 0 }
    try database.configure()
    return try database.transaction { () throws(SQLiteError) in
      let version = try version(of: database)
      guard (0...Int64(steps.count)).contains(version) else { return version }
      for step in steps[Int(version)...] { try database.execute(step) }
      try database.execute("PRAGMA user_version = \(steps.count)")
      return nil
    }
  }
}
