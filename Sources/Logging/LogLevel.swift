/// How much a line of the log matters. As a maximum, 0 stands for nothing at all.
package enum LogLevel: UInt32, CaseIterable, Comparable, Sendable {
  /// Something failed that should not.
  case error = 1
  /// Something is wrong and the work goes on.
  case warning = 2
  /// A step that matters to whoever runs the program.
  case info = 3
  /// A step that matters to whoever looks for a mistake.
  case debug = 4
  /// Every step.
  case trace = 5

  package static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }
}
