internal import Threading

/// All writes of a wallet go through here, to one connection.
///
/// Writes that arrive while another commits share the next transaction: the commit's synchronisation with the disk is
/// the expensive part. Whoever gets the connection first does the work of all who wait; everybody is answered after
/// the commit.
final class WriteQueue: Sendable {
  typealias Body = @Sendable (Writer) throws(WalletError) -> Void

  private let waiting = Locked<[Write]>([])
  private let connection: Locked<Owned?>

  /// The writer, inside the lock that guards it.
  private struct Owned: @unchecked Sendable {
    // Only whoever holds the lock of `connection` touches it: that is what makes it Sendable.
    let writer: Writer
  }

  /// One caller's write, and the answer once there is one.
  private final class Write: @unchecked Sendable {
    let body: Body
    // Touched only while the lock of `connection` is held: that is what makes the class Sendable.
    var outcome: Result<Void, WalletError>?

    init(_ body: @escaping Body) { self.body = body }
  }

  init(_ writer: Writer) { connection = Locked(Owned(writer: writer)) }

  /// Runs `body` in a transaction. When this returns, its changes are on the disk; when it throws, there are none.
  func perform(_ body: @escaping Body) throws(WalletError) {
    let write = Write(body)
    waiting.withLock { $0.append(write) }
    let outcome = connection.withLock { owned in
      if write.outcome == nil { Self.commit(takeWaiting(), owned?.writer) }
      return write.outcome
    }
    try outcome?.get()
  }

  /// Refuses new writes; those that got in before are done.
  func close() {
    connection.withLock { $0 = nil }
  }

  /// Writes that no one has begun to commit.
  var waitingCount: Int { waiting.withLock { $0.count } }

  private func takeWaiting() -> [Write] {
    waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
  }

  private static func commit(_ writes: [Write], _ writer: Writer?) {
    guard let writer else {
      for write in writes { write.outcome = .failure(.closed) }
      return
    }
    if writes.count > 1, commitTogether(writes, writer) { return }
    for write in writes {
      write.outcome = Result { () throws(WalletError) in
        try writer.transaction { () throws(WalletError) in try write.body(writer) }
      }
    }
  }

  /// One transaction for all, with a savepoint for each. False when it came to nothing as a whole (disk full, or
  /// somebody else holds the lock): then each has to be tried alone, to get the answer that is its own.
  private static func commitTogether(_ writes: [Write], _ writer: Writer) -> Bool {
    do throws(WalletError) {
      try writer.transaction { () throws(WalletError) in
        for write in writes {
          write.outcome = Result { () throws(WalletError) in
            try writer.nested { () throws(WalletError) in try write.body(writer) }
          }
          guard writer.isInTransaction else { throw .closed }
        }
      }
      return true
    } catch {
      return false
    }
  }
}
