internal import Threading

/// Threads for errands to others who may be slow. Each target has a few of them at most, and so has each account: a
/// receiver that does not answer delays only its own errands, and an account with many targets takes nobody's threads.
final class DeliveryQueue: Sendable {
  typealias Errand = @Sendable () -> Void

  /// Most errands underway and most that wait.
  struct Limits: Sendable {
    var threads = 64
    var perTarget = 4
    var perAccount = 8
    var room = 10_000
    var roomPerTarget = 1000
  }

  private struct Waiting {
    let account: Int64?
    let errand: Errand
  }

  private struct Line {
    var underway = 0
    var waiting: [Waiting] = []
  }

  private struct State {
    /// By target; only those with errands.
    var lines: [String: Line] = [:]
    /// By account, how many are underway.
    var accounts: [Int64: Int] = [:]
    var waiting = 0
    var underway = 0
    var isStopped = false
  }

  private struct Start {
    let target: String
    let account: Int64?
    let errand: Errand
  }

  private let threads: Threads
  private let limits: Limits
  private let state = Monitor(State())

  init(_ limits: Limits = Limits()) {
    threads = Threads(limit: limits.threads)
    self.limits = limits
  }

  /// Runs `errand` when those to the same target that came before it, and those of the same account, leave a courier
  /// free. When too many wait already, and after `stop`, it is dropped. Returns whether it was taken.
  @discardableResult
  func send(to target: String, of account: Int64? = nil, _ errand: @escaping Errand) -> Bool {
    let starts = state.withLock { state -> [Start]? in
      let count = state.lines[target]?.waiting.count ?? 0
      let startsAtOnce = hasRoom(target, account, state)
      guard !state.isStopped, startsAtOnce || count < limits.roomPerTarget && state.waiting < limits.room else {
        return nil
      }
      state.lines[target, default: Line()].waiting.append(Waiting(account: account, errand: errand))
      state.waiting += 1
      return startable(to: target, &state)
    }
    starts?.forEach(run)
    return starts != nil
  }

  private func hasRoom(_ target: String, _ account: Int64?, _ state: State) -> Bool {
    let isAccountFree = account.map { state.accounts[$0] ?? 0 < limits.perAccount } ?? true
    return isAccountFree && state.lines[target]?.underway ?? 0 < limits.perTarget
  }

  /// Takes those out of a target's line that can start now: the first ones whose accounts have deliveries left.
  private func startable(to target: String, _ state: inout State) -> [Start] {
    var starts: [Start] = []
    while let line = state.lines[target], line.underway < limits.perTarget,
      let index = line.waiting.firstIndex(where: { hasRoom(target, $0.account, state) })
    {
      let next = line.waiting[index]
      state.lines[target]?.waiting.remove(at: index)
      state.lines[target]?.underway += 1
      if let account = next.account { state.accounts[account, default: 0] += 1 }
      state.waiting -= 1
      state.underway += 1
      starts.append(Start(target: target, account: next.account, errand: next.errand))
    }
    return starts
  }

  /// The next errands go to the end of the threads' queue, so that targets take turns when there are many.
  private func run(_ start: Start) {
    threads.post {
      start.errand()
      self.finish(start).forEach(self.run)
    }
  }

  /// An errand is over. Returns the errands that take its place, at the target and in the account.
  private func finish(_ done: Start) -> [Start] {
    state.withLock { state in
      state.underway -= 1
      state.lines[done.target]?.underway -= 1
      var starts: [Start] = []
      if let account = done.account {
        let wasFull = state.accounts[account] == limits.perAccount
        state.accounts[account]? -= 1
        if state.accounts[account] == 0 { state.accounts[account] = nil }
        if wasFull {
          let targets = state.lines.filter { $0.value.waiting.contains { $0.account == account } }.map(\.key)
          for target in targets { starts += startable(to: target, &state) }
        }
      }
      starts += startable(to: done.target, &state)
      if let line = state.lines[done.target], line.underway == 0, line.waiting.isEmpty {
        state.lines[done.target] = nil
      }
      return starts
    }
  }

  /// Drops what waits, and returns when nothing is underway any more. Not to be called by an errand.
  func stop() {
    state.withLock { state in
      state.isStopped = true
      state.waiting = 0
      for target in state.lines.keys { state.lines[target]?.waiting = [] }
    }
    state.wait { $0.underway == 0 ? () : nil }
  }
}
