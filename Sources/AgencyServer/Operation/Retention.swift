internal import Logging

/// The times for which the agency keeps messages and other data.
package struct Retention: Sendable {
  /// For read messages.
  package var readHours = 24

  /// For unread messages.
  package var unreadDays = 90

  /// For tombstones of deleted mailboxes, and for backups under an earlier recovery key.
  package var tombstoneDays = 30

  /// For unfinished provisioning, and the memory of served requests.
  package var shortHours = 24

  package init() {}
}

/// The points in time before which rows are too old, in seconds since 1970.
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
  /// Removes old rows, in steps short enough that deliveries do not wait for them. Ends early, after a step, when `isWanted`
  /// returns false; the next sweep removes the rest. Returns the number of removed rows.
  package func sweep(while isWanted: () -> Bool = { true }) throws(StorageError) -> Int {
    let expiry = Expiry(rules.retention, now: clock())
    var total = 0
    while isWanted() {
      let count = try storage.removeExpired(expiry, limit: 500)
      total += count
      if count == 0 { break }
    }
    return total
  }

  /// Removes old rows and logs the result, for a background thread.
  func sweep(_ log: LogChannel, while isWanted: () -> Bool = { true }) {
    do {
      let count = try sweep(while: isWanted)
      if count > 0 { log.note("swept", ["rows": "\(count)"]) }
    } catch {
      log.warn("sweeping failed", ["reason": error.description])
    }
  }
}
