internal import Threading

/// Connections for reading, or what is made of them, a few for many threads. One is opened when somebody comes and none
/// is free, up to a limit; then readers wait. They see what is committed, and wait for no writer.
///
/// A reader sees one state of the file until it is given back: the one at its first read, or one that was still the
/// present one when it was handed out.
package final class Pool<Reader: DatabaseReader>: Sendable {
  private let open: @Sendable () throws(SQLiteError) -> Reader
  let turns: Turns

  /// A reader on its way from the pool to a thread, or back.
  package struct Lent: @unchecked Sendable {
    // Whoever has taken it out of the pool is the only one who uses it: that is what makes it Sendable.
    package let reader: Reader
  }

  package init(limit: Int, open: @escaping @Sendable () throws(SQLiteError) -> Reader) {
    self.open = open
    turns = Turns(limit: limit)
  }

  /// Gives `body` a reader of its own. Blocks while all are in use. After `refuse`, throws `SQLiteError.closed`.
  package func read<Result>(_ body: (Reader) throws(SQLiteError) -> Result) throws(SQLiteError) -> Result {
    let lent = try take(limited: true)
    defer {
      giveBack(lent)
      turns.end()
    }
    return try body(lent.reader)
  }

  /// Gives `body` a reader that it may keep, to be given back with `giveBack`. The limit does not hold here, so that
  /// those who keep theirs do not stop others from reading. Closing waits for `body`, not for the reader.
  package func lend<Result, Failure: DatabaseFailure>(
    _ body: (Lent) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let lent: Lent
    do { lent = try take(limited: false) } catch { throw Failure(error) }
    defer { turns.end() }
    return try body(lent)
  }

  /// Takes a reader back, whose statements have been reset; one too many is closed.
  package func giveBack(_ lent: Lent) { turns.keep(.init(reader: lent.reader, database: lent.reader.database)) }

  package var isClosed: Bool { turns.isClosed }

  /// Refuses new readers.
  package func refuse() { turns.close() }

  /// Waits for those at work.
  package func drain() { turns.drain() }

  private func take(limited: Bool) throws(SQLiteError) -> Lent {
    let reader: Reader
    switch turns.begin(limited: limited) {
    case .take(let free): reader = unsafeDowncast(free.reader, to: Reader.self)
    case .closed: throw .closed
    case .open: do { reader = try open() } catch { throw abandoned(error) }
    }
    let wasOutdated: Bool
    do { wasOutdated = try reader.database.beginSnapshot() } catch { throw abandoned(error) }
    if wasOutdated { turns.endSnapshots() }  // the others are, too
    return Lent(reader: reader)
  }

  private func abandoned(_ error: SQLiteError) -> SQLiteError {
    turns.end()
    return error
  }
}
