internal import Threading

/// How many requests one address may send: so many in so many seconds, and at first, or after a pause, a burst.
package struct Rate: Sendable {
  package var requests: Int
  package var seconds: Int
  package var burst: Int

  /// All are positive.
  package init(_ requests: Int, per seconds: Int = 1, burst: Int) {
    self.requests = requests
    self.seconds = seconds
    self.burst = burst
  }
}

/// Where a request comes from, as far as it is counted.
package enum Visitor: Equatable, Sendable {
  /// A numeric address, or a network that counts as one.
  case address(String)
  /// The machine itself is not counted: a proxy that hides the clients' addresses would be limited for all of them.
  case machine
}

/// Counts requests by address: each has a bucket that a request takes a measure from, and that fills again with time.
final class RateLimiter: Sendable {
  private struct Bucket {
    /// In parts of which a request takes `rate.seconds`, and each second brings `rate.requests`.
    var level: Int
    var filled: Int64
  }

  private let buckets = Locked<[String: Bucket]>([:])
  private let rate: Rate
  private let clock: Clock

  /// More addresses than this are not remembered: full buckets are forgotten first, then all.
  private static let capacity = 50_000

  init(_ rate: Rate, clock: @escaping Clock) {
    self.rate = rate
    self.clock = clock
  }

  /// Whether a request of that visitor may be served now.
  func admits(_ visitor: Visitor) -> Bool {
    guard case .address(let address) = visitor else { return true }
    let now = clock()
    return buckets.withLock { buckets in
      if buckets.count >= Self.capacity {
        buckets = buckets.filter { refilled($0.value, now).level < full }
        if buckets.count >= Self.capacity { buckets = [:] }
      }
      var bucket = refilled(buckets[address] ?? Bucket(level: full, filled: now), now)
      defer { buckets[address] = bucket }
      guard bucket.level >= rate.seconds else { return false }
      bucket.level -= rate.seconds
      return true
    }
  }

  /// After how many seconds an empty bucket has room for a request.
  var pause: Int { (rate.seconds + rate.requests - 1) / rate.requests }

  private var full: Int { rate.burst * rate.seconds }

  private func refilled(_ bucket: Bucket, _ now: Int64) -> Bucket {
    // After this many seconds it is full, however empty it was.
    let enough = Int64(full / rate.requests + 1)
    let seconds = max(0, min(now - bucket.filled, enough))
    return Bucket(level: min(full, bucket.level + Int(seconds) * rate.requests), filled: now)
  }
}
