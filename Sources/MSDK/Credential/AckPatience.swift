internal import Platform

/// How long a holder tries to deliver an ack. The credential is in the wallet by then, and an issuer's server that never takes the
/// ack must not keep the exchange from its end.
struct AckPatience: Sendable {
  private var end: MonotonicTime?

  private static let milliseconds = 60_000

  /// The attempts end at `end`, or a minute after the first failure.
  init(endingAt end: MonotonicTime? = nil) { self.end = end }

  /// Whether a failed delivery ends the attempts: at once if another attempt would give the same answer, otherwise a minute after
  /// the first failure.
  mutating func isOver(after error: DeliveryError, at now: MonotonicTime) -> Bool {
    if case .refused(let status) = error, !Self.isTemporary(status) { return true }
    guard let end else {
      end = now.after(milliseconds: Self.milliseconds)
      return false
    }
    return now >= end
  }

  /// Whether a server that answers with this status may take the same message later.
  private static func isTemporary(_ status: Int) -> Bool { status >= 500 || status == 408 || status == 429 }
}
