/// One line of the log. It carries no secret and no user data; the code that writes a line ensures that.
package struct LogRecord: Sendable {
  package let level: LogLevel
  /// The module that writes the line.
  package let target: String
  package let message: String
  /// Named values of the line, for sinks that write them apart.
  package let details: [(key: String, value: String)]
  package let file: String
  package let line: UInt32

  package init(
    level: LogLevel, target: String, message: String, details: [(key: String, value: String)] = [], file: String,
    line: UInt32
  ) {
    self.level = level
    self.target = target
    self.message = message
    self.details = details
    self.file = file
    self.line = line
  }
}

/// The destination of the log. Any thread calls the closures, concurrently, and with no lock held.
package struct LogSink: Sendable {
  package let isEnabled: @Sendable (LogLevel, _ target: String) -> Bool
  package let write: @Sendable (LogRecord) -> Void
  package let flush: @Sendable () -> Void

  package init(
    isEnabled: @escaping @Sendable (LogLevel, _ target: String) -> Bool,
    write: @escaping @Sendable (LogRecord) -> Void,
    flush: @escaping @Sendable () -> Void
  ) {
    self.isEnabled = isEnabled
    self.write = write
    self.flush = flush
  }

  /// A sink that takes every line immediately.
  package init(_ write: @escaping @Sendable (LogRecord) -> Void) {
    self.init(isEnabled: { _, _ in true }, write: write, flush: {})
  }
}
