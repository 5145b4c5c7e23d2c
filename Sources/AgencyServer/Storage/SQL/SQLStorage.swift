internal import Time

/// A store in an SQL database: every operation, written once for all databases.
///
/// Agencies may share a database. A writer first locks the row that its decision depends on, the mailbox's or the
/// account's, so that writers decide one after the other. If two of them insert the same at once, a unique index
/// accepts one; the other then looks again and finds it.
protocol SQLStorage: Storage {
  associatedtype Session: SQLSession
  typealias Failure = Session.Failure

  var clock: Clock { get }

  /// Runs statements that only read, perhaps several times. Each may see another state of the database.
  func read<Result>(_ body: (Session) throws(Failure) -> Result) throws(StorageError) -> Result

  /// The same while no delivery to the account is underway: deliveries wait for `body`, and it for them. All numbers of
  /// messages that come later are then higher than the ones that `body` sees.
  func readSettled<Result>(
    of accountID: Int64, _ body: (Session) throws(Failure) -> Result
  ) throws(StorageError) -> Result

  /// Tells the listener of `watchArrivals`, and the listeners of other processes. The message is committed.
  func note(_ arrival: Arrival)

  /// Runs `body` in a transaction, perhaps several times; the last run counts.
  func write<Result>(_ body: (Session) throws(Failure) -> Result) throws(StorageError) -> Result
}

extension SQLStorage {
  /// Runs one statement in a transaction.
  func write(_ sql: String, _ values: SQLValue...) throws(StorageError) {
    _ = try write { session throws(Failure) in try session.forEach(sql, binding: values) { _ in } }
  }
}
