internal import Glibc

/// Something that can wait until its thread has nothing else to do. It has to be quick: no other thread is called for the
/// jobs that come meanwhile.
package protocol IdleWork: AnyObject, Sendable {
  func doIdleWork()
}

extension Threads {
  /// Has the calling thread do `work` once, when it finds no job. False, and nothing will be done, on a thread that
  /// belongs to no pool.
  package static func whenIdle(_ work: any IdleWork) -> Bool {
    guard let idle = IdleList.ofThread else { return false }
    idle.add(work)
    return true
  }

  /// Does what waits for the calling thread to be idle: for a job that never ends, and is idle between its rounds.
  static func doIdleWork() { IdleList.ofThread?.doAll() }
}

/// What a thread does when it has nothing else to do.
final class IdleList {
  private var works: [any IdleWork] = []

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    let status = pthread_key_create(&key, nil)
    precondition(status == 0, "a process has room for another key")
    return key
  }()

  static var ofThread: IdleList? {
    pthread_getspecific(key).map { Unmanaged<IdleList>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Gives the calling thread a list while `body` runs.
  static func inThread(_ body: (IdleList) -> Void) {
    let list = IdleList()
    pthread_setspecific(key, Unmanaged.passUnretained(list).toOpaque())
    body(list)
    pthread_setspecific(key, nil)
  }

  var isEmpty: Bool { works.isEmpty }

  func add(_ work: any IdleWork) {
    if !works.contains(where: { $0 === work }) { works.append(work) }
  }

  func doAll() {
    let due = works
    works = []
    for work in due { work.doIdleWork() }
  }
}
