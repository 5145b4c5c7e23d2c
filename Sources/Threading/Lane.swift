/// A value on which operations run one at a time, in the order in which they were posted, each with exclusive access.
///
/// Waiting in a lane costs no thread.
package final class Lane<Value>: @unchecked Sendable {
  /// Works on the value and returns the work to do once the value is free again.
  package typealias Job = @Sendable (inout Value) -> @Sendable () -> Void

  @exclusivity(unchecked) private var value: Value  // touched only by the running job, so the class is Sendable
  private let order = JobOrder()

  package init(_ value: sending Value) { self.value = value }

  /// Runs the job on a thread of `threads` when its turn comes.
  package func post(on threads: Threads = .shared, _ job: @escaping Job) {
    order.post(on: threads) { job(&self.value) }
  }

  /// Reserves a place in the order for a later job. The caller must call the returned function with the job once: later
  /// jobs wait for it.
  package func reserve(on threads: Threads = .shared) -> @Sendable (@escaping Job) -> Void {
    let fill = order.reserve(on: threads)
    return { job in fill { job(&self.value) } }
  }

  /// Reads the value immediately if no operation runs or waits; returns nil otherwise. Nothing can be posted meanwhile,
  /// so `read` must be quick.
  package func peek<Result>(_ read: (Value) -> Result) -> Result? { order.whileIdle { read(value) } }
}
