internal import HTTP
internal import Threading

/// Tells sponsors and owners' programs of new messages: soon, beside the delivery that caused it, and again when they
/// do not answer. Who is slow to answer delays nobody else. What is not settled when the agency ends is due again after
/// half a minute at most, for it or for another agency.
final class Notifier: Sendable {
  private let storage: any Storage
  private let admission: Admission
  private let clock: Clock
  private let metrics: Metrics
  private let log: EventLog
  private let birth: Int64
  private let sponsors = HTTPClient(timeout: 5, maximumBody: 64 << 10)
  private let webhooks: HTTPClient

  /// What users name has deliveries of its own, so that many names that lead nowhere do not keep the sponsors waiting.
  private let toSponsors = DeliveryQueue()
  private let toWebhooks = DeliveryQueue()
  private let ticker = Locked<Ticker?>(nil)
  private let isStopping = Locked(false)

  /// Seconds from one attempt to the next; after the last there is none.
  private static let pauses: [Int64] = [1, 10, 60]

  /// Seconds for which what was taken from the store is this notifier's. What could not be begun before the last of
  /// them, which an attempt may need, is due again for whoever takes it next.
  private static let lease: Int64 = 30
  private static let attempt: Int64 = 10

  /// Seconds after which a message is no news any more. What found no room until then is given up: where nobody answers,
  /// it would be taken from the store for ever. An agency that was away has as long to catch up.
  private static let patience: Int64 = 600

  /// How many are taken from the store at a time.
  private static let batch = 500

  init(
    storage: any Storage, rules: Agency.Rules, clock: @escaping Clock, metrics: Metrics, log: @escaping EventLog
  ) {
    self.storage = storage
    admission = rules.admission
    self.clock = clock
    self.metrics = metrics
    self.log = log
    birth = clock()
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
    isStopping.withLock { $0 = true }
    ticker.withLock { $0 }?.stop()
    toSponsors.stop()
    toWebhooks.stop()
  }

  private func sendDue() {
    do {
      while !isStopping.withLock({ $0 }) {
        let end = clock() + Self.lease - Self.attempt
        let due = try storage.takeNotifications(limit: Self.batch, lease: Self.lease)
        for notification in due { send(notification, before: end) }
        if due.count < Self.batch { return }
      }
    } catch {
      log(Event("notifying failed", ["reason": error.description]))
    }
  }

  private func send(_ notification: Notification, before end: Int64) {
    guard let announcement = Announcement(notification, admission) else { return drop(notification) }
    let deliveries = announcement.isForeign ? toWebhooks : toSponsors
    let account = announcement.isForeign ? notification.agentID : nil
    let isTaken = deliveries.send(to: announcement.target, of: account) {
      guard self.clock() < end else { return self.postpone(notification, announcement) }
      self.attempt(notification, announcement)
    }
    if !isTaken { postpone(notification, announcement) }
  }

  /// It did not come to its turn: it is due again when its lease ends, unless that went on for too long.
  private func postpone(_ notification: Notification, _ announcement: Announcement) {
    guard !isStopping.withLock({ $0 }), clock() - max(notification.arrival, birth) >= Self.patience else { return }
    tell("notification given up", notification, announcement, reason: "too many wait for the receiver")
    drop(notification)
  }

  private func attempt(_ notification: Notification, _ announcement: Announcement) {
    guard let failure = post(announcement) else {
      metrics.count(.notificationsSent)
      return drop(notification)
    }
    metrics.count(.notificationsFailed)
    guard notification.attempts < Self.pauses.count else {
      tell("notification given up", notification, announcement, reason: failure)
      return drop(notification)
    }
    tell("notification failed", notification, announcement, reason: failure)
    settle(notification, retryAt: clock() + Self.pauses[notification.attempts])
  }

  private func drop(_ notification: Notification) { settle(notification, retryAt: nil) }

  /// A notification that cannot be settled now is due again when its lease ends.
  private func settle(_ notification: Notification, retryAt: Int64?) {
    do {
      try storage.settle(notification, retryAt: retryAt)
    } catch {
      log(Event("notification not settled", ["message": notification.uid, "reason": error.description]))
    }
  }

  /// The rest of the URL is not told: it may hold a secret.
  private func tell(_ event: String, _ notification: Notification, _ announcement: Announcement, reason: String) {
    log(Event(event, ["message": notification.uid, "target": announcement.target, "reason": reason]))
  }

  /// Why the receiver has not taken it; nil when he has.
  private func post(_ announcement: Announcement) -> String? {
    let client = announcement.isForeign ? webhooks : sponsors
    do {
      let response = try client.post(
        announcement.body, to: announcement.url, contentType: "application/json", headers: announcement.headers)
      return response.isSuccess ? nil : "status \(response.status)"
    } catch {
      return error.description
    }
  }
}
