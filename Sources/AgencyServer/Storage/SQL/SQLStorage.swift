/// A store in an SQL database: every operation, said once for all of them.
///
/// Agencies may share a database. Whoever writes first locks the row that its decision rests on, the mailbox's or the
/// agent's, so that they decide one after the other. What two of them insert at once, a unique index lets pass once; the
/// other then looks again and finds it there.
protocol SQLStorage: Storage {
  associatedtype Session: SQLSession
  typealias Failure = Session.Failure

  var clock: Clock { get }

  /// Runs statements that only read, perhaps several times. Each may see another state of the database.
  func read<Result>(_ body: (Session) throws(Failure) -> Result) throws(StorageError) -> Result

  /// Runs `body` in a transaction, perhaps several times, of which the last one counts.
  func write<Result>(_ body: (Session) throws(Failure) -> Result) throws(StorageError) -> Result
}

extension SQLStorage {
  /// Runs one statement in a transaction.
  func write(_ sql: String, _ values: SQLValue...) throws(StorageError) {
    _ = try write { session throws(Failure) in try session.forEach(sql, binding: values) { _ in } }
  }
}
