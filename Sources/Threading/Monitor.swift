internal import Platform

/// A value that only one thread at a time can reach, and whose changes other threads can wait for.
package final class Monitor<Value>: @unchecked Sendable {
  // `value` is touched only while `mutex` is held, so the class is Sendable.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let change = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  @exclusivity(unchecked) private var value: Value  // the mutex guards it

  package init(_ value: sending Value) {
    self.value = value
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
    change.initialize(to: pthread_cond_t())
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(change, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(change)
    pthread_mutex_destroy(mutex)
    change.deallocate()
    mutex.deallocate()
  }

  /// Passes the value to `body`, then wakes the threads that wait for a change.
  package func withLock<Result>(_ body: (inout sending Value) -> sending Result) -> sending Result {
    pthread_mutex_lock(mutex)
    defer {
      pthread_mutex_unlock(mutex)
      pthread_cond_broadcast(change)  // after the unlock: woken threads take the mutex first
    }
    return body(&value)
  }

  /// Passes the value to `body`, now and after each change, until it returns a result.
  package func wait<Result>(for body: (inout sending Value) -> sending Result?) -> sending Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result = body(&value) { return result }
      pthread_cond_wait(change, mutex)
    }
  }

  /// Waits for at most `milliseconds`. Returns nil when they have passed.
  package func wait<Result>(
    milliseconds: Int, for body: (inout sending Value) -> sending Result?
  ) -> sending Result? {
    var deadline = MonotonicTime.now.after(milliseconds: milliseconds).value
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result = body(&value) { return result }
      if pthread_cond_timedwait(change, mutex, &deadline) == ETIMEDOUT { return body(&value) }
    }
  }
}
