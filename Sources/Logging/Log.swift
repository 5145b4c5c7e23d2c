/// The log of the whole library: `Log.info("…")`. A line holds no key, no content of messages and records, and no user
/// data. It names things by DIDs, types and ids of messages.
package enum Log {
  /// The channel of the process. The C API installs its sink.
  package static let channel = LogChannel()

  /// Whether the logger may want a line of this level, to skip work that only the log needs.
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
