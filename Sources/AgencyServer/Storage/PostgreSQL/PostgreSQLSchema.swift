internal import PostgreSQL

/// The tables in PostgreSQL, and their migrations.
///
/// `SQLiteSchema` has the same tables. Text compares by its bytes in every database: an update of the system's
/// collations must not break the indexes.
enum PostgreSQLSchema {
  /// Step n makes version n + 1 from version n. Published steps never change.
  static let steps = [
    """
    CREATE TABLE identity (
      id BIGINT PRIMARY KEY CHECK (id = 1),
      verkey TEXT COLLATE "C" NOT NULL,
      secret BYTEA NOT NULL
    );

    CREATE TABLE agents (
      id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      did TEXT COLLATE "C" NOT NULL UNIQUE,
      verkey TEXT COLLATE "C" NOT NULL UNIQUE,
      secret BYTEA NOT NULL,
      owner_did TEXT COLLATE "C" NOT NULL,
      owner_verkey TEXT COLLATE "C" NOT NULL UNIQUE,
      state TEXT COLLATE "C" NOT NULL,
      sponsor_id TEXT COLLATE "C",
      sponsee_id TEXT COLLATE "C",
      created BIGINT NOT NULL,
      last_seen BIGINT NOT NULL DEFAULT 0,
      locked BIGINT NOT NULL DEFAULT 0
    );
    CREATE INDEX agents_owner_did ON agents (owner_did);
    CREATE INDEX agents_unfinished ON agents (created) WHERE state <> 'created';

    CREATE TABLE used_tokens (
      mark BYTEA PRIMARY KEY,
      agent_id BIGINT NOT NULL,
      expires BIGINT NOT NULL
    );
    CREATE INDEX used_tokens_age ON used_tokens (expires);

    CREATE TABLE com_methods (
      agent_id BIGINT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
      name TEXT COLLATE "C" NOT NULL,
      kind BIGINT NOT NULL,
      value TEXT COLLATE "C" NOT NULL,
      PRIMARY KEY (agent_id, name)
    );

    CREATE TABLE configs (
      agent_id BIGINT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
      name TEXT COLLATE "C" NOT NULL,
      value TEXT COLLATE "C" NOT NULL,
      PRIMARY KEY (agent_id, name)
    );

    CREATE TABLE seen_requests (
      digest BYTEA PRIMARY KEY,
      seen BIGINT NOT NULL
    );
    CREATE INDEX seen_requests_age ON seen_requests (seen);

    CREATE TABLE pairwise (
      id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      agent_id BIGINT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
      did TEXT COLLATE "C" NOT NULL UNIQUE,
      verkey TEXT COLLATE "C" NOT NULL UNIQUE,
      secret BYTEA NOT NULL,
      for_did TEXT COLLATE "C" NOT NULL UNIQUE,
      for_verkey TEXT COLLATE "C" NOT NULL UNIQUE,
      created BIGINT NOT NULL,
      deleted BIGINT,
      unread BIGINT NOT NULL DEFAULT 0,
      unread_bytes BIGINT NOT NULL DEFAULT 0
    );
    CREATE INDEX pairwise_agent ON pairwise (agent_id);
    CREATE INDEX pairwise_deleted ON pairwise (deleted) WHERE deleted IS NOT NULL;

    CREATE TABLE messages (
      id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      uid TEXT COLLATE "C" NOT NULL UNIQUE,
      pairwise_id BIGINT NOT NULL REFERENCES pairwise (id) ON DELETE CASCADE,
      status TEXT COLLATE "C" NOT NULL,
      size BIGINT NOT NULL,
      digest BYTEA NOT NULL,
      created BIGINT NOT NULL,
      updated BIGINT NOT NULL,
      payload BYTEA NOT NULL
    );
    -- What is encrypted does not get smaller by compression.
    ALTER TABLE messages ALTER COLUMN payload SET STORAGE EXTERNAL;
    CREATE INDEX messages_mailbox ON messages (pairwise_id, status, id) INCLUDE (size);
    CREATE INDEX messages_digest ON messages (pairwise_id, digest);
    CREATE INDEX messages_age ON messages (updated);
    CREATE INDEX messages_read ON messages (updated) WHERE status IN ('MS-105', 'MS-106', 'MS-107');

    CREATE FUNCTION count_unread() RETURNS TRIGGER LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP <> 'INSERT' THEN
        UPDATE pairwise SET unread = unread - counted.messages, unread_bytes = unread_bytes - counted.bytes FROM (
          SELECT pairwise_id, count(*) AS messages, sum(size) AS bytes FROM old_rows WHERE status = 'MS-103'
          GROUP BY pairwise_id
        ) AS counted WHERE id = pairwise_id;
      END IF;
      IF TG_OP <> 'DELETE' THEN
        UPDATE pairwise SET unread = unread + counted.messages, unread_bytes = unread_bytes + counted.bytes FROM (
          SELECT pairwise_id, count(*) AS messages, sum(size) AS bytes FROM new_rows WHERE status = 'MS-103'
          GROUP BY pairwise_id
        ) AS counted WHERE id = pairwise_id;
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER count_insert AFTER INSERT ON messages REFERENCING NEW TABLE AS new_rows
      FOR EACH STATEMENT EXECUTE FUNCTION count_unread();
    CREATE TRIGGER count_delete AFTER DELETE ON messages REFERENCING OLD TABLE AS old_rows
      FOR EACH STATEMENT EXECUTE FUNCTION count_unread();
    CREATE TRIGGER count_update AFTER UPDATE ON messages REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
      FOR EACH STATEMENT EXECUTE FUNCTION count_unread();

    CREATE TABLE notes (
      uid TEXT COLLATE "C" PRIMARY KEY,
      agent_id BIGINT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
      type TEXT COLLATE "C" NOT NULL,
      created BIGINT NOT NULL,
      UNIQUE (agent_id, type)
    );
    CREATE INDEX notes_age ON notes (created);

    CREATE TABLE recoveries (
      verkey TEXT COLLATE "C" PRIMARY KEY,
      agent_id BIGINT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
      address TEXT COLLATE "C" NOT NULL UNIQUE,
      cloud_address BYTEA NOT NULL,
      replaced BIGINT
    );
    CREATE INDEX recoveries_agent ON recoveries (agent_id);
    CREATE INDEX recoveries_replaced ON recoveries (replaced) WHERE replaced IS NOT NULL;

    CREATE TABLE backups (
      id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      verkey TEXT COLLATE "C" NOT NULL REFERENCES recoveries (verkey) ON DELETE CASCADE,
      digest BYTEA NOT NULL,
      created BIGINT NOT NULL,
      wallet BYTEA NOT NULL
    );
    ALTER TABLE backups ALTER COLUMN wallet SET STORAGE EXTERNAL;
    CREATE INDEX backups_verkey ON backups (verkey, id, created);

    CREATE TABLE notifications (
      id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      message_id BIGINT REFERENCES messages (id) ON DELETE CASCADE,
      note_uid TEXT COLLATE "C" REFERENCES notes (uid) ON DELETE CASCADE,
      agent_id BIGINT NOT NULL,
      method TEXT COLLATE "C" NOT NULL,
      attempts BIGINT NOT NULL,
      due BIGINT NOT NULL,
      message_type TEXT COLLATE "C",
      sender_name TEXT COLLATE "C",
      FOREIGN KEY (agent_id, method) REFERENCES com_methods (agent_id, name) ON DELETE CASCADE,
      CHECK ((message_id IS NULL) <> (note_uid IS NULL))
    );
    CREATE INDEX notifications_due ON notifications (due);
    CREATE INDEX notifications_message ON notifications (message_id);
    CREATE INDEX notifications_note ON notifications (note_uid);
    CREATE INDEX notifications_method ON notifications (agent_id, method);

    CREATE TABLE writing_check (
      id BIGINT PRIMARY KEY,
      filling BYTEA NOT NULL
    );
    """
  ]

  /// The version of the schema in this program.
  static var newest: Int64 { Int64(steps.count) }

  /// The version of the database's tables; 0 for an empty database.
  static func version(of connection: PostgreSQLConnection) throws(PostgreSQLError) -> Int64 {
    guard try connection.query("SELECT 1 WHERE to_regclass('schema_version') IS NOT NULL").count > 0 else { return 0 }
    return try connection.query("SELECT version FROM schema_version").first { row throws(PostgreSQLError) in
      try row.integer(0)
    } ?? -1
  }

  /// Whether the database has tables or views, but no agency's: it is another program's, or damaged. Tables of
  /// extensions and of other schemas do not count.
  static func isForeign(_ connection: PostgreSQLConnection) throws(PostgreSQLError) -> Bool {
    let agencys = """
      SELECT 1 FROM pg_attribute WHERE attrelid = to_regclass('agents') AND attname = 'owner_verkey'
      AND to_regclass('schema_version') IS NOT NULL
      """
    guard try connection.query(agencys).count == 0 else { return false }
    let anybodys = """
      SELECT 1 FROM pg_class WHERE relkind IN ('r', 'p', 'f', 'v', 'm')
      AND (relnamespace = to_regnamespace(current_schema()) OR oid = to_regclass('schema_version'))
      AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype = 'e')
      LIMIT 1
      """
    return try connection.query(anybodys).count > 0
  }

  /// An advisory lock of this number ("msdk") lets agencies that start together take turns.
  private static let turn: Int64 = 0x6d73_646b

  /// Migrates a database to the newest version, within a transaction. Returns nil on success; otherwise the unknown version, 0
  /// for a database that is no agency's, which stays as it is.
  static func migrate(
    _ connection: PostgreSQLConnection, by steps: [String] = steps
  ) throws(PostgreSQLError) -> Int64? {
    try connection.query("SELECT pg_advisory_xact_lock($1)", .integer(turn))
    guard try !isForeign(connection) else { return 0 }
    if try connection.query("SELECT 1 WHERE to_regclass('schema_version') IS NULL").count > 0 {
      try connection.execute(
        """
        CREATE TABLE schema_version (version BIGINT NOT NULL);
        INSERT INTO schema_version VALUES (0);
        """)
    }
    let version = try version(of: connection)
    guard (0...Int64(steps.count)).contains(version) else { return version }
    for step in steps[Int(version)...] { try connection.execute(step) }
    try connection.query("UPDATE schema_version SET version = $1", .integer(Int64(steps.count)))
    return nil
  }
}
