internal import SQLite
internal import Threading

/// The connections for reading. One is opened when a reader comes and none is free, up to a limit; then readers wait.
final class ReaderPool: Sendable {
  private let path: String
  private let state = Monitor(State())
  private static let limit = 4

  private struct State: Sendable {
    var free: [Lent] = []
    /// Those in use and those being opened.
    var busy = 0
    var isClosed = false
  }

  /// A reader on its way from the pool to a thread, or back.
  struct Lent: @unchecked Sendable {
    // Whoever has taken it out of the pool is the only one who uses it: that is what makes it Sendable.
    let reader: Reader
  }

  init(path: String) { self.path = path }

  /// Gives `body` a reader of its own.
  func read<Result>(_ body: (Reader) throws(SQLiteError) -> Result) throws(WalletError) -> Result {
    let lent = try take(limit: Self.limit)
    defer {
      giveBack(lent)
      settle()
    }
    do { return try body(lent.reader) } catch { throw WalletError(error) }
  }

  /// Gives `body` a reader that it may keep, to be given back with `giveBack`. The limit does not hold here, so that
  /// searches that are left open do not keep others from reading. Closing waits for `body`, not for the reader.
  func lend<Result>(_ body: (Lent) throws(WalletError) -> Result) throws(WalletError) -> Result {
    let lent = try take(limit: .max)
    defer { settle() }
    return try body(lent)
  }

  /// Takes a reader back; one too many is closed.
  func giveBack(_ lent: Lent) {
    state.withLock { state in
      if !state.isClosed, state.free.count < Self.limit { state.free.append(lent) }
    }
  }

  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Refuses new readers.
  func refuse() {
    state.withLock {
      $0.isClosed = true
      $0.free = []
    }
  }

  /// Waits for those at work.
  func drain() { state.wait { $0.busy == 0 ? () : nil } }

  private enum Turn: Sendable { case take(Lent), open, closed }

  private func take(limit: Int) throws(WalletError) -> Lent {
    let turn: Turn = state.wait { state in
      if state.isClosed { return .closed }
      let free = state.free.popLast()
      guard free != nil || state.busy < limit else { return nil }
      state.busy += 1
      return free.map(Turn.take) ?? .open
    }
    switch turn {
    case .take(let lent): return lent
    case .open: return try open()
    case .closed: throw .closed
    }
  }

  private func open() throws(WalletError) -> Lent {
    do {
      return Lent(reader: try Reader(path: path))
    } catch {
      settle()
      throw WalletError(error)
    }
  }

  private func settle() { state.withLock { $0.busy -= 1 } }
}
