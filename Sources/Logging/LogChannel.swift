internal import Synchronization
internal import Threading

/// Passes lines to its one sink, up to a maximum level. Without a sink, lines are dropped.
package final class LogChannel: Sendable {
  private struct State {
    var sink: LogSink?
    var maximum: LogLevel? = .info
  }

  private let state = Locked(State())
  /// The highest level that the sink wants, as a number; 0 if it wants none.
  private let highest = Atomic<UInt32>(0)

  package init() {}

  /// A channel whose lines go to `write`.
  package convenience init(_ write: @escaping @Sendable (LogRecord) -> Void) {
    self.init()
    _ = install(LogSink(write))
  }

  /// Whether the sink may take lines of this level. It costs one load, so that a caller can skip the work for an
  /// unwanted line.
  package func mayTake(_ level: LogLevel) -> Bool { level.rawValue <= highest.load(ordering: .relaxed) }

  /// Installs the sink. Returns false, without a change, if there is one already.
  package func install(_ sink: LogSink) -> Bool {
    state.withLock { state in
      guard state.sink == nil else { return false }
      state.sink = sink
      highest.store(state.maximum?.rawValue ?? 0, ordering: .relaxed)
      return true
    }
  }

  /// Lets through levels up to `maximum`; nil lets nothing through. Info at first.
  package func setMaximum(_ maximum: LogLevel?) {
    state.withLock { state in
      state.maximum = maximum
      if state.sink != nil { highest.store(maximum?.rawValue ?? 0, ordering: .relaxed) }
    }
  }

  /// Asks the sink to write out the lines that it holds back.
  package func flush() {
    state.withLock(\.sink)?.flush()
  }

  /// The text and the details are computed only if the sink wants them. The sink is called without the lock, because it
  /// may call back.
  package func write(
    _ level: LogLevel, _ message: () -> String, details: () -> KeyValuePairs<String, String> = { [:] }, file: String,
    line: UInt32
  ) {
    guard mayTake(level), let sink = state.withLock(\.sink) else { return }
    let target = String(file.prefix { $0 != "/" })  // a file id is "Module/File.swift"
    guard sink.isEnabled(level, target) else { return }
    sink.write(
      LogRecord(
        level: level, target: target, message: message().oneLine, details: Array(details()), file: file, line: line))
  }
}

extension String {
  private static let longest = 1_000

  /// The text without line breaks and control characters, cut to a limit: peers and agencies write parts of it, and
  /// their text must not look like two lines of ours.
  fileprivate var oneLine: String {
    guard utf8.count > Self.longest || !utf8.allSatisfy({ (0x20...0x7e).contains($0) }) else { return self }
    var text = String.UnicodeScalarView()
    for scalar in unicodeScalars.prefix(Self.longest) { text.append(scalar.isPrintable ? scalar : " ") }
    return String(text)
  }
}

extension Unicode.Scalar {
  fileprivate var isPrintable: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: false
    default: true
    }
  }
}
