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
  private let limit: Int
  private let state = Monitor(ReaderPoolState())

  /// A reader between the pool and a thread.
  package struct Lent: @unchecked Sendable {
    // Only the thread that has taken it out of the pool uses it, so it is Sendable.
    package let reader: Reader
  }

  package init(limit: Int, open: @escaping @Sendable () throws(SQLiteError) -> Reader) {
    self.open = open
    self.limit = limit
  }

  /// Lends `body` a reader. Blocks while all are in use. After `refuse`, throws `SQLiteError.closed`.
  package func read<Result>(_ body: (Reader) throws(SQLiteError) -> Result) throws(SQLiteError) -> Result {
    let lent = try take(limited: true)
    defer {
      giveBack(lent)
      end()
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
    defer { end() }
    return try body(lent)
  }

  /// Takes a reader back, whose statements have been reset. Closes it if the pool is closed, or full.
  package func giveBack(_ lent: Lent) {
    lent.reader.database.endReading()
    let free = ReaderPoolState.Free(reader: lent.reader)
    state.withLock { $0.keep(free, limit: limit) }
  }

  package var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Refuses new readers, and closes the free ones.
  package func refuse() {
    let free = state.withLock { $0.close() }
    _ = free  // they are closed here, without the lock
  }

  /// Waits until no thread reads.
  package func drain() { state.wait { $0.busy == 0 ? () : nil } }

  private func take(limited: Bool) throws(SQLiteError) -> Lent {
    let reader: Reader
    switch state.wait(for: { $0.begin(limit: limited ? limit : .max) }) {
    case .take(let free): reader = unsafeDowncast(free.reader, to: Reader.self)
    case .closed: throw .closed
    case .open: do { reader = try open() } catch { throw abandoned(error) }
    }
    do { try reader.database.beginReading() } catch { throw abandoned(error) }
    return Lent(reader: reader)
  }

  private func abandoned(_ error: SQLiteError) -> SQLiteError {
    end()
    return error
  }

  private func end() { state.withLock { $0.busy -= 1 } }
}

/// The readers of a pool. It knows them as objects only: generic code would cost as much as a query.
private struct ReaderPoolState: Sendable {
  struct Free: @unchecked Sendable {
    // Only the thread that has taken it out of the list touches it, so it is Sendable.
    let reader: AnyObject
  }

  enum Turn: Sendable { case take(Free), open, closed }

  var free: [Free] = []
  /// The readers in use and those being opened.
  var busy = 0
  var isClosed = false

  /// Returns nil while so many readers are in use and none is free.
  mutating func begin(limit: Int) -> Turn? {
    if isClosed { return .closed }
    let reader = free.popLast()
    guard reader != nil || busy < limit else { return nil }
    busy += 1
    return reader.map(Turn.take) ?? .open
  }

  mutating func keep(_ reader: Free, limit: Int) {
    if !isClosed, free.count < limit { free.append(reader) }
  }

  mutating func close() -> [Free] {
    defer { free = [] }
    isClosed = true
    return free
  }
}
