internal import MSDK
internal import Threading

/// Delivers the end of an operation to the caller's function pointer.
///
/// Makes an error the current one of the calling thread, so that `vcx_get_current_error` sees it inside the callback. The
/// callback runs with the agent of the call selected.
struct Completion<Value: Sendable>: Sendable {
  /// Calls back. The one place that runs the operation calls this once.
  private let callback: @Sendable (vcx_error_t, Value?) -> Void
  /// The call that this completion ends, if the log wants a line about it.
  private var call: Call?
  /// The agent for which the call works.
  private(set) var agent = Agent.standard
  /// The time limit of the call; nil if the program has set none.
  private var limit: CallLimit?
  /// The threads that call back; nil for the thread that ends the operation.
  private var threads: Threads?

  /// Returns this completion, tied to `call`, which works for `agent`, with the time limit that the thread has set for it.
  func ending(_ call: Call?, for agent: Agent) -> Completion {
    var completion = self
    (completion.call, completion.agent, completion.limit) = (call, agent, .takeNext())
    return completion
  }

  /// Returns this completion, which calls back on one of `threads`.
  func callingBack(on threads: Threads) -> Completion {
    var completion = self
    completion.threads = threads
    return completion
  }

  /// Calls back at the end of the call's time, unless its operation has begun by then.
  func watch() {
    guard let limit else { return }
    CallClock.process.watch(limit) { [self] in
      var completion = self
      completion.limit = nil
      let late = VCXError(.callTimedOut, "the call waited for earlier ones until its time was over")
      agent.threads.local.post { [completion] in completion.fail(late) }
    }
  }

  /// Runs the operation of the call for its agent and within its time. Returns nil, without running it, if the clock has
  /// ended the call.
  @discardableResult
  func running<Result>(_ operation: () -> Result) -> Result? {
    guard let limit else { return CurrentAgent.serving(agent, operation) }
    guard limit.begin() else { return nil }
    CallClock.process.forget(limit)
    return Deadline.serving(limit.deadline) { CurrentAgent.serving(agent, operation) }
  }

  /// The error of a failed operation. An error behind the deadline is most likely its consequence, and names the limit.
  func error(_ error: any Error) -> VCXError {
    let error = VCXError(error)
    guard let limit, limit.deadline <= .now else { return error }
    return VCXError(.callTimedOut, "the call's time is over: \(error.detail)")
  }

  func succeed(_ value: Value) {
    if let threads { return threads.post { [here] in here.succeed(value) } }
    finish {
      call?.succeed(giving: value)
      callback(ErrorCode.success.rawValue, value)
    }
  }

  /// Some functions pass a value with the error; in all others the callback gets 0 or NULL.
  func fail(_ error: VCXError, giving value: Value? = nil) {
    if let threads { return threads.post { [here] in here.fail(error, giving: value) } }
    finish {
      call?.fail(error)
      callback(record(error), value)
    }
  }

  private func finish(_ end: () -> Void) {
    if let limit, !limit.begin() { return }
    agent.threads.local.finish { CurrentAgent.serving(agent, end) }
  }

  /// This completion, which calls back on the thread that ends the operation.
  private var here: Completion {
    var completion = self
    completion.threads = nil
    return completion
  }

  /// Returns nil if there is no callback.
  ///
  /// Swift cannot be generic over C function types, so each shape has its own initializer below. `call` gets the
  /// caller's pointer, which the contract of the C API makes valid on every thread. `call` must capture nothing: that saves
  /// each call an allocation.
  private init?<Callback>(
    _ command: vcx_command_handle_t, _ callback: Callback?,
    call: @escaping @Sendable (Callback, vcx_command_handle_t, vcx_error_t, Value?) -> Void
  ) {
    guard let callback else { return nil }
    nonisolated(unsafe) let function = callback
    self.callback = { error, value in CallbackGate.process.pass { call(function, command, error, value) } }
  }
}

extension Completion where Value == Void {
  init?(_ command: vcx_command_handle_t, _ cb: vcx_done_cb?) {
    self.init(command, cb) { cb, command, error, _ in cb(command, error) }
  }
}

extension Completion where Value == String {
  init?(_ command: vcx_command_handle_t, _ cb: vcx_string_cb?) {
    self.init(command, cb) { cb, command, error, text in withPointer(to: text) { cb(command, error, $0) } }
  }
}

extension Completion where Value == UInt32 {
  init?(_ command: vcx_command_handle_t, _ cb: vcx_number_cb?) {
    self.init(command, cb) { cb, command, error, number in cb(command, error, number ?? 0) }
  }
}

extension Completion where Value == Int32 {
  init?(_ command: vcx_command_handle_t, _ cb: vcx_search_cb?) {
    self.init(command, cb) { cb, command, error, handle in cb(command, error, handle ?? 0) }
  }
}

extension Completion where Value == Bool {
  init?(_ command: vcx_command_handle_t, _ cb: vcx_bool_cb?) {
    self.init(command, cb) { cb, command, error, answer in cb(command, error, answer ?? false) }
  }
}

extension Completion where Value == UInt64 {
  init?(_ command: vcx_command_handle_t, _ cb: vcx_price_cb?) {
    self.init(command, cb) { cb, command, error, price in cb(command, error, price ?? 0) }
  }
}

extension Completion where Value == [UInt8] {
  init?(_ command: vcx_command_handle_t, _ cb: vcx_bytes_cb?) {
    self.init(command, cb) { cb, command, error, bytes in
      guard let bytes else { return cb(command, error, nil, 0) }
      bytes.withUnsafeBufferPointer { cb(command, error, $0.baseAddress, UInt32($0.count)) }
    }
  }
}

/// A handle or a state, and a text that may be missing.
struct NumberAndText: Equatable, Sendable {
  let number: UInt32
  let text: String?
}

extension Completion where Value == NumberAndText {
  init?(_ command: vcx_command_handle_t, _ cb: vcx_number_string_cb?) {
    self.init(command, cb) { cb, command, error, pair in
      withPointer(to: pair?.text) { cb(command, error, pair?.number ?? 0, $0) }
    }
  }
}

/// A credential definition, and the transactions for an endorser to submit.
struct DefinitionTransactions: Equatable, Sendable {
  let handle: vcx_credentialdef_handle_t
  let definition: String
  let registry: String?
  let registryEntry: String?
}

extension Completion where Value == DefinitionTransactions {
  init?(_ command: vcx_command_handle_t, _ cb: vcx_definition_transactions_cb?) {
    self.init(command, cb) { cb, command, error, made in
      withPointer(to: made?.definition) { definition in
        withPointer(to: made?.registry) { registry in
          withPointer(to: made?.registryEntry) { entry in
            cb(command, error, made?.handle ?? 0, definition, registry, entry)
          }
        }
      }
    }
  }
}

private func withPointer(to text: String?, _ body: (CString?) -> Void) {
  guard let text else { return body(nil) }
  text.withCString(body)
}
