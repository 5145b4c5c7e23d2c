internal import Threading

/// Threads for errands to others who may be slow. Each target has a few of them at most: one that does not answer holds
/// up only what is for it.
final class Couriers: Sendable {
  typealias Errand = @Sendable () -> Void

  private struct Line {
    var underway = 0
    var waiting = Queue<Errand>()
  }

  private struct State {
    /// By target; only those that something is underway to.
    var lines: [String: Line] = [:]
    var waiting = 0
    var isStopped = false
  }

  /// Most errands at a time, to all targets and to one.
  private let threads: Threads
  private let perTarget: Int

  /// Most errands that wait, for all targets and for one.
  private let room: Int
  private let roomPerTarget: Int
  private let state = Monitor(State())

  init(threads: Int = 64, perTarget: Int = 4, room: Int = 10_000, roomPerTarget: Int = 1000) {
    self.threads = Threads(limit: threads)
    self.perTarget = perTarget
    self.room = room
    self.roomPerTarget = roomPerTarget
  }

  /// Runs `errand` when those to the same target that came before it leave a courier free. When too many wait already,
  /// and after `stop`, it is dropped. Returns whether it was taken.
  @discardableResult
  func send(to target: String, _ errand: @escaping Errand) -> Bool {
    let (starts, isTaken) = state.withLock { state in
      guard !state.isStopped else { return (false, false) }
      var line = state.lines[target] ?? Line()
      let starts = line.underway < perTarget
      let waits = !starts && line.waiting.count < roomPerTarget && state.waiting < room
      if starts { line.underway += 1 }
      if waits {
        line.waiting.append(errand)
        state.waiting += 1
      }
      state.lines[target] = line
      return (starts, starts || waits)
    }
    if starts { run(errand, target) }
    return isTaken
  }

  /// The next errand goes to the end of the threads' queue, so that targets take turns when there are many.
  private func run(_ errand: @escaping Errand, _ target: String) {
    threads.post {
      errand()
      if let next = self.finish(target) { self.run(next, target) }
    }
  }

  /// An errand to the target is over. Returns the one that takes its place.
  private func finish(_ target: String) -> Errand? {
    state.withLock { state in
      guard var line = state.lines[target] else { return nil }
      let next = line.waiting.popFirst()
      if next == nil { line.underway -= 1 } else { state.waiting -= 1 }
      state.lines[target] = line.underway > 0 ? line : nil
      return next
    }
  }

  /// Drops what waits, and returns when nothing is underway any more. Not to be called by an errand.
  func stop() {
    state.withLock { state in
      state.isStopped = true
      state.waiting = 0
      for target in state.lines.keys { state.lines[target]?.waiting = Queue() }
    }
    state.wait { $0.lines.isEmpty ? () : nil }
  }
}
