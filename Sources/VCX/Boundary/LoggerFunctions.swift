internal import Logging
internal import MSDK
internal import Threading

/// The four values of a C logger.
///
/// The caller owns the context, and by setting the logger promises that any thread may use it. So the struct is
/// Sendable.
struct LoggerFunctions: @unchecked Sendable {
  let context: UnsafeRawPointer?
  let enabled: vcx_log_enabled_cb?
  let log: vcx_log_cb
  let flush: vcx_log_flush_cb?

  /// The logger that is set, or nil.
  static var current: LoggerFunctions? { installed.withLock { $0 } }

  private static let installed = Locked<LoggerFunctions?>(nil)

  /// Makes this the logger of the process. A logger that is already set stays.
  func install(maximum: LogLevel?) throws(VCXError) {
    guard Log.channel.install(sink) else { throw VCXError(.loggingError, "a logger is set already") }
    Self.installed.withLock { $0 = self }
    Log.channel.setMaximum(maximum)
  }

  private var sink: LogSink {
    LogSink(
      isEnabled: { level, target in
        guard let enabled else { return true }
        return CallbackGate.process.pass { target.withCString { enabled(context, level.rawValue, $0) } } ?? false
      },
      write: { record in
        record.target.withCString { target in
          CurrentAgent.value.naming(record.message).withCString { message in
            record.file.withCString { file in
              CallbackGate.process.pass {
                log(context, record.level.rawValue, target, message, target, file, record.line)
              }
            }
          }
        }
      },
      flush: { CallbackGate.process.pass { flush?(context) } })
  }
}

extension LogLevel {
  /// A maximum in the numbers of the C API: 0 to 5, where 0 (nil) lets nothing through.
  static func maximum(_ number: UInt32) throws(VCXError) -> LogLevel? {
    if number == 0 { return nil }
    guard let level = LogLevel(rawValue: number) else {
      throw VCXError(.invalidOption, "a log level is a number from 0 to 5, not \(number)")
    }
    return level
  }
}
