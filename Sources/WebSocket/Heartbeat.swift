internal import Platform

/// When to ping a quiet server, and when to give it up. Anything that comes is a sign of it, not only the answer to a ping.
struct Heartbeat {
  enum Action: Equatable { case none, ping, silence }

  private let milliseconds: Int
  private var heard: MonotonicTime
  /// When a ping left that nothing has followed.
  private var pinged: MonotonicTime?

  init(milliseconds: Int, start: MonotonicTime) {
    self.milliseconds = milliseconds
    heard = start
  }

  /// When there is something to do if nothing comes.
  var next: MonotonicTime { (pinged ?? heard).after(milliseconds: milliseconds) }

  /// Something has come.
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
