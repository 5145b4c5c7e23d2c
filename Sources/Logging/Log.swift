/// The log of the whole library: `Log.info("…")`. A line holds no key, no content of messages and records, and no user
/// data. DIDs, types and ids of messages are what it names things by.
package enum Log {
  /// The channel of the process. The C API installs its sink.
  package static let channel = LogChannel()

  /// Whether a line of this level may be wanted, for work that only the log has a use for.
  package static func mayTake(_ level: LogLevel) -> Bool { channel.mayTake(level) }

  package static func error(_ message: @autoclosure () -> String, file: String = #fileID, line: UInt32 = #line) {
    channel.write(.error, message, file: file, line: line)
  }

  package static func warning(_ message: @autoclosure () -> String, file: String = #fileID, line: UInt32 = #line) {
    channel.write(.warning, message, file: file, line: line)
  }

  package static func info(_ message: @autoclosure () -> String, file: String = #fileID, line: UInt32 = #line) {
    channel.write(.info, message, file: file, line: line)
  }

  package static func debug(_ message: @autoclosure () -> String, file: String = #fileID, line: UInt32 = #line) {
    channel.write(.debug, message, file: file, line: line)
  }

  package static func trace(_ message: @autoclosure () -> String, file: String = #fileID, line: UInt32 = #line) {
    channel.write(.trace, message, file: file, line: line)
  }
}
