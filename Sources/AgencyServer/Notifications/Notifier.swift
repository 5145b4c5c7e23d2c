internal import HTTP
internal import Logging
internal import Threading
internal import Time

/// Notifies sponsors and owners' programs of new messages: soon after the message arrives, and again if a receiver does
/// not answer. A slow receiver delays no other. If an agency ends, its unsettled notifications are due again after half a
/// minute at most, for any agency on the database.
final class Notifier: Sendable {
  private let storage: any Storage
  private let rules: Agency.Rules
  private let clock: Clock
  private let metrics: Metrics
  private let log: LogChannel
  private let birth: Int64
  // Only the status of an answer counts, so a long answer is cut.
  private let sponsors = HTTPClient(timeout: 5, maximumBody: 64 << 10, cutsBodies: true)
  private let webhooks: HTTPClient

  /// Users' webhooks have a queue of their own, so that sponsors do not wait for webhooks, of which many may lead
  /// nowhere. A call of a webhook takes no thread while it waits for its answer.
  private let toSponsors = DeliveryQueue()
  private let toWebhooks = DeliveryQueue(DeliveryQueue.Limits(threads: 8, underway: 512))

  /// Threads for the results of such calls.
  private let settling = Threads(limit: 8)
  private let ticker = Locked<Ticker?>(nil)
  private let isStopping = Locked(false)

  /// The seconds from each attempt to the next. After the last pause the notifier gives up.
  private static let pauses: [Int64] = [1, 10, 60]

  /// The seconds for which notifications from the store belong to this notifier. An attempt must begin early enough to
  /// end within them; otherwise the notification is due again for any agency.
  private static let lease: Int64 = 30
  private static let attempt: Int64 = 12

  /// The seconds after which a message is no longer news. The notifier then gives up notifications that found no room,
  /// because it would otherwise take them from the store for ever while no receiver answers. An agency that was away
  /// has as long to catch up.
  private static let patience: Int64 = 600

  /// The number of notifications that are taken from the store at a time.
  private static let batch = 500

  init(
    storage: any Storage, rules: Agency.Rules, clock: @escaping Clock, metrics: Metrics, log: LogChannel
  ) {
    self.storage = storage
    self.rules = rules
    self.clock = clock
    self.metrics = metrics
    self.log = log
    birth = clock()
    webhooks = HTTPClient(
      timeout: 5, maximumBody: 64 << 10, cutsBodies: true,
      reach: rules.callsPrivateWebhooks ? .anywhere : .publicAddresses)
  }

  func start() {
    let started = Ticker(every: 1000) { [weak self] in self?.sendDue() }
    ticker.withLock { $0 = started }
  }

  /// Tells the notifier that there are new notifications.
  func hurry() { ticker.withLock { $0 }?.hurry() }

  /// Ends the notifier, and waits for its running attempts.
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
      log.warn("notifying failed", ["reason": error.description])
    }
  }

  private func send(_ notification: Notification, before end: Int64) {
    guard let announcement = Announcement(notification, rules) else { return drop(notification) }
    let isTaken: Bool
    if case .webhook(_, let url) = announcement.receiver {
      isTaken = toWebhooks.send(to: announcement.receiver.host, of: notification.agentID) { finish in
        guard self.clock() < end else {
          self.postpone(notification, announcement)
          return finish()
        }
        self.call(url, notification, announcement, then: finish)
      }
    } else {
      isTaken = toSponsors.send(to: announcement.receiver.host) {
        guard self.clock() < end else { return self.postpone(notification, announcement) }
        self.record(self.send(announcement), notification, announcement)
      }
    }
    if !isTaken { postpone(notification, announcement) }
  }

  /// Calls a webhook without blocking, and records the result.
  private func call(
    _ url: String, _ notification: Notification, _ announcement: Announcement,
    then finish: @escaping @Sendable () -> Void
  ) {
    webhooks.post(
      announcement.body, to: url, contentType: "application/json", headers: announcement.headers(at: clock())
    ) { result in
      self.settling.post {
        self.record(AttemptOutcome(result), notification, announcement)
        finish()
      }
    }
  }

  /// Handles a notification that found no room in the queue. It is due again when its lease ends, or is given up if its
  /// message is no longer news.
  private func postpone(_ notification: Notification, _ announcement: Announcement) {
    guard !isStopping.withLock({ $0 }), clock() - max(notification.arrival, birth) >= Self.patience else { return }
    logOutcome("notification given up", notification, announcement, reason: "too many wait for the receiver")
    drop(notification)
  }

  private func record(_ outcome: AttemptOutcome, _ notification: Notification, _ announcement: Announcement) {
    metrics.count(outcome == .delivered ? .notificationsSent : .notificationsFailed)
    switch outcome {
    case .delivered: drop(notification)
    case .failed(let reason, _) where notification.attempts >= Self.pauses.count:
      drop(notification)
      logOutcome("notification given up", notification, announcement, reason: reason)
    case .failed(let reason, let pause):
      let wish = min(Int64(pause), Self.patience)
      settle(notification, retryAt: clock() + max(Self.pauses[notification.attempts], wish))
      logOutcome("notification failed", notification, announcement, reason: reason)
    case .refused(let reason):
      drop(notification)
      logOutcome("notification given up", notification, announcement, reason: reason)
    case .unregistered:
      unregister(notification)
      logOutcome("registration removed", notification, announcement, reason: "the app is not on the device any more")
    }
  }

  private func drop(_ notification: Notification) { settle(notification, retryAt: nil) }

  private func settle(_ notification: Notification, retryAt: Int64?) {
    store(notification) { () throws(StorageError) in try storage.settle(notification, retryAt: retryAt) }
  }

  private func unregister(_ notification: Notification) {
    store(notification) { () throws(StorageError) in
      try storage.unregister(notification)
      // If the method is still there, the user has registered a new token since, which no attempt has used yet.
      try storage.settle(notification, retryAt: clock())
    }
  }

  /// Records the result. If the store fails, the notification is due again when its lease ends.
  private func store(_ notification: Notification, _ body: () throws(StorageError) -> Void) {
    do {
      try body()
    } catch {
      log.warn("notification not settled", ["message": notification.uid, "reason": error.description])
    }
  }

  /// Logs the host only: the rest of the URL may hold a secret.
  private func logOutcome(_ event: String, _ notification: Notification, _ announcement: Announcement, reason: String) {
    log.note(event, ["message": notification.uid, "target": announcement.target, "reason": reason])
  }

  /// Calls a sponsor or Firebase. Blocks.
  private func send(_ announcement: Announcement) -> AttemptOutcome {
    switch announcement.receiver {
    case .webhook(_, let url), .sponsor(_, let url, _):
      AttemptOutcome(
        Result { () throws(HTTPError) in
          try sponsors.post(
            announcement.body, to: url, contentType: "application/json", headers: announcement.headers(at: clock()))
        })
    case .device(let firebase, _): firebase.send(announcement.body, clock)
    }
  }
}
