internal import Threading

/// Deliveries to receivers that may be slow. Each target and each account has only a few running deliveries. Accounts
/// take turns, and an account without a running delivery comes first. A receiver that does not answer therefore delays
/// only its own deliveries.
final class DeliveryQueue: Sendable {
  /// Begins a delivery, and calls `finish` when it has ended. It may block one of the queue's threads.
  typealias Errand = @Sendable (_ finish: @escaping @Sendable () -> Void) -> Void

  /// The highest numbers of running and of waiting deliveries. An account without a waiting delivery always finds room
  /// for one.
  struct Limits: Sendable {
    var threads = 64
    var underway = 64
    var perTarget = 4
    var perAccount = 8
    var room = 10_000
    var roomPerTarget = 1000
    var roomPerAccount = 1000
  }

  fileprivate struct State {
    /// The waiting deliveries, by account. An account without waiting deliveries has no entry.
    var lines: [Int64?: [Delivery]] = [:]
    /// The accounts with waiting deliveries: newcomers, which have no running delivery, come first. Each list is in the
    /// order of the turns.
    var newcomers: [Int64?] = []
    var turns: [Int64?] = []
    /// The numbers of waiting deliveries by target, and of all.
    var waitingTo: [String: Int] = [:]
    var waiting = 0
    /// The numbers of running deliveries by target, by account, and of all.
    var runningTo: [String: Int] = [:]
    var runningOf: [Int64: Int] = [:]
    var underway = 0
    var isStopped = false
  }

  fileprivate struct Delivery {
    let target: String
    /// Nil for a delivery of the agency itself, to which the limits of accounts do not apply.
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

  /// Runs `errand` on a thread of the queue when the limits permit it. Returns false, and drops the delivery, if too many
  /// wait already or the queue was stopped.
  @discardableResult
  func send(to target: String, of account: Int64? = nil, starting errand: @escaping Errand) -> Bool {
    let delivery = Delivery(target: target, account: account, errand: errand)
    let starts = state.withLock { state -> [Delivery]? in
      guard !state.isStopped, state.hasRoom(for: delivery, limits) else { return nil }
      state.append(delivery)
      return state.takeStartable(limits)
    }
    starts?.forEach(run)
    return starts != nil
  }

  /// Runs a delivery that ends when `errand` returns.
  @discardableResult
  func send(to target: String, of account: Int64? = nil, _ errand: @escaping @Sendable () -> Void) -> Bool {
    send(to: target, of: account) { finish in
      errand()
      finish()
    }
  }

  private func run(_ delivery: Delivery) {
    threads.post { delivery.errand { self.finish(delivery) } }
  }

  private func finish(_ delivery: Delivery) {
    let starts = state.withLock { state in
      state.remove(delivery)
      return state.takeStartable(limits)
    }
    starts.forEach(run)
  }

  /// Drops the waiting deliveries, and returns when none runs any more. A delivery must not call it.
  func stop() {
    state.withLock { state in
      state.isStopped = true
      (state.lines, state.newcomers, state.turns) = ([:], [], [])
      (state.waitingTo, state.waiting) = ([:], 0)
    }
    state.wait { $0.underway == 0 ? () : nil }
  }
}

extension DeliveryQueue.State {
  fileprivate func hasRoom(for delivery: DeliveryQueue.Delivery, _ limits: DeliveryQueue.Limits) -> Bool {
    let own = lines[delivery.account]?.count ?? 0
    if canStart(delivery, limits) || (own == 0 && delivery.account != nil) { return true }
    let isAccountFull = delivery.account != nil && own >= limits.roomPerAccount
    return !isAccountFull && waiting < limits.room && waitingTo[delivery.target] ?? 0 < limits.roomPerTarget
  }

  private func canStart(_ delivery: DeliveryQueue.Delivery, _ limits: DeliveryQueue.Limits) -> Bool {
    underway < limits.underway && !isFull(delivery.account, limits)
      && runningTo[delivery.target] ?? 0 < limits.perTarget
  }

  private func isFull(_ account: Int64?, _ limits: DeliveryQueue.Limits) -> Bool {
    account.map { runningOf[$0] ?? 0 >= limits.perAccount } ?? false
  }

  fileprivate mutating func append(_ delivery: DeliveryQueue.Delivery) {
    if lines[delivery.account] == nil {
      let isBusy = delivery.account.map { runningOf[$0] != nil } ?? true
      if isBusy { turns.append(delivery.account) } else { newcomers.append(delivery.account) }
    }
    lines[delivery.account, default: []].append(delivery)
    waitingTo[delivery.target, default: 0] += 1
    waiting += 1
  }

  /// Removes the deliveries that can start now from the waiting ones, and counts them as running.
  fileprivate mutating func takeStartable(_ limits: DeliveryQueue.Limits) -> [DeliveryQueue.Delivery] {
    var starts: [DeliveryQueue.Delivery] = []
    while let next = nextStartable(limits) {
      starts.append(take(next.index, of: next.account))
    }
    return starts
  }

  /// The place of the next delivery in the line of its account, which is the first account that may start one.
  private func nextStartable(_ limits: DeliveryQueue.Limits) -> (account: Int64?, index: Int)? {
    guard underway < limits.underway else { return nil }
    for accounts in [newcomers, turns] {
      for account in accounts where !isFull(account, limits) {
        let index = lines[account]?.firstIndex { canStart($0, limits) }
        if let index { return (account, index) }
      }
    }
    return nil
  }

  private mutating func take(_ index: Int, of account: Int64?) -> DeliveryQueue.Delivery {
    var line = lines.removeValue(forKey: account) ?? []
    let delivery = line.remove(at: index)
    newcomers.removeAll { $0 == account }
    turns.removeAll { $0 == account }
    if !line.isEmpty {
      lines[account] = line
      turns.append(account)
    }
    waitingTo.add(-1, to: delivery.target)
    waiting -= 1
    runningTo.add(1, to: delivery.target)
    if let account { runningOf.add(1, to: account) }
    underway += 1
    return delivery
  }

  /// Counts the end of a running delivery.
  fileprivate mutating func remove(_ delivery: DeliveryQueue.Delivery) {
    runningTo.add(-1, to: delivery.target)
    if let account = delivery.account { runningOf.add(-1, to: account) }
    underway -= 1
  }
}

extension Dictionary where Value == Int {
  /// Changes a number, and forgets it when it is zero.
  fileprivate mutating func add(_ number: Int, to key: Key) {
    let sum = (self[key] ?? 0) + number
    self[key] = sum == 0 ? nil : sum
  }
}
