// scripts/bindings compares the documented parameters with the real ones.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, ValidateDocumentationComments

internal import Logging

// MARK: Logging
//
// A process has at most one logger; set it before any other call. The levels are the numbers of `vcx_log_level`; 0 as a
// maximum lets nothing through. The library calls the functions of a logger on any thread, concurrently. They may call
// the library; such calls log lines of their own. The library never logs keys, tokens, or the content of messages and
// records.

/// Sets the functions that receive the log, and the highest level that they receive.
///
/// - Parameters:
///   - context: Passed to each of the functions.
///   - enabled: Returns whether the logger wants a line; NULL wants all lines up to the maximum.
///   - log: Receives a line; required.
///   - flush: Writes out the lines held back, or NULL.
///   - max_lvl: 0 to 5.
/// - Returns: 0, 1007 without `log` or for another level, 1090 if a logger is already set: it stays.
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

/// Sets the functions that receive the log, up to level 3 (info).
///
/// - Parameters:
///   - context: Passed to each of the functions.
///   - enabled: Returns whether the logger wants a line; NULL wants all lines up to the maximum.
///   - log: Receives a line; required.
///   - flush: Writes out the lines held back, or NULL.
/// - Returns: 0, 1007 without `log`, 1090 if a logger is already set: it stays.
@_cdecl("vcx_set_logger")
public func vcx_set_logger(
  _ context: UnsafeRawPointer?, _ enabled: vcx_log_enabled_cb?, _ log: vcx_log_cb?, _ flush: vcx_log_flush_cb?
) -> vcx_error_t {
  vcx_set_logger_with_max_lvl(context, enabled, log, flush, LogLevel.info.rawValue)
}

/// Prints the log to standard error.
///
/// - Parameter pattern: The levels to print, such as `info` or `warn,HTTP=debug`. NULL reads the environment variable
///   `RUST_LOG`; without it the pattern is `warn`.
/// - Returns: 0, 1007 for text that is not UTF-8, 1090 if a logger is already set: it stays.
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

/// Reads the functions of the logger; all are NULL if no logger is set. Pass NULL for unwanted values.
///
/// - Parameters:
///   - context_p: Receives the context.
///   - enabled_cb_p: Receives the function that selects lines.
///   - log_cb_p: Receives the function that receives a line.
///   - flush_cb_p: Receives the function that writes out the lines held back.
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
