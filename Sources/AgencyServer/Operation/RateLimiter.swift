internal import Threading
internal import Time

/// The permitted requests of one address: a number per some seconds, and a burst at first or after a pause.
package struct Rate: Sendable {
  package var requests: Int
  package var seconds: Int
  package var burst: Int

  /// All numbers are positive.
  package init(_ requests: Int, per seconds: Int = 1, burst: Int) {
    self.requests = requests
    self.seconds = seconds
    self.burst = burst
  }
}

/// The origin of a request, for counting.
package enum Visitor: Equatable, Sendable {
  /// A numeric address, or a network that counts as one.
  case address(String)
  /// The machine itself. Its requests are not counted: a limit on a proxy that hides its clients' addresses would limit
  /// all of them.
  case machine

  /// Nil for the machine itself.
  var address: String? {
    switch self {
    case .address(let address): address
    case .machine: nil
    }
  }
}

/// Counts requests by address. Each address has a bucket: a request takes a measure from it, and time fills it again.
final class RateLimiter: Sendable {
  private struct Bucket {
    /// A request takes `rate.seconds` parts, and each second adds `rate.requests`.
    var level: Int
    var filled: Int64
  }

  private let buckets = Locked<[String: Bucket]>([:])
  private let rate: Rate
  private let clock: Clock

  /// The highest number of remembered addresses: full buckets are forgotten first, then all.
  private static let capacity = 50_000

  init(_ rate: Rate, clock: @escaping Clock) {
    self.rate = rate
    self.clock = clock
  }

  /// Whether the agency may serve a request of this visitor now.
  func admits(_ visitor: Visitor) -> Bool {
    guard let address = visitor.address else { return true }
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

  /// Gives back the measure of an admitted request that does not count.
  func giveBack(_ visitor: Visitor) {
    guard case .address(let address) = visitor else { return }
    buckets.withLock { buckets in
      guard let bucket = buckets[address] else { return }
      buckets[address]?.level = min(full, bucket.level + rate.seconds)
    }
  }

  /// The seconds until an empty bucket has room for a request.
  var pause: Int { (rate.seconds + rate.requests - 1) / rate.requests }

  private var full: Int { rate.burst * rate.seconds }

  private func refilled(_ bucket: Bucket, _ now: Int64) -> Bucket {
    // After this many seconds an empty bucket is full.
    let enough = Int64(full / rate.requests + 1)
    let seconds = max(0, min(now - bucket.filled, enough))
    return Bucket(level: min(full, bucket.level + Int(seconds) * rate.requests), filled: now)
  }
}
