/// Runs jobs one at a time, in the order of their places. Waiting costs no thread.
///
/// A job order does not depend on the type of the lane's value, so that the compiler makes code for one type: code for
/// any type would take longer than the jobs of most calls.
struct JobOrder: Sendable {
  /// Works, and returns the work to do once the next job may run.
  typealias Job = @Sendable () -> @Sendable () -> Void

  private let state = Locked(State())

  private struct State {
    var places = Queue<Place>()
    /// The number of all places so far.
    var count = 0
    var isRunning = false

    /// Returns the number of the place.
    mutating func addPlace(_ place: Place) -> Int {
      places.append(place)
      count += 1
      return count
    }

    mutating func fill(_ number: Int, with job: @escaping Job) { places[number - 1 - (count - places.count)].job = job }

    /// The pool for the next job, if a job can run. The job then counts as running.
    mutating func startNext() -> Threads? {
      guard !isRunning, let next = places.first, next.job != nil else { return nil }
      isRunning = true
      return next.threads
    }
  }

  private struct Place {
    let threads: Threads
    /// Nil until a reserved place gets its job.
    var job: Job?
  }

  func post(on threads: Threads, _ job: @escaping Job) {
    run(
      on: state.withLock { state in
        _ = state.addPlace(Place(threads: threads, job: job))
        return state.startNext()
      })
  }

  /// Returns a function that receives the job of the place. Later jobs wait for it.
  func reserve(on threads: Threads) -> @Sendable (@escaping Job) -> Void {
    let number = state.withLock { $0.addPlace(Place(threads: threads)) }
    return { job in
      self.run(
        on: self.state.withLock { state in
          state.fill(number, with: job)
          return state.startNext()
        })
    }
  }

  /// Runs `read` at once if no job runs or waits; returns nil otherwise. No job starts meanwhile.
  func whileIdle<Result>(_ read: () -> Result) -> Result? {
    state.withLock { state in state.isRunning || !state.places.isEmpty ? nil : read() }
  }

  private func run(on threads: Threads?) { threads?.post { self.runNext() } }

  /// Runs one job. The next job may start on another thread before this job's last part returns, so that a callback can
  /// wait for an operation on its own object.
  private func runNext() {
    guard let job = state.withLock({ $0.places.popFirst() })?.job else { return }
    let finish = job()
    run(
      on: state.withLock { state in
        state.isRunning = false
        return state.startNext()
      })
    finish()
  }
}
