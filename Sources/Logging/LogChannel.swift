internal import Threading

/// Takes lines and hands them to its one sink, up to a maximum. Lines that come before the sink go nowhere.
package final class LogChannel: Sendable {
  private struct State {
    var sink: LogSink?
    var maximum: LogLevel? = .info
  }

  private let state = Locked(State())

  package init() {}

  /// Installs the sink. False, and nothing changes, when there is one already.
  package func install(_ sink: LogSink) -> Bool {
    state.withLock { state in
      guard state.sink == nil else { return false }
      state.sink = sink
      return true
    }
  }

  /// Lets through levels up to `maximum`; nil lets nothing through. Info at first.
  package func setMaximum(_ maximum: LogLevel?) {
    state.withLock { $0.maximum = maximum }
  }

  /// Asks the sink to write out what it holds back.
  package func flush() {
    state.withLock(\.sink)?.flush()
  }

  /// The text is made only when somebody wants it. The sink is called without the lock, because it may call back.
  package func write(_ level: LogLevel, _ message: () -> String, file: String, line: UInt32) {
    let (current, maximum) = state.withLock { ($0.sink, $0.maximum) }
    guard let sink = current, let maximum, level <= maximum else { return }
    let target = String(file.prefix { $0 != "/" })  // a file id is "Module/File.swift"
    guard sink.isEnabled(level, target) else { return }
    sink.write(LogRecord(level: level, target: target, message: message(), file: file, line: line))
  }
}
