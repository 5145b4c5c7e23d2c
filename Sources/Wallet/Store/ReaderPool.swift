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
  private struct Lent: @unchecked Sendable {
    // Whoever has taken it out of the pool is the only one who uses it: that is what makes it Sendable.
    let reader: Reader
  }

  init(path: String) { self.path = path }

  /// Gives `body` a reader of its own.
  func read<Result>(_ body: (Reader) throws(SQLiteError) -> Result) throws(WalletError) -> Result {
    let lent = try take()
    defer { giveBack(lent) }
    do { return try body(lent.reader) } catch { throw WalletError(error) }
  }

  /// Refuses new readers and waits for those at work; then every connection is closed.
  func close() {
    state.withLock {
      $0.isClosed = true
      $0.free = []
    }
    state.wait { $0.busy == 0 ? () : nil }
  }

  private enum Turn: Sendable { case take(Lent), open, closed }

  private func take() throws(WalletError) -> Lent {
    let turn: Turn = state.wait { state in
      if state.isClosed { return .closed }
      let free = state.free.popLast()
      guard free != nil || state.busy < Self.limit else { return nil }
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
      state.withLock { $0.busy -= 1 }
      throw WalletError(error)
    }
  }

  private func giveBack(_ lent: consuming Lent) {
    let lent = lent
    state.withLock { state in
      if !state.isClosed { state.free.append(lent) }
      state.busy -= 1
    }
  }
}
