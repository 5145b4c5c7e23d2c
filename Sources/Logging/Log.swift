/// The log of the whole library: `Log.info("…")`. Whoever writes a line sees to it that no secret and no user data is in
/// it.
package enum Log {
  /// The channel of the process. The C API installs its sink.
  package static let channel = LogChannel()

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
