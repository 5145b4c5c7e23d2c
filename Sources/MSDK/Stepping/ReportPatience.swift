internal import Platform
internal import Threading

/// The time that the objects of a session wait for the receivers of reports.
///
/// Any stranger can cause a report, and name a server that answers late or never. All reports of a minute therefore share one
/// budget. The messages of many such strangers would otherwise delay the peers' messages by the sum of their servers' times.
struct ReportPatience: Sendable {
  private var end: MonotonicTime?
  private var spent = 0

  private static let (budget, least, period) = (10_000, 1_000, 60_000)

  /// The milliseconds for the next report.
  func milliseconds(at now: MonotonicTime) -> Int {
    isOver(at: now) ? Self.budget : max(Self.least, Self.budget - spent)
  }

  /// Notes how long a report took.
  mutating func note(from start: MonotonicTime, to end: MonotonicTime) {
    if isOver(at: start) { (self.end, spent) = (start.after(milliseconds: Self.period), 0) }
    spent += end.milliseconds(since: start)
  }

  private func isOver(at now: MonotonicTime) -> Bool { end.map { now >= $0 } ?? true }
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
