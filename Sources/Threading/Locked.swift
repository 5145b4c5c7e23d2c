internal import Platform

/// A value that only one thread at a time can reach.
///
/// It uses `pthread_mutex_t` rather than the standard `Mutex`: on Linux the thread sanitizer cannot see `Mutex` and
/// reports every access that it protects. `Value` must not be empty, such as `()`: the sanitizer confuses an empty
/// value with the object's own header, and reports a race.
package final class Locked<Value>: @unchecked Sendable {
  // `value` is touched only while `mutex` is held, so the class is Sendable.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  @exclusivity(unchecked) private var value: Value  // the mutex guards it

  package init(_ value: sending Value) {
    self.value = value
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  package func withLock<Result, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }
}
