internal import Platform
internal import Threading

/// The time that the objects of a session wait for a receiver of a report.
///
/// Any stranger can cause a report, and name a server that answers late or never. After one such server, the next reports get
/// little time for a while. The messages of many such strangers would otherwise delay the peers' messages by their sum.
struct ReportPatience: Sendable {
  private var shortUntil: MonotonicTime?

  private static let (usual, short, pause) = (10_000, 1_000, 60_000)

  /// The milliseconds for the next report.
  func milliseconds(at now: MonotonicTime) -> Int { shortUntil.map { now < $0 } ?? false ? Self.short : Self.usual }

  /// Notes how long a report took.
  mutating func note(from start: MonotonicTime, to end: MonotonicTime) {
    if end.milliseconds(since: start) >= Self.short { shortUntil = end.after(milliseconds: Self.pause) }
  }
}

extension Locked<ReportPatience> {
  /// Runs `report` for at most the time of a report, and at most half of the time that is left: the object still has to mark
  /// the stranger's message, which would otherwise come before all later ones for ever.
  func report(_ report: () throws -> Void) throws {
    let start = MonotonicTime.now
    defer { withLock { $0.note(from: start, to: .now) } }
    try Deadline.servingPart(atMost: withLock { $0.milliseconds(at: start) }, report)
  }
}
