internal import HTTP
internal import Threading

/// Tells sponsors and owners' programs of new messages: soon, beside the delivery that caused it, and again when they
/// do not answer. What is not settled when the agency ends is due when it starts.
final class Notifier: Sendable {
  private let storage: any Storage
  private let admission: Admission
  private let clock: Clock
  private let metrics: Metrics
  private let log: EventLog
  private let sponsors = HTTPClient(timeout: 5, maximumBody: 64 << 10)
  private let webhooks: HTTPClient
  private let pool = Threads(limit: 16)
  private let underway = Monitor(0)
  private let ticker = Locked<Ticker?>(nil)

  /// Seconds from one attempt to the next; after the last there is none.
  private static let pauses: [Int64] = [1, 10, 60]

  /// Longer than an attempt takes.
  private static let lease: Int64 = 30

  /// Most that are underway at a time.
  private static let capacity = 128

  init(
    storage: any Storage, rules: Agency.Rules, clock: @escaping Clock, metrics: Metrics, log: @escaping EventLog
  ) {
    self.storage = storage
    admission = rules.admission
    self.clock = clock
    self.metrics = metrics
    self.log = log
    webhooks = HTTPClient(
      timeout: 5, maximumBody: 64 << 10, reach: rules.callsPrivateWebhooks ? .anywhere : .publicAddresses)
  }

  func start() {
    let started = Ticker(every: 1000) { [weak self] in self?.sendDue() }
    ticker.withLock { $0 = started }
  }

  /// There is something new.
  func hurry() { ticker.withLock { $0 }?.hurry() }

  /// Waits for the attempts that are underway.
  func stop() {
    ticker.withLock { $0 }?.stop()
    underway.wait { $0 == 0 ? () : nil }
  }

  private func sendDue() {
    let free = Self.capacity - underway.withLock { $0 }
    guard free > 0 else { return }
    do {
      for notification in try storage.takeNotifications(limit: free, lease: Self.lease) {
        underway.withLock { $0 += 1 }
        pool.post {
          self.send(notification)
          self.underway.withLock { $0 -= 1 }
        }
      }
    } catch {
      log(Event("notifying failed", ["reason": error.description]))
    }
  }

  private func send(_ notification: Notification) {
    let isDone = Announcement(notification, admission).map(post) ?? true
    let isLast = notification.attempts >= Self.pauses.count
    if !isDone && isLast { log(Event("notification given up", ["message": notification.uid])) }
    let retryAt = isDone || isLast ? nil : clock() + Self.pauses[notification.attempts]
    // What cannot be settled now is due again when its lease ends.
    try? storage.settle(notification, retryAt: retryAt)
  }

  /// Whether the receiver has taken it.
  private func post(_ announcement: Announcement) -> Bool {
    let client = announcement.isForeign ? webhooks : sponsors
    let response = try? client.post(
      announcement.body, to: announcement.url, contentType: "application/json", headers: announcement.headers)
    let isTaken = response?.isSuccess ?? false
    metrics.count(isTaken ? .notificationsSent : .notificationsFailed)
    return isTaken
  }
}
