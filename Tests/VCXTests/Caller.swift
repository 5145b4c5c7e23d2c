import Threading

@testable import VCX

/// The values that a callback received, and the current error inside it.
struct Delivery<Value: Sendable>: Sendable {
  let error: UInt32
  let value: Value
  let currentError: String?
}

/// How a call ended: refused by its return value, or in its callback.
enum Ending<Value: Sendable>: Sendable {
  case refused(UInt32)
  case delivered(Delivery<Value>)

  var refusal: UInt32? { if case .refused(let code) = self { code } else { nil } }
  var delivery: Delivery<Value>? { if case .delivered(let delivery) = self { delivery } else { nil } }
}

/// A call that has begun.
final class Call<Value: Sendable>: Sendable {
  private let state = Monitor(Ending<Value>?.none)

  /// How the call has ended; nil if it has not.
  fileprivate(set) var ending: Ending<Value>? {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }

  /// Waits for the end.
  func end() -> Ending<Value> { state.wait { $0 } }
}

/// Makes calls of one callback shape. A callback that nobody awaits, or that comes twice, ends the tests.
final class Caller<Value: Sendable>: Sendable {
  typealias Function = (_ commandHandle: UInt32) -> vcx_error_t

  private let waiting = Locked([UInt32: @Sendable (Ending<Value>) -> Void]())
  private let last = Locked<UInt32>(0)

  /// Calls, and waits for the end.
  func call(_ function: Function) async -> Ending<Value> {
    await withCheckedContinuation { continuation in begin(function) { continuation.resume(returning: $0) } }
  }

  /// Calls without waiting. `Call.end()` blocks the thread of the test, and so suits tests that hold threads of the library: a test that
  /// awaits gets its thread back late while hundreds of other tests run.
  func started(_ function: Function) -> Call<Value> {
    let call = Call<Value>()
    begin(function) { call.ending = $0 }
    return call
  }

  private func begin(_ function: Function, then resume: @escaping @Sendable (Ending<Value>) -> Void) {
    let handle = last.withLock { last in
      last += 1
      return last
    }
    waiting.withLock { $0[handle] = resume }
    let code = function(handle)
    if code != 0 { take(handle)(.refused(code)) }
  }

  /// For the callback.
  func receive(_ handle: UInt32, _ error: UInt32, _ value: Value) {
    let delivery = Delivery(error: error, value: value, currentError: currentError())
    take(handle)(.delivered(delivery))
  }

  private func take(_ handle: UInt32) -> @Sendable (Ending<Value>) -> Void {
    guard let resume = waiting.withLock({ $0.removeValue(forKey: handle) }) else {
      fatalError("a second end for the command handle \(handle)")
    }
    return resume
  }
}

/// The current error of this thread, as a C program reads it.
func currentError() -> String? {
  var pointer: CString?
  vcx_get_current_error(&pointer)
  return pointer.map { String(cString: $0) }
}

let done = Caller<Bool>()
let strings = Caller<String?>()
let numbers = Caller<UInt32>()

let doneCallback: vcx_done_cb = { done.receive($0, $1, true) }
let stringCallback: vcx_string_cb = { strings.receive($0, $1, $2.map { String(cString: $0) }) }
let numberCallback: vcx_number_cb = { numbers.receive($0, $1, $2) }
let pairs = Caller<NumberAndText>()
let pairCallback: vcx_number_string_cb = {
  pairs.receive($0, $1, NumberAndText(number: $2, text: $3.map { String(cString: $0) }))
}
let byteArrays = Caller<[UInt8]?>()
let answers = Caller<Bool>()
let bytesCallback: vcx_bytes_cb = { command, error, bytes, count in
  byteArrays.receive(command, error, bytes.map { Array(UnsafeBufferPointer(start: $0, count: Int(count))) })
}
let answerCallback: vcx_bool_cb = { answers.receive($0, $1, $2) }
let searchHandles = Caller<Int32>()
let searchCallback: vcx_search_cb = { searchHandles.receive($0, $1, $2) }
