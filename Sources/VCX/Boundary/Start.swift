internal import Logging
internal import MSDK
internal import Threading
internal import Wallet

// Exported functions do their work in these ways. Each way first decodes the inputs, on the caller's thread. If that
// fails, the function returns the error and never calls back. Otherwise it calls back exactly once, on a thread of the
// library. `function` is always the exported function, which the log names.
//
// A call works for one agent: the owner of its object, or else the agent that the caller has selected. It is looked up once,
// before the inputs are decoded. Inputs, operation and callback all see it as the current agent.

/// Starts an operation without an object, on `threads`: `.network` if it may wait for the network.
func start<each Argument: Sendable, Value: Sendable>(
  _ completion: Completion<Value>?, _ inputs: repeat Input<each Argument>, by threads: Threads = .shared,
  failing failureValue: Value? = nil, function: StaticString = #function,
  body: @escaping @Sendable (repeat each Argument) throws -> Value
) -> vcx_error_t {
  begin(function, completion, by: threads, failing: failureValue) { () throws(VCXError) in
    let arguments = (repeat try (each inputs).read())
    return { completion in completion.succeed(try body(repeat (each arguments).get())) }
  }
}

/// Starts a change of a record in the open wallet. No thread waits for the disk.
func startChange<each Argument: Sendable>(
  _ completion: Completion<Void>?, _ inputs: repeat Input<each Argument>, function: StaticString = #function,
  change: @escaping @Sendable (repeat each Argument) throws -> RecordChange
) -> vcx_error_t {
  begin(function, completion, by: .shared) { () throws(VCXError) in
    let arguments = (repeat try (each inputs).read())
    let wallet = try openWallet().read()
    return { completion in
      try wallet.get().apply(change(repeat (each arguments).get())) { failure in
        if let failure { completion.fail(VCXError(failure)) } else { completion.succeed(()) }
      }
    }
  }
}

/// The work after the inputs are decoded. Unless it throws, it calls the completion, now or later.
private typealias Work<Value> = @Sendable (Completion<Value>) throws -> Void

/// Runs the work that `decode` returns on `threads`.
private func begin<Value: Sendable>(
  _ function: StaticString, _ completion: Completion<Value>?, by threads: Threads,
  failing failureValue: Value? = nil,
  decode: () throws(VCXError) -> Work<Value>
) -> vcx_error_t {
  begin(function, for: CurrentAgent.value, completion) { completion throws(VCXError) in
    let work = try decode()
    let agent = completion.agent
    let completion = threads.runsCallbacks ? completion : completion.callingBack(on: agent.threads.local)
    agent.threads.matching(threads).post {
      completion.running {
        do { try work(completion) } catch { completion.fail(completion.error(error), giving: failureValue) }
      }
    }
  }
}

/// Begins a function with a callback for an agent: opens its line in the log and requires the callback. An error of `work`
/// is the function's return value.
private func begin<Value: Sendable>(
  _ function: StaticString, for agent: Agent, on object: @autoclosure () -> String? = nil,
  _ completion: Completion<Value>?, work: (Completion<Value>) throws(VCXError) -> Void
) -> vcx_error_t {
  CurrentAgent.serving(agent) {
    let call = Call.begin(function, on: object())
    return code(of: call) { () throws(VCXError) in
      guard let completion = completion?.ending(call, for: agent) else { throw .noCallback }
      try work(completion)
      completion.watch()
    }
  }
}

/// Begins a function on the object behind a handle, for the object's agent. An unknown handle comes to `work` as nil: the
/// function decodes its other inputs first, for the agent that the caller has selected.
private func begin<Object, Value: Sendable>(
  _ function: StaticString, on handle: UInt32, of table: HandleTable<Object>, _ completion: Completion<Value>?,
  work: (Completion<Value>, Lane<Object>?) throws(VCXError) -> Void
) -> vcx_error_t {
  let entry = table[handle]
  return begin(function, for: entry?.owner ?? CurrentAgent.value, on: table.name(of: handle), completion) {
    completion throws(VCXError) in try work(completion, entry?.lane)
  }
}

extension Completion {
  /// Fails on a thread of the call's agent.
  fileprivate func failLater(_ error: VCXError, giving value: Value? = nil) {
    agent.threads.local.post { fail(error, giving: value) }
  }
}

/// Starts an operation on the object behind a handle. Operations on one object run one at a time, in the order of the
/// calls. The next one may begin before the callback of the last has returned.
///
/// An unknown handle is an error in the callback: the table's, or `unknown` for functions with an error of their own.
/// `failing` makes the value that accompanies an error from the object as the operation left it.
func start<Object, each Argument: Sendable, Value: Sendable>(
  _ completion: Completion<Value>?, on handle: UInt32, of table: HandleTable<Object>,
  _ inputs: repeat Input<each Argument>, by threads: Threads = .shared, unknown: Unknown<Value> = .tableError,
  failing failureValue: @escaping @Sendable (Object) -> Value? = { _ in nil }, function: StaticString = #function,
  body: @escaping @Sendable (inout Object, repeat each Argument) throws -> Value
) -> vcx_error_t {
  begin(function, on: handle, of: table, completion) { completion, lane throws(VCXError) in
    let arguments = (repeat try (each inputs).read())
    guard let lane else {
      let missing = table.missing(handle)
      return completion.agent.threads.local.post { unknown.finish(completion, missing) }
    }
    lane.post(on: completion.agent.threads.matching(threads)) { object in
      ending(completion, on: &object, handle, of: table, failing: failureValue) {
        try body(&$0, repeat (each arguments).get())
      }
    }
  }
}

/// Starts an operation on an object that also needs a connection. The operation sees the connection after that
/// connection's earlier operations, and meanwhile keeps its turn on the object. Handle 0 means no connection. The connection
/// of another agent is an error in the callback.
func start<Object, each Argument: Sendable, Value: Sendable>(
  _ completion: Completion<Value>?, on handle: UInt32, of table: HandleTable<Object>,
  over connection: vcx_connection_handle_t, _ inputs: repeat Input<each Argument>, by threads: Threads = .network,
  failing failureValue: @escaping @Sendable (Object) -> Value? = { _ in nil }, function: StaticString = #function,
  body: @escaping @Sendable (inout Object, Connection?, repeat each Argument) throws -> Value
) -> vcx_error_t {
  begin(function, on: handle, of: table, completion) { completion, lane throws(VCXError) in
    let arguments = (repeat try (each inputs).read())
    guard let lane else { return completion.failLater(table.missing(handle)) }
    let (local, threads) = (completion.agent.threads.local, completion.agent.threads.matching(threads))
    let work = { @Sendable (object: inout Object, connection: Connection?) -> @Sendable () -> Void in
      ending(completion, on: &object, handle, of: table, failing: failureValue) {
        try body(&$0, connection, repeat (each arguments).get())
      }
    }
    guard connection != 0 else { return lane.post(on: threads) { work(&$0, nil) } }
    let connectionLane: Lane<Connection>
    do throws(VCXError) { connectionLane = try connections.lane(of: connection, for: completion.agent) } catch {
      return lane.post(on: local) { _ in { completion.fail(error) } }
    }
    let fill = lane.reserve(on: threads)
    connectionLane.post(on: local) { connection in
      let connection = connection
      return { fill { work(&$0, connection) } }
    }
  }
}

/// Starts an operation on an object that also needs a copy of an object of another table, as that object's earlier
/// operations leave it. An object of another agent is an error in the callback.
func start<Object: Sendable, Other: Sendable, each Argument: Sendable, Value: Sendable>(
  _ completion: Completion<Value>?, on handle: UInt32, of table: HandleTable<Object>, beside otherHandle: UInt32,
  of otherTable: HandleTable<Other>, _ inputs: repeat Input<each Argument>, by threads: Threads = .shared,
  function: StaticString = #function,
  body: @escaping @Sendable (inout Object, Other, repeat each Argument) throws -> Value
) -> vcx_error_t {
  begin(function, on: handle, of: table, completion) { completion, lane throws(VCXError) in
    let arguments = (repeat try (each inputs).read())
    guard let lane else { return completion.failLater(table.missing(handle)) }
    let otherLane: Lane<Other>
    do throws(VCXError) { otherLane = try otherTable.lane(of: otherHandle, for: completion.agent) } catch {
      return completion.failLater(error)
    }
    let (local, threads) = (completion.agent.threads.local, completion.agent.threads.matching(threads))
    otherLane.post(on: local) { other in
      let other = other
      return {
        lane.post(on: threads) { object in
          ending(completion, on: &object, handle, of: table, failing: { _ in nil }) {
            try body(&$0, other, repeat (each arguments).get())
          }
        }
      }
    }
  }
}

/// Starts an operation on an object that also needs a copy of another object of the table, as the other object's
/// earlier operations leave it. The operation takes its turn only then, so that two operations that name each other's
/// object do not wait for each other.
func start<Object: Sendable, each Argument: Sendable, Value: Sendable>(
  _ completion: Completion<Value>?, on handle: UInt32, beside otherHandle: UInt32, of table: HandleTable<Object>,
  _ inputs: repeat Input<each Argument>, by threads: Threads = .network, function: StaticString = #function,
  body: @escaping @Sendable (inout Object, Object, repeat each Argument) throws -> Value
) -> vcx_error_t {
  start(
    completion, on: handle, of: table, beside: otherHandle, of: table, repeat each inputs, by: threads,
    function: function, body: body)
}

/// Runs the operation on the object, and then keeps the changed object in the wallet, if the configuration asks for it.
/// Returns a closure that calls back, to be run once the object is free again.
private func ending<Object, Value: Sendable>(
  _ completion: Completion<Value>, on object: inout Object, _ handle: UInt32, of table: HandleTable<Object>,
  failing failureValue: (Object) -> Value?, _ body: (inout Object) throws -> Value
) -> @Sendable () -> Void {
  let outcome = completion.running { Result { try body(&object) } }
  guard let result = outcome else { return {} }
  // A failed operation may have changed the object too: a refused message ends an exchange.
  let kept = Result { try table.keep(&object, of: handle, for: completion.agent) }
  if case .failure(let error) = kept { Log.warning("\(table.name(of: handle)) is not kept in the wallet: \(error)") }
  do {
    let value = try result.get()
    try kept.get()
    return { completion.succeed(value) }
  } catch {
    let error = completion.error(error)
    let value = failureValue(object)
    return { completion.fail(error, giving: value) }
  }
}

/// Completes a function that always fails in its callback: checks its arguments first.
func fail<each Argument, Value: Sendable>(
  _ completion: Completion<Value>?, _ inputs: repeat Input<each Argument>, with error: VCXError,
  giving failureValue: Value? = nil, function: StaticString = #function
) -> vcx_error_t {
  begin(function, for: CurrentAgent.value, completion) { completion throws(VCXError) in
    _ = (repeat try (each inputs).read())
    completion.failLater(error, giving: failureValue)
  }
}

/// Completes a function that this build does not implement: checks its arguments as the real function would, and then
/// reports 1103.
func unsupported<each Argument, Value: Sendable>(
  _ completion: Completion<Value>?, _ inputs: repeat Input<each Argument>, function: StaticString = #function
) -> vcx_error_t {
  code(of: Call.begin(function)) { () throws(VCXError) in
    guard completion != nil else { throw .noCallback }
    _ = (repeat try (each inputs).read())
    throw .notSupported
  }
}

/// Completes a function without a callback that this build does not implement.
func unsupported<each Argument>(
  _ inputs: repeat Input<each Argument>, function: StaticString = #function
) -> vcx_error_t {
  code(of: Call.begin(function)) { () throws(VCXError) in
    _ = (repeat try (each inputs).read())
    throw .notSupported
  }
}

/// The response of a function to an unknown handle.
enum Unknown<Value: Sendable>: Sendable {
  case tableError
  case error(ErrorCode)
  case value(Value)

  fileprivate func finish(_ completion: Completion<Value>, _ missing: VCXError) {
    switch self {
    case .tableError: completion.fail(missing)
    case .error(let code): completion.fail(VCXError(code, missing.detail))
    case .value(let value): completion.succeed(value)
    }
  }
}

/// Runs a function without a callback and returns its code.
func attempt(
  on object: @autoclosure () -> String? = nil, function: StaticString = #function,
  _ body: () throws(VCXError) -> Void
) -> vcx_error_t {
  let call = Call.begin(function, on: object())
  return code(of: call) { () throws(VCXError) in
    try body()
    call?.succeed(giving: ())
  }
}

/// The return value of a call.
func code(of call: Call?, _ body: () throws(VCXError) -> Void) -> vcx_error_t {
  do {
    try body()
    return ErrorCode.success.rawValue
  } catch {
    call?.fail(error)
    return record(error)
  }
}

extension VCXError {
  static let noCallback = VCXError(.invalidOption, "the argument cb, the callback, is NULL")
  static let onlyProprietary = VCXError(
    .actionNotSupported, "only credentials of the proprietary protocol have such a message")
  static let notSupported = VCXError(.actionNotSupported, "this build of the library does not implement the function")
}
