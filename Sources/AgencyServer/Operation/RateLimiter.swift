internal import Threading

/// How many requests one address may send.
package struct Rate: Sendable {
  package var perSecond = 100
  package var burst = 1000

  package init() {}
}

/// Counts requests by address: each has a bucket that a request takes a token from, and that fills again with time.
final class RateLimiter: Sendable {
  private struct Bucket {
    var tokens: Int
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

  /// Whether a request of that address may be served now.
  func admits(_ address: String) -> Bool {
    let now = clock()
    return buckets.withLock { buckets in
      if buckets.count >= Self.capacity {
        buckets = buckets.filter { refilled($0.value, now).tokens < rate.burst }
        if buckets.count >= Self.capacity { buckets = [:] }
      }
      var bucket = refilled(buckets[address] ?? Bucket(tokens: rate.burst, filled: now), now)
      defer { buckets[address] = bucket }
      guard bucket.tokens > 0 else { return false }
      bucket.tokens -= 1
      return true
    }
  }

  private func refilled(_ bucket: Bucket, _ now: Int64) -> Bucket {
    let seconds = max(0, min(now - bucket.filled, Int64(rate.burst)))
    return Bucket(tokens: min(rate.burst, bucket.tokens + Int(seconds) * rate.perSecond), filled: now)
  }
}
