internal import CSQLite

/// An error that describes a database's failure in the caller's terms.
package protocol DatabaseFailure: Error {
  init(_ error: SQLiteError)
}

extension SQLiteError: DatabaseFailure {
  package init(_ error: SQLiteError) { self = error }
}

extension Database {
  /// Begins a transaction for reading: all reads before `endReading` see one state of the file, its state at the first
  /// read. Throws `SQLiteError.moved` if the file was deleted or replaced.
  func beginReading() throws(SQLiteError) {
    try requireFileInPlace()
    try kept("BEGIN").run()
  }

  /// Ends a transaction for reading. All statements must have been reset; otherwise SQLite would continue the
  /// transaction.
  func endReading() {
    do { try kept("COMMIT").run() } catch { rollBack() }
    assert(sqlite3_txn_state(handle, nil) == SQLITE_TXN_NONE)
  }

  /// Runs `body` in a transaction that holds the write lock from its start; rolls back if it throws. Throws
  /// `SQLiteError.moved` if the file was deleted or replaced meanwhile.
  package func transaction<Result, Failure: DatabaseFailure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try run("BEGIN IMMEDIATE", Failure.self)
    do {
      let result = try body()
      try commit(Failure.self)
      return result
    } catch {
      rollBack()
      throw error
    }
  }

  /// Runs `body` within the open transaction, so that its failure undoes only `body`. Without an open transaction, runs
  /// it in one of its own. If even that fails, as on a full disk, the whole transaction ends.
  package func nested<Result, Failure: DatabaseFailure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try run("SAVEPOINT nested", Failure.self)
    do {
      let result = try body()
      try run("RELEASE nested", Failure.self)
      return result
    } catch {
      undoNested()
      throw error
    }
  }

  /// Ends an open transaction without its changes.
  package func rollBack() {
    if isInTransaction { try? execute("ROLLBACK") }
  }

  private func undoNested() {
    guard isInTransaction else { return }
    do {
      try kept("ROLLBACK TO nested").run()
      try kept("RELEASE nested").run()
    } catch {
      rollBack()
    }
  }

  private func commit<Failure: DatabaseFailure>(_: Failure.Type) throws(Failure) {
    do { try requireFileInPlace() } catch { throw Failure(error) }
    try run("COMMIT", Failure.self)
  }

  private func run<Failure: DatabaseFailure>(_ sql: String, _: Failure.Type) throws(Failure) {
    do { try kept(sql).run() } catch { throw Failure(error) }
  }
}
