internal import Platform
internal import Synchronization

/// The pool of threads behind the lanes.
///
/// If a job arrives and no thread is idle, the pool starts a thread, up to a limit. A thread ends after ten idle
/// seconds. A job may therefore block, on a disk or in a caller's callback, without delaying the others.
package final class Threads: @unchecked Sendable {
  package typealias Job = @Sendable () -> Void

  /// For jobs that never wait for the network.
  package static let shared = forLocalWork()

  /// For jobs that may wait for the network. A server that does not answer holds a thread for a minute, and a peer that
  /// names such servers can hold all threads of this pool. Other jobs still find a thread.
  package static let network = forNetwork()

  /// For jobs that make keys, which take seconds. Few run at a time, so that they leave processors to other jobs. A
  /// callback that waits for another such job must not hold one of these threads.
  package static let makingKeys = forMakingKeys()

  /// Further threads for jobs like those of `shared`.
  package static func forLocalWork() -> Threads { Threads(limit: 64) }

  /// Further threads for jobs like those of `network`.
  package static func forNetwork() -> Threads { Threads(limit: 64) }

  /// Further threads for jobs like those of `makingKeys`.
  package static func forMakingKeys() -> Threads { Threads(limit: 2, runsCallbacks: false) }

  /// The stack size of each thread in bytes, independent of the system's default. By far the deepest use is to write
  /// and release JSON of 100 levels, which takes about 100 KB; the rest is for callers' callbacks.
  package static let stackSize = 1 << 20

  // Everything below is touched only while `mutex` is held, so the class is Sendable.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let arrival = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  @exclusivity(unchecked) private var jobs = Queue<Job>()
  private var running = 0
  private var sleeping = 0
  // Threads on their way to the jobs: just started or woken, or without a job.
  private var starting = 0
  private var woken = 0
  private var searching = 0
  private let limit: Int
  /// Whether the callback of a job may run on the job's own thread.
  package let runsCallbacks: Bool

  /// The threads that run the last part of a job.
  private let finishing = Atomic(0)

  /// The threads keep their pool alive: it ends when nothing else refers to it and its last thread has ended.
  package init(limit: Int, runsCallbacks: Bool = true) {
    self.limit = limit
    self.runsCallbacks = runsCallbacks
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
    arrival.initialize(to: pthread_cond_t())
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(arrival, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(arrival)
    pthread_mutex_destroy(mutex)
    arrival.deallocate()
    mutex.deallocate()
  }

  /// Runs `job` on a thread of the pool, after the jobs that were posted before it have started.
  ///
  /// A caller that was called back often posts its next job while that callback's thread is still finishing. If this
  /// thread runs first, no other needs to wake: a call and its callback take 9 µs of the processor instead of 13.
  package func post(_ job: @escaping Job) {
    pthread_mutex_lock(mutex)
    jobs.append(job)
    if finishing.load(ordering: .relaxed) > 0, !isAnyoneComing { letOthersRun() }
    unlockAndCall()
  }

  /// Ensures that a thread takes the jobs. It wakes one thread, which wakes the next if it leaves jobs behind, so that
  /// many short jobs that are posted at once wake few threads.
  private func unlockAndCall() {
    let isNeeded = !jobs.isEmpty && !isAnyoneComing
    let wakes = isNeeded && sleeping > 0
    let starts = isNeeded && sleeping == 0 && running < limit
    if wakes { woken += 1 }
    if starts { (running, starting) = (running + 1, starting + 1) }
    pthread_mutex_unlock(mutex)
    // The mutex is unlocked first, because the woken thread takes it.
    if wakes { pthread_cond_signal(arrival) }
    if starts { startThread() }
  }

  private var isAnyoneComing: Bool { starting + woken + searching > 0 }

  /// Runs the last part of a job, which should be short: a callback. A job that is posted meanwhile, most likely by the
  /// callback, waits a moment for this thread before another thread is woken.
  package func finish(_ body: () -> Void) {
    finishing.add(1, ordering: .relaxed)
    body()
    finishing.subtract(1, ordering: .relaxed)
  }

  /// Called with the mutex held; releases it meanwhile.
  private func letOthersRun() {
    pthread_mutex_unlock(mutex)
    Threads.yield()
    pthread_mutex_lock(mutex)
  }

  /// Lets the caller that was called back post its next job before this thread sleeps: the job then finds a thread that
  /// is awake. With callers on another processor a call and its callback take 10 µs instead of 20 to 50.
  private func search() {
    searching += 1
    letOthersRun()
    searching -= 1
  }

  /// Lets other ready threads run before the calling thread continues, unless other programs keep the processor busy.
  package static func yield() {
    let start = MonotonicTime.now.nanoseconds
    guard yieldPause.withLock({ $0.permitsYield(at: start) }) else { return }
    sched_yield()
    let end = MonotonicTime.now.nanoseconds
    yieldPause.withLock { $0.noteYield(from: start, to: end) }
  }

  private static let yieldPause = Locked(YieldPause())

  private func startThread() {
    while !createThread() {
      if leaveToOthers() { return }
      usleep(1000)
    }
  }

  private func createThread() -> Bool {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    pthread_attr_setstacksize(&attributes, Self.stackSize)
    defer { pthread_attr_destroy(&attributes) }
    var thread = pthread_t()
    let context = Unmanaged.passRetained(self).toOpaque()
    let result = pthread_create(
      &thread, &attributes,
      { context in
        guard let context else { return nil }
        Unmanaged<Threads>.fromOpaque(context).takeRetainedValue().work()
        return nil
      }, context)
    if result != 0 { Unmanaged<Threads>.fromOpaque(context).release() }
    return result == 0
  }

  /// No thread can be started now, so a running thread will take the job. Returns false if none runs: the caller then
  /// waits for the system, because a job that never runs would be a callback that never comes.
  private func leaveToOthers() -> Bool {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    guard running > 1 else { return false }
    (running, starting) = (running - 1, starting - 1)
    return true
  }

  private func work() {
    pthread_mutex_lock(mutex)
    starting -= 1
    pthread_mutex_unlock(mutex)
    while let job = next() { job() }
  }

  /// Waits for a job. Returns nil after ten seconds without one: the thread then ends.
  private func next() -> Job? {
    pthread_mutex_lock(mutex)
    if jobs.isEmpty { search() }
    // The thread reads the clock only before it sleeps. Reading it for each job would take a thirtieth of a short call.
    var deadline: MonotonicTime?
    while true {
      if let job = jobs.popFirst() {
        unlockAndCall()
        return job
      }
      let end = deadline ?? MonotonicTime.now.after(milliseconds: 10_000)
      deadline = end
      if !sleep(until: end), jobs.isEmpty {
        running -= 1
        pthread_mutex_unlock(mutex)
        return nil
      }
    }
  }

  /// Sleeps, with the mutex released, until it is signalled or `deadline` has passed. Returns false if the deadline has
  /// passed.
  private func sleep(until deadline: MonotonicTime) -> Bool {
    var deadline = deadline.value
    sleeping += 1
    let result = pthread_cond_timedwait(arrival, mutex, &deadline)
    sleeping -= 1
    // Any thread may take the job, signalled or not.
    if woken > 0 { woken -= 1 }
    return result != ETIMEDOUT
  }
}
