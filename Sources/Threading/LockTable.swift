/// A lock for each key.
package final class LockTable<Key: Hashable & Sendable>: Sendable {
  private let held = Monitor<Set<Key>>([])

  package init() {}

  /// Runs `body` while this thread holds the lock of `key`. The lock is not recursive.
  package func withLock<Result, Failure: Error>(
    of key: Key, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    held.wait { held -> Void? in held.insert(key).inserted ? () : nil }
    defer { held.withLock { held in _ = held.remove(key) } }
    return try body()
  }
}
