internal import Platform
internal import Threading

/// The time that the objects of a session wait for a receiver of a report.
///
/// Any stranger can cause a report, and name a server that never answers. After one such server, the next reports get little
/// time for a while. The messages of many such strangers would otherwise delay the peers' messages by their sum.
struct ReportPatience: Sendable {
  private var shortUntil: MonotonicTime?

  private static let (usual, short, pause) = (10_000, 1_000, 60_000)

  /// The milliseconds for the next report.
  func milliseconds(at now: MonotonicTime) -> Int { shortUntil.map { now < $0 } ?? false ? Self.short : Self.usual }

  /// Notes that a server has used up the time of a report.
  mutating func noteSilence(at now: MonotonicTime) { shortUntil = now.after(milliseconds: Self.pause) }
}

extension Locked<ReportPatience> {
  /// Runs `report` for at most the time of a report, and at most half of the time that is left: the object still has to mark
  /// the stranger's message, which would otherwise come before all later ones for ever.
  func report(_ report: () throws -> Void) throws {
    try Deadline.servingPart(atMost: withLock { $0.milliseconds(at: .now) }) {
      defer { if Deadline.milliseconds(atMost: 1) == 0 { withLock { $0.noteSilence(at: .now) } } }
      try report()
    }
  }
}
