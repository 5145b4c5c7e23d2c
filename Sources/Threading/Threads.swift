internal import Glibc

/// The pool of threads behind the lanes.
///
/// A thread starts when a job arrives and none is idle, up to a limit, and leaves after ten idle seconds. A job may
/// therefore block, on the network or in a caller's callback, without starving the others.
package final class Threads: @unchecked Sendable {
  package typealias Job = @Sendable () -> Void

  package static let shared = Threads(limit: 64)

  // Everything below is touched only while `mutex` is held: that is what makes the class Sendable.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let arrival = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var jobs = Queue<Job>()
  private var idle = 0
  private var searching = 0
  private var finishing = 0
  private var running = 0
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
    if finishing > 0 { letOthersRun() }
    let isWaiting = jobs.count > searching
    let needsThread = jobs.count > idle && running < limit
    if needsThread { running += 1 }
    pthread_mutex_unlock(mutex)
    // After the unlock: the thread that wakes takes the mutex first of all.
    if isWaiting { pthread_cond_signal(arrival) }
    if needsThread { startThread() }
  }

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
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
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
    guard result != 0 else { return }
    // No thread to be had now: the running ones will come to this job. With none running, the caller waits for the
    // system, because a job that is never run would be a callback that never comes.
    Unmanaged<Threads>.fromOpaque(context).release()
    pthread_mutex_lock(mutex)
    running -= 1
    let isAlone = running == 0
    if isAlone { running += 1 }
    pthread_mutex_unlock(mutex)
    guard isAlone else { return }
    usleep(1000)
    startThread()
  }

  private func work() {
    while let job = next() { job() }
  }

  /// Waits for a job. Nil after ten seconds without one: the thread leaves.
  private func next() -> Job? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    var deadline = timespec()
    clock_gettime(CLOCK_MONOTONIC, &deadline)
    deadline.tv_sec += 10
    idle += 1
    defer { idle -= 1 }
    if jobs.isEmpty { search() }
    while true {
      if let job = jobs.popFirst() { return job }
      if pthread_cond_timedwait(arrival, mutex, &deadline) == ETIMEDOUT, jobs.isEmpty {
        running -= 1
        return nil
      }
    }
  }
}
