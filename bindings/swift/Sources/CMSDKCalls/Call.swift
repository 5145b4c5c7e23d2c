public import CMSDK

// Global, since a C callback captures nothing.
private let waiting = Waiting<Void>()
private let waitingForNumbers = Waiting<UInt32>()
private let waitingForSearches = Waiting<vcx_search_handle_t>()
private let waitingForTexts = Waiting<String?>()
private let waitingForAnswers = Waiting<Bool>()
private let waitingForNumbersAndTexts = Waiting<(UInt32, String?)>()

/// Functions of the library, awaited. Each takes a closure that passes on the command handle and the callback:
///
///     let state = try await Call.number { vcx_connection_get_state($0, connection, $1) }
///
/// They differ in what the callback brings. An error, returned or brought, is thrown as an `MSDKError`. An
/// operation that has begun goes on when the task is cancelled; its result is awaited all the same.
public enum Call {
  /// The agent for which the calls of this task are made; 0 is that of `vcx_init_with_config`.
  @TaskLocal public static var agent: msdk_agent_handle_t = 0

  /// Makes a call for the agent of this task. The library has agents per thread, so the call selects its own.
  static func forAgent(_ call: () -> vcx_error_t) -> vcx_error_t {
    guard agent != 0 else { return call() }
    let refused = msdk_agent_select(agent)
    guard refused == VCX_SUCCESS.rawValue else { return refused }
    defer { _ = msdk_agent_select(0) }
    return call()
  }

  /// Awaits a callback that brings only an error.
  public static func done(_ function: (vcx_command_handle_t, vcx_done_cb) -> vcx_error_t) async throws(MSDKError) {
    try await run(waiting) { handle in
      function(handle) { handle, error in waiting.resume(handle, error, ()) }
    }
  }

  /// Awaits a callback that brings a handle or a state.
  public static func number(
    _ function: (vcx_command_handle_t, vcx_number_cb) -> vcx_error_t
  ) async throws(MSDKError) -> UInt32 {
    try await run(waitingForNumbers) { handle in
      function(handle) { handle, error, number in waitingForNumbers.resume(handle, error, number) }
    }
  }

  /// Awaits a callback that brings the handle of a search.
  public static func search(
    _ function: (vcx_command_handle_t, vcx_search_cb) -> vcx_error_t
  ) async throws(MSDKError) -> vcx_search_handle_t {
    try await run(waitingForSearches) { handle in
      function(handle) { handle, error, search in waitingForSearches.resume(handle, error, search) }
    }
  }

  /// Awaits a callback that brings a text; nil where it may bring NULL.
  public static func text(
    _ function: (vcx_command_handle_t, vcx_string_cb) -> vcx_error_t
  ) async throws(MSDKError) -> String? {
    try await run(waitingForTexts) { handle in
      function(handle) { handle, error, text in
        waitingForTexts.resume(handle, error, text.map { String(cString: $0) })
      }
    }
  }

  /// Awaits a callback that brings yes or no.
  public static func bool(
    _ function: (vcx_command_handle_t, vcx_bool_cb) -> vcx_error_t
  ) async throws(MSDKError) -> Bool {
    try await run(waitingForAnswers) { handle in
      function(handle) { handle, error, answer in waitingForAnswers.resume(handle, error, answer) }
    }
  }

  /// Awaits a callback that brings a number and a text.
  public static func numberAndText(
    _ function: (vcx_command_handle_t, vcx_number_string_cb) -> vcx_error_t
  ) async throws(MSDKError) -> (UInt32, String?) {
    try await run(waitingForNumbersAndTexts) { handle in
      function(handle) { handle, error, number, text in
        waitingForNumbersAndTexts.resume(handle, error, (number, text.map { String(cString: $0) }))
      }
    }
  }

  private static func run<Value: Sendable>(
    _ waiting: Waiting<Value>, _ begin: (vcx_command_handle_t) -> vcx_error_t
  ) async throws(MSDKError) -> Value {
    let result = await withCheckedContinuation { continuation in
      // Before the call: the callback may come before the function has returned.
      let handle = waiting.add(continuation)
      let refused = forAgent { begin(handle) }
      if refused != VCX_SUCCESS.rawValue { waiting.refuse(handle, refused) }
    }
    return try result.get()
  }
}
