/// A value that operations visit one at a time, in the order they were posted, each with exclusive access.
///
/// Waiting in a lane costs no thread.
package final class Lane<Value>: @unchecked Sendable {
  /// Works on the value and returns what to do once the value is free again.
  package typealias Job = @Sendable (inout Value) -> @Sendable () -> Void

  private var value: Value  // touched only by the job that is running: that is what makes the class Sendable
  private let waiting = Locked(Waiting())

  private struct Waiting {
    var jobs = Queue<(threads: Threads, job: Job)>()
    var isRunning = false
  }

  package init(_ value: sending Value) { self.value = value }

  /// Has a thread of `threads` run the job when its turn has come.
  package func post(on threads: Threads = .shared, _ job: @escaping Job) {
    let isFirst = waiting.withLock { state in
      state.jobs.append((threads, job))
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if isFirst { threads.post { self.run() } }
  }

  /// Reads the value at once where no operation runs or waits; nil otherwise. Nothing can be posted meanwhile, so `read`
  /// has to be quick.
  package func peek<Result>(_ read: (Value) -> Result) -> Result? {
    waiting.withLock { state in state.isRunning ? nil : read(value) }
  }

  /// Runs one job. The next may start on another thread before this one's callback returns, so that a callback can
  /// wait for an operation on its own object.
  private func run() {
    guard let (_, job) = waiting.withLock({ $0.jobs.popFirst() }) else { return }
    let finish = job(&value)
    let next = waiting.withLock { state in
      let next = state.jobs.first?.threads
      state.isRunning = next != nil
      return next
    }
    next?.post { self.run() }
    finish()
  }
}
