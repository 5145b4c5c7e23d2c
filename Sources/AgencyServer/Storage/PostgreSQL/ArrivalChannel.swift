internal import Platform
internal import PostgreSQL
internal import Threading

/// Tells the agencies on one database of each other's arrivals, over one connection and with one thread.
///
/// An agency notifies the others after the commit of a delivery, not within its transaction: such commits would wait for
/// each other, one at a time. A notification may therefore be lost, with its sender or with a connection, so that every
/// agency also looks at the latest messages every few seconds.
final class ArrivalChannel: Sendable {
  private struct State {
    var unsent: [Arrival] = []
    var isStopped = false
    var isRunning = true
  }

  private let state = Monitor(State())
  private let interruption = Interruption()
  private let target: String
  private let listener: ArrivalListener

  private static let name = "msdk_arrivals"

  /// The milliseconds between two looks at the latest messages, and between two attempts to connect.
  private static let pause = 3000

  /// The highest number of arrivals that wait for the database. Further arrivals are dropped: the other agencies look
  /// for them.
  private static let capacity = 10_000

  /// `listener` receives the arrivals of other agencies, some of them twice.
  init(_ target: String, listener: @escaping ArrivalListener) {
    self.target = target
    self.listener = listener
    Threads(limit: 1).post { self.run() }
  }

  /// Tells the other agencies. Does not wait.
  func announce(_ arrival: Arrival) {
    let isFirst = state.withLock { state in
      if state.unsent.count < Self.capacity { state.unsent.append(arrival) }
      return state.unsent.count == 1
    }
    if isFirst { interruption.interrupt() }
  }

  /// Ends the thread. Waits for it for a second at most, since the server may not answer.
  func stop() {
    state.withLock { $0.isStopped = true }
    interruption.interrupt()
    _ = state.wait(milliseconds: 1000) { $0.isRunning ? nil : true }
  }

  private var isStopped: Bool { state.withLock { $0.isStopped } }

  private func run() {
    var look = LatestMessages()
    while !isStopped {
      try? serve(&look)
      if !isStopped { interruption.wait(milliseconds: Self.pause) }
    }
    state.withLock { $0.isRunning = false }
  }

  /// Sends and listens until the connection is lost or the channel is stopped.
  private func serve(_ look: inout LatestMessages) throws(PostgreSQLError) {
    let session = try NotificationListener(target, channel: Self.name, interruptedBy: interruption)
    var nextLook = MonotonicTime.now
    while !isStopped {
      let unsent = state.withLock { state in
        defer { state.unsent = [] }
        return state.unsent
      }
      if !unsent.isEmpty { try session.notify(Arrival.texts(of: unsent)) }
      var arrivals: [Arrival] = []
      if nextLook <= .now {
        arrivals = try look.next(on: session.connection)
        nextLook = MonotonicTime.now.after(milliseconds: Self.pause)
      }
      arrivals += try session.takeTexts().flatMap { Arrival.arrivals(in: $0) }
      if !arrivals.isEmpty { listener(arrivals) }
      session.wait(milliseconds: nextLook.millisecondsLeft)
    }
  }
}

/// The messages that were stored since the look before the last one. A message with a lower number may be committed
/// after a message with a higher number, but hardly a whole pause later.
private struct LatestMessages {
  private var newest: [Int64] = []

  mutating func next(on connection: PostgreSQLConnection) throws(PostgreSQLError) -> [Arrival] {
    let select = """
      SELECT 0, '', coalesce(max(id), 0) FROM messages UNION ALL
      SELECT agent_id, for_did, max(messages.id) FROM messages JOIN pairwise ON pairwise.id = pairwise_id
      WHERE messages.id > $1 AND status = 'MS-103' GROUP BY agent_id, for_did
      """
    // The first look tells of nothing. A client that waited before it finds its messages when its wait ends.
    let rows = try connection.query(select, .integer(newest.first ?? .max)).map { row throws(PostgreSQLError) in
      Arrival(accountID: try row.integer(0), pairwiseDID: try row.text(1), messageID: try row.integer(2))
    }
    let end = rows.first { $0.accountID == 0 }?.messageID ?? 0
    // A database that was restored from a backup begins again at a lower number.
    newest = (newest + [end]).suffix(2).map { min($0, end) }
    return rows.filter { $0.accountID != 0 }
  }
}

extension Arrival {
  /// The number of arrivals in a notification of less than 8000 bytes.
  private static let batch = 80

  /// The texts of notifications.
  fileprivate static func texts(of arrivals: [Arrival]) -> [String] {
    let texts = Set(arrivals).map { "\($0.accountID):\($0.pairwiseDID)" }
    return stride(from: 0, to: texts.count, by: batch).map { start in
      texts[start..<min(start + batch, texts.count)].joined(separator: " ")
    }
  }

  /// The arrivals in a notification. Ignores malformed parts: anybody with the database's role can write one.
  fileprivate static func arrivals(in text: String) -> [Arrival] {
    text.split(separator: " ").compactMap { part in
      let parts = part.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, let accountID = Int64(parts[0]) else { return nil }
      return Arrival(accountID: accountID, pairwiseDID: String(parts[1]))
    }
  }
}
