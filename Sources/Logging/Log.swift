internal import Threading

/// The log of the whole library. Lines go to the one sink that was installed, and nowhere before that.
package enum Log {
  private struct State {
    var sink: LogSink?
    var maximum: LogLevel? = .info
  }

  private static let state = Locked(State())

  /// Installs the sink. False, and nothing changes, when there is one already.
  package static func install(_ sink: LogSink) -> Bool {
    state.withLock { state in
      guard state.sink == nil else { return false }
      state.sink = sink
      return true
    }
  }

  /// Lets through levels up to `maximum`; nil lets nothing through. Info at first.
  package static func setMaximum(_ maximum: LogLevel?) {
    state.withLock { $0.maximum = maximum }
  }

  /// Asks the sink to write out what it holds back.
  package static func flush() {
    state.withLock(\.sink)?.flush()
  }

  package static func error(_ message: @autoclosure () -> String, file: String = #fileID, line: UInt32 = #line) {
    write(.error, message, file, line)
  }

  package static func warning(_ message: @autoclosure () -> String, file: String = #fileID, line: UInt32 = #line) {
    write(.warning, message, file, line)
  }

  package static func info(_ message: @autoclosure () -> String, file: String = #fileID, line: UInt32 = #line) {
    write(.info, message, file, line)
  }

  package static func debug(_ message: @autoclosure () -> String, file: String = #fileID, line: UInt32 = #line) {
    write(.debug, message, file, line)
  }

  package static func trace(_ message: @autoclosure () -> String, file: String = #fileID, line: UInt32 = #line) {
    write(.trace, message, file, line)
  }

  /// The text is made only when somebody wants it. The sink is called without the lock, because it may call back.
  private static func write(_ level: LogLevel, _ message: () -> String, _ file: String, _ line: UInt32) {
    let (current, maximum) = state.withLock { ($0.sink, $0.maximum) }
    guard let sink = current, let maximum, level <= maximum else { return }
    let target = String(file.prefix { $0 != "/" })  // a file id is "Module/File.swift"
    guard sink.isEnabled(level, target) else { return }
    sink.write(LogRecord(level: level, target: target, message: message(), file: file, line: line))
  }
}
