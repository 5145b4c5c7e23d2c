/// The severity of a line of the log. As a maximum, 0 lets nothing through.
package enum LogLevel: UInt32, CaseIterable, Comparable, Sendable {
  /// Something failed that should not.
  case error = 1
  /// Something is wrong and the work goes on.
  case warning = 2
  /// Each call with its object, outcome and milliseconds; each new state of a connection; each message by type and uid.
  case info = 3
  /// Each HTTP request with its status and sizes; decisions of polling.
  case debug = 4
  /// The beginning of each call.
  case trace = 5

  package static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }
}
