internal import Platform

/// Decides when to ping a quiet server, and when to give it up. Every byte of the server is a sign of life, not only
/// the answer to a ping.
struct Heartbeat {
  enum Action: Equatable { case none, ping, silence }

  private let milliseconds: Int
  private var heard: MonotonicTime
  /// The time of the last ping; nil if something has come since then.
  private var pinged: MonotonicTime?

  init(milliseconds: Int, start: MonotonicTime) {
    self.milliseconds = milliseconds
    heard = start
  }

  /// The time of the next action, if nothing comes before.
  var next: MonotonicTime { (pinged ?? heard).after(milliseconds: milliseconds) }

  /// Notes that something has come.
  mutating func hear(at now: MonotonicTime) {
    heard = now
    pinged = nil
  }

  /// Returns the action that is due. Call it only after reading everything that has come.
  mutating func beat(at now: MonotonicTime) -> Action {
    guard next <= now else { return .none }
    guard pinged == nil else { return .silence }
    pinged = now
    return .ping
  }
}
