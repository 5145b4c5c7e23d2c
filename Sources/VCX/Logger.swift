// scripts/bindings compares the documented parameters with the real ones.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, ValidateDocumentationComments

internal import Logging

// MARK: Logging
//
// One logger per process, set once: before anything else, or never. Levels are those of `vcx_log_level`; 0 as a maximum
// lets nothing through. The functions of a logger are called on any thread, several at a time, and may call the library;
// such calls make lines of their own. Keys, tokens, and the content of messages and records are never logged.

/// Sets the functions that take the log, and the highest level that they get.
///
/// - Parameters:
///   - context: Given back to each of the functions.
///   - enabled: Tells which lines are wanted; NULL takes all up to the maximum.
///   - log: Takes a line; required.
///   - flush: Writes out what is held back, or NULL.
///   - max_lvl: 0 to 5.
/// - Returns: 0, 1007 without `log` or for another level, 1090 when there is a logger already: it stays.
@_cdecl("vcx_set_logger_with_max_lvl")
public func vcx_set_logger_with_max_lvl(
  _ context: UnsafeRawPointer?, _ enabled: vcx_log_enabled_cb?, _ log: vcx_log_cb?, _ flush: vcx_log_flush_cb?,
  _ max_lvl: UInt32
) -> vcx_error_t {
  attempt { () throws(VCXError) in
    guard let log else { throw VCXError(.invalidOption, "the argument log is NULL") }
    let maximum = try LogLevel.maximum(max_lvl)
    try LoggerFunctions(context: context, enabled: enabled, log: log, flush: flush).install(maximum: maximum)
  }
}

/// Sets the functions that take the log, up to level 3 (info).
///
/// - Parameters:
///   - context: Given back to each of the functions.
///   - enabled: Tells which lines are wanted; NULL takes all up to the maximum.
///   - log: Takes a line; required.
///   - flush: Writes out what is held back, or NULL.
/// - Returns: 0, 1007 without `log`, 1090 when there is a logger already: it stays.
@_cdecl("vcx_set_logger")
public func vcx_set_logger(
  _ context: UnsafeRawPointer?, _ enabled: vcx_log_enabled_cb?, _ log: vcx_log_cb?, _ flush: vcx_log_flush_cb?
) -> vcx_error_t {
  vcx_set_logger_with_max_lvl(context, enabled, log, flush, LogLevel.info.rawValue)
}

/// Prints the log to the standard error.
///
/// - Parameter pattern: The levels to print, such as `info` or `warn,HTTP=debug`. NULL takes the environment variable
///   `RUST_LOG`, and `warn` without it.
/// - Returns: 0, 1007 for text that is not UTF-8, 1090 when there is a logger already: it stays.
@_cdecl("vcx_set_default_logger")
public func vcx_set_default_logger(_ pattern: CString?) -> vcx_error_t {
  attempt { () throws(VCXError) in
    try DefaultLogger.install(pattern: try optionalText(pattern, "pattern").decode())
  }
}

/// Sets the highest level that reaches the logger.
///
/// - Parameter max_lvl: 0 to 5.
/// - Returns: 0, or 1007 for another level.
@_cdecl("vcx_set_log_max_lvl")
public func vcx_set_log_max_lvl(_ max_lvl: UInt32) -> vcx_error_t {
  attempt { () throws(VCXError) in Log.channel.setMaximum(try LogLevel.maximum(max_lvl)) }
}

/// Gives the functions of the logger, all NULL when none is set. Each place may be NULL: it is left out then.
///
/// - Parameters:
///   - context_p: Receives the context.
///   - enabled_cb_p: Receives the function that tells which lines are wanted.
///   - log_cb_p: Receives the function that takes a line.
///   - flush_cb_p: Receives the function that writes out what is held back.
/// - Returns: Always 0.
@_cdecl("vcx_get_logger")
public func vcx_get_logger(
  _ context_p: UnsafeMutablePointer<UnsafeRawPointer?>?, _ enabled_cb_p: UnsafeMutablePointer<vcx_log_enabled_cb?>?,
  _ log_cb_p: UnsafeMutablePointer<vcx_log_cb?>?, _ flush_cb_p: UnsafeMutablePointer<vcx_log_flush_cb?>?
) -> vcx_error_t {
  let logger = LoggerFunctions.current
  context_p?.pointee = logger?.context
  enabled_cb_p?.pointee = logger?.enabled
  log_cb_p?.pointee = logger?.log
  flush_cb_p?.pointee = logger?.flush
  return ErrorCode.success.rawValue
}
