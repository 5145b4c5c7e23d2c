internal import Threading

/// Something that reads through one connection, as a `Pool` hands it out.
package protocol DatabaseReader: AnyObject {
  var database: Database { get }
}

extension Database: DatabaseReader {
  package var database: Database { self }
}

/// Connections for reading, or readers made of them, a few for many threads. The pool opens one when a thread comes and
/// none is free, up to a limit; then threads wait. A reader sees committed changes only, and waits for no writer.
///
/// All that a thread reads before it gives the reader back is of one state of the file, the one at its first read.
package final class Pool<Reader: DatabaseReader>: Sendable {
  private let open: @Sendable () throws(SQLiteError) -> Reader
  private let turns: Turns

  /// A reader on its way from the pool to a thread, or back.
  package struct Lent: @unchecked Sendable {
    // Only the thread that has taken it out of the pool uses it: that is what makes it Sendable.
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

  /// Gives `body` a reader that it may keep, to be given back with `giveBack`. The limit does not hold here: a search
  /// that keeps its reader does not stop others from reading. Closing waits for `body`, not for the reader.
  package func lend<Result, Failure: DatabaseFailure>(
    _ body: (Lent) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let lent: Lent
    do { lent = try take(limited: false) } catch { throw Failure(error) }
    defer { turns.end() }
    return try body(lent)
  }

  /// Takes a reader back, whose statements have been reset; one too many is closed.
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
