/// How long things are kept.
package struct Retention: Sendable {
  /// Messages after they were read.
  package var readHours = 24

  /// Messages that nobody fetches.
  package var unreadDays = 90

  /// Tombstones of deleted mailboxes.
  package var tombstoneDays = 30

  /// Provisioning that was begun and not finished, and the memory of served requests.
  package var shortHours = 24

  package init() {}
}

/// What is too old, as points in time, in seconds since 1970.
package struct Expiry: Sendable {
  package let read: Int64
  package let unread: Int64
  package let tombstones: Int64
  package let short: Int64
  package let now: Int64

  init(_ retention: Retention, now: Int64) {
    let (hour, day): (Int64, Int64) = (3600, 86_400)
    self.now = now
    read = now - Int64(retention.readHours) * hour
    unread = now - Int64(retention.unreadDays) * day
    tombstones = now - Int64(retention.tombstoneDays) * day
    short = now - Int64(retention.shortHours) * hour
  }
}

extension Agency {
  /// Removes what is too old, in steps short enough that deliveries do not wait for them. Returns how many rows went.
  package func sweep() throws(StorageError) -> Int {
    let expiry = Expiry(rules.retention, now: clock())
    var total = 0
    while true {
      let count = try storage.removeExpired(expiry, limit: 500)
      total += count
      if count == 0 { return total }
    }
  }

  /// The same, for a thread that nobody waits for.
  func sweep(_ log: EventLog) {
    do {
      let count = try sweep()
      if count > 0 { log(Event("swept", ["rows": "\(count)"])) }
    } catch {
      log(Event("sweeping failed", ["reason": error.description]))
    }
  }
}
