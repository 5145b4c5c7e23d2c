/// A value on which operations run one at a time, in the order they were posted, each with exclusive access.
///
/// Waiting in a lane costs no thread.
package final class Lane<Value>: @unchecked Sendable {
  /// Works on the value and returns what to do once the value is free again.
  package typealias Job = @Sendable (inout Value) -> @Sendable () -> Void

  private var value: Value  // touched only by the running job, so the class is Sendable
  private let state = Locked(State())

  private struct State {
    var places = Queue<Place>()
    /// The jobs of the places that have one.
    var jobs: [UInt64: Job] = [:]
    var lastPlace: UInt64 = 0
    var isRunning = false

    mutating func addPlace(on threads: Threads) -> UInt64 {
      lastPlace += 1
      places.append(Place(number: lastPlace, threads: threads))
      return lastPlace
    }

    /// The pool for the next job, if one can run. From then on the job counts as running.
    mutating func startNext() -> Threads? {
      guard !isRunning, let next = places.first, jobs[next.number] != nil else { return nil }
      isRunning = true
      return next.threads
    }
  }

  private struct Place {
    let number: UInt64
    let threads: Threads
  }

  package init(_ value: sending Value) { self.value = value }

  /// Runs the job on a thread of `threads` when its turn comes.
  package func post(on threads: Threads = .shared, _ job: @escaping Job) {
    run(
      on: state.withLock { state in
        state.jobs[state.addPlace(on: threads)] = job
        return state.startNext()
      })
  }

  /// Reserves a place in the order for a later job. The caller must call the returned function with the job once: later
  /// jobs wait for it.
  package func reserve(on threads: Threads = .shared) -> @Sendable (@escaping Job) -> Void {
    let place = state.withLock { $0.addPlace(on: threads) }
    return { job in
      self.run(
        on: self.state.withLock { state in
          state.jobs[place] = job
          return state.startNext()
        })
    }
  }

  /// Reads the value at once if no operation runs or waits; returns nil otherwise. Nothing can be posted meanwhile, so
  /// `read` must be quick.
  package func peek<Result>(_ read: (Value) -> Result) -> Result? {
    state.withLock { state in state.isRunning || !state.places.isEmpty ? nil : read(value) }
  }

  private func run(on threads: Threads?) { threads?.post { self.runNext() } }

  /// Runs one job. The next may start on another thread before this one's callback returns, so that a callback can
  /// wait for an operation on its own object.
  private func runNext() {
    let job = state.withLock { state in state.places.popFirst().flatMap { state.jobs.removeValue(forKey: $0.number) } }
    guard let job else { return }
    let finish = job(&value)
    run(
      on: state.withLock { state in
        state.isRunning = false
        return state.startNext()
      })
    finish()
  }
}
