internal import Threading

/// Threads for deliveries to receivers that may be slow. Each target may use a few of them, and so may each account. A
/// receiver that does not answer delays its own deliveries only, and an account with many targets leaves threads for others.
final class DeliveryQueue: Sendable {
  typealias Errand = @Sendable () -> Void

  /// The highest numbers of deliveries that run and that wait.
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
    /// By target; without targets that have no deliveries.
    var lines: [String: Line] = [:]
    /// The number of running deliveries, by account.
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

  /// Runs `errand` when earlier deliveries to the target, and others of the account, leave a thread free. Returns false,
  /// and drops the delivery, if too many wait already or the queue was stopped.
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

  /// Removes the deliveries from a target's line that can start now: the first ones whose accounts may run another.
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

  /// The next deliveries go to the end of the threads' queue, so that many targets take turns.
  private func run(_ start: Start) {
    threads.post {
      start.errand()
      self.finish(start).forEach(self.run)
    }
  }

  /// Counts the end of a delivery. Returns the deliveries that take its place, at the target and in the account.
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

  /// Drops the waiting deliveries, and returns when none runs any more. A delivery must not call it.
  func stop() {
    state.withLock { state in
      state.isStopped = true
      state.waiting = 0
      for target in state.lines.keys { state.lines[target]?.waiting = [] }
    }
    state.wait { $0.underway == 0 ? () : nil }
  }
}
