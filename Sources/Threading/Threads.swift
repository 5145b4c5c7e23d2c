internal import Glibc

/// The pool of threads behind the lanes.
///
/// A thread starts when a job arrives and none is idle, up to a limit, and leaves after ten idle seconds. A job may
/// therefore block, on a disk or in a caller's callback, without starving the others.
package final class Threads: @unchecked Sendable {
  package typealias Job = @Sendable () -> Void

  /// For jobs that never wait for the network.
  package static let shared = Threads(limit: 64)

  /// For jobs that may. A server that does not answer holds a thread for a minute, and a peer that names such servers can
  /// hold all of these. Jobs of the other kind find a thread all the same.
  package static let network = Threads(limit: 64)

  /// The bytes of stack that each thread has, independent of the system's default. The deepest use by far is to write and to
  /// release JSON of 100 levels, some 100 KB; the rest is for callers' callbacks.
  package static let stackSize = 1 << 20

  // Everything below is touched only while `mutex` is held: that is what makes the class Sendable.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let arrival = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var jobs = Queue<Job>()
  private var running = 0
  private var sleeping = 0
  private var finishing = 0
  // Threads on their way to the jobs, because they have just been started or woken, or have nothing else to do.
  private var starting = 0
  private var woken = 0
  private var searching = 0
  private let limit: Int

  /// The threads hold on to their pool: it ends when nobody else does and the last of them has left.
  package init(limit: Int) {
    self.limit = limit
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
  package func post(_ job: @escaping Job) {
    pthread_mutex_lock(mutex)
    jobs.append(job)
    if finishing > 0, !isAnyoneComing { letOthersRun() }
    unlockAndCall()
  }

  /// Sees to it that somebody comes for the jobs: one thread at a time, which calls the next one when it leaves jobs
  /// behind. Many jobs that are posted at once, and done at once, then need not wake many threads.
  private func unlockAndCall() {
    let isNeeded = !jobs.isEmpty && !isAnyoneComing
    let wakes = isNeeded && sleeping > 0
    let starts = isNeeded && sleeping == 0 && running < limit
    if wakes { woken += 1 }
    if starts { (running, starting) = (running + 1, starting + 1) }
    pthread_mutex_unlock(mutex)
    // After the unlock: the thread that wakes takes the mutex first of all.
    if wakes { pthread_cond_signal(arrival) }
    if starts { startThread() }
  }

  private var isAnyoneComing: Bool { starting + woken + searching > 0 }

  /// Runs the last part of a job, which is expected to be short: a callback. Who posts meanwhile, most likely because
  /// of it, lets this thread come for the next job by itself before another is woken.
  package func finish(_ body: () -> Void) {
    pthread_mutex_lock(mutex)
    finishing += 1
    pthread_mutex_unlock(mutex)
    body()
    pthread_mutex_lock(mutex)
    finishing -= 1
    pthread_mutex_unlock(mutex)
  }

  /// Called with the mutex, which is free meanwhile.
  private func letOthersRun() {
    pthread_mutex_unlock(mutex)
    Threads.yield()
    pthread_mutex_lock(mutex)
  }

  /// Whoever was called back may be about to post the next job: who does so finds this thread awake, and need not wake
  /// one.
  private func search() {
    searching += 1
    letOthersRun()
    searching -= 1
  }

  /// Lets others run that are ready to, before the calling thread goes on.
  package static func yield() { sched_yield() }

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

  /// No thread is to be had now: the running ones will come to the job. False with none running: the caller waits for the
  /// system then, because a job that is never run would be a callback that never comes.
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

  /// Waits for a job. Nil after ten seconds without one: the thread leaves.
  private func next() -> Job? {
    pthread_mutex_lock(mutex)
    var deadline = timespec()
    clock_gettime(CLOCK_MONOTONIC, &deadline)
    deadline.tv_sec += 10
    if jobs.isEmpty { search() }
    while true {
      if let job = jobs.popFirst() {
        unlockAndCall()
        return job
      }
      if !sleep(until: &deadline), jobs.isEmpty {
        running -= 1
        pthread_mutex_unlock(mutex)
        return nil
      }
    }
  }

  /// Sleeps, with the mutex free meanwhile, until it is called or `deadline` has passed; false then.
  private func sleep(until deadline: inout timespec) -> Bool {
    sleeping += 1
    let result = pthread_cond_timedwait(arrival, mutex, &deadline)
    sleeping -= 1
    // Whichever thread comes first, one that was called or not, comes for the job.
    if woken > 0 { woken -= 1 }
    return result != ETIMEDOUT
  }
}
