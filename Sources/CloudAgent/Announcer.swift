package import Platform

/// The part of a Cloud Agent that tells of new messages at once.
package protocol Announcer: Sendable {
  /// A line to the server, which is not open yet. Sends nothing.
  func line() throws -> any AnnouncerLine
}

/// A line over which a server tells of new messages. One thread waits on it. Any thread may cancel it at any time.
package protocol AnnouncerLine: Sendable {
  /// Blocks until messages may have arrived. Returns nil at the deadline. The first call opens the line, and returns as
  /// soon as the line is open, because messages may have arrived before. Throws if the line is broken: it stays broken,
  /// and the caller takes another line.
  func next(until deadline: MonotonicTime) throws -> Arrival?

  /// Whether the server, as long as the line is not broken, has looked for messages where it keeps them: no arrival then
  /// proves that none has come.
  var isSure: Bool { get }

  /// Ends the line: a blocked call throws at once, and so does each later one.
  func cancel()
}

/// Messages that have arrived.
package enum Arrival: Sendable {
  /// Messages may wait at the Cloud Agent.
  case waiting
  /// The line has brought these new messages, which the Cloud Agent keeps.
  case brought([ConnectionMessages])
  /// The line has put new messages into the inbox, because the Cloud Agent does not keep them.
  case delivered
}
