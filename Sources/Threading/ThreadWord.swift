internal import Platform

/// A number that each thread has for itself; 0 at first.
package struct ThreadWord: Sendable {
  private let key: pthread_key_t

  package init() {
    var key = pthread_key_t()
    let result = pthread_key_create(&key, nil)
    precondition(result == 0, "the process has no thread-specific keys left")
    self.key = key
  }

  /// The number of the calling thread.
  package var value: UInt { UInt(bitPattern: pthread_getspecific(key)) }

  package func set(_ value: UInt) { pthread_setspecific(key, UnsafeRawPointer(bitPattern: value)) }
}
