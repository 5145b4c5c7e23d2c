internal import Logging
internal import Platform
internal import Threading

/// The logger that prints to standard error, one line per call.
enum DefaultLogger {
  private static let filter = Locked(LogFilter(pattern: "warn"))

  /// Without a pattern, reads the environment variable `RUST_LOG`, which programs for libvcx set. The default is
  /// `warn`.
  static func install(pattern: String?) throws(VCXError) {
    let chosen = LogFilter(pattern: pattern ?? getenv("RUST_LOG").map { String(cString: $0) } ?? "warn")
    try functions.install(maximum: chosen.maximum)
    filter.withLock { $0 = chosen }
  }

  private static let functions = LoggerFunctions(
    context: nil,
    enabled: { _, level, target in
      guard let level = LogLevel(rawValue: level), let target else { return false }
      let name = String(cString: target)
      return DefaultLogger.filter.withLock { $0.allows(level, name) }
    },
    log: { _, level, target, message, _, file, line in
      guard let level = LogLevel(rawValue: level), let target, let message, let file else { return }
      DefaultLogger.print(
        "\(level) \(String(cString: target)) \(String(cString: file)):\(line) \(String(cString: message))\n")
    },
    flush: nil)

  /// Writes the line with one system call, so that lines of several threads do not mix.
  private static func print(_ line: String) {
    let bytes = Array(line.utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
  }
}
