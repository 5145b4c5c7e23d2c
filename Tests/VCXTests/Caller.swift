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

/// Makes calls of one callback shape. A callback that nobody awaits, or that comes twice, ends the tests.
final class Caller<Value: Sendable>: Sendable {
  private let waiting = Locked([UInt32: CheckedContinuation<Ending<Value>, Never>]())
  private let last = Locked<UInt32>(0)

  /// Calls, and waits for the end.
  func call(_ function: (_ commandHandle: UInt32) -> vcx_error_t) async -> Ending<Value> {
    await withCheckedContinuation { continuation in
      let handle = last.withLock { last in
        last += 1
        return last
      }
      waiting.withLock { $0[handle] = continuation }
      let code = function(handle)
      if code != 0 { take(handle).resume(returning: .refused(code)) }
    }
  }

  /// For the callback.
  func receive(_ handle: UInt32, _ error: UInt32, _ value: Value) {
    let delivery = Delivery(error: error, value: value, currentError: currentError())
    take(handle).resume(returning: .delivered(delivery))
  }

  private func take(_ handle: UInt32) -> CheckedContinuation<Ending<Value>, Never> {
    guard let continuation = waiting.withLock({ $0.removeValue(forKey: handle) }) else {
      fatalError("a second end for the command handle \(handle)")
    }
    return continuation
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
