internal import Threading

/// A reader of one connection, lent by a `ReaderPool`.
package protocol DatabaseReader: AnyObject {
  var database: Database { get }
}

extension Database: DatabaseReader {
  package var database: Database { self }
}

/// Connections for reading, or readers made of them, a few for many threads. The pool opens one if a thread finds none
/// free, up to a limit; then threads wait. A reader sees committed changes only, and waits for no writer.
///
/// All reads before the thread returns the reader see one state of the file, the one at its first read.
package final class ReaderPool<Reader: DatabaseReader>: Sendable {
  private let open: @Sendable () throws(SQLiteError) -> Reader
  private let turns: Turns

  /// A reader between the pool and a thread.
  package struct Lent: @unchecked Sendable {
    // Only the thread that has taken it out of the pool uses it, so it is Sendable.
    package let reader: Reader
  }

  package init(limit: Int, open: @escaping @Sendable () throws(SQLiteError) -> Reader) {
    self.open = open
    turns = Turns(limit: limit)
  }

  /// Lends `body` a reader. Blocks while all are in use. After `refuse`, throws `SQLiteError.closed`.
  package func read<Result>(_ body: (Reader) throws(SQLiteError) -> Result) throws(SQLiteError) -> Result {
    let lent = try take(limited: true)
    defer {
      giveBack(lent)
      turns.end()
    }
    return try body(lent.reader)
  }

  /// Lends `body` a reader that it may keep until `giveBack`. The limit does not apply, so a search that keeps its
  /// reader stops no other thread. Closing waits for `body`, not for the reader.
  package func lend<Result, Failure: DatabaseFailure>(
    _ body: (Lent) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let lent: Lent
    do { lent = try take(limited: false) } catch { throw Failure(error) }
    defer { turns.end() }
    return try body(lent)
  }

  /// Takes a reader back, whose statements have been reset; closes a surplus one.
  package func giveBack(_ lent: Lent) {
    lent.reader.database.endReading()
    turns.keep(.init(reader: lent.reader))
  }

  package var isClosed: Bool { turns.isClosed }

  /// Refuses new readers.
  package func refuse() { turns.close() }

  /// Waits until no thread reads.
  package func drain() { turns.drain() }

  private func take(limited: Bool) throws(SQLiteError) -> Lent {
    let reader: Reader
    switch turns.begin(limited: limited) {
    case .take(let free): reader = unsafeDowncast(free.reader, to: Reader.self)
    case .closed: throw .closed
    case .open: do { reader = try open() } catch { throw abandoned(error) }
    }
    do { try reader.database.beginReading() } catch { throw abandoned(error) }
    return Lent(reader: reader)
  }

  private func abandoned(_ error: SQLiteError) -> SQLiteError {
    turns.end()
    return error
  }
}
