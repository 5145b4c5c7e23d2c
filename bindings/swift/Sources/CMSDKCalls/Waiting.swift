import CMSDK
import Synchronization

/// The callers that wait for one kind of answer, by command handle.
final class Waiting<Value: Sendable>: Sendable {
  typealias Continuation = CheckedContinuation<Result<Value, MSDKError>, Never>

  private let calls = Mutex((last: vcx_command_handle_t(0), continuations: [vcx_command_handle_t: Continuation]()))

  /// Returns the command handle to call with.
  func add(_ continuation: Continuation) -> vcx_command_handle_t {
    calls.withLock { calls in
      repeat { calls.last &+= 1 } while calls.continuations[calls.last] != nil
      calls.continuations[calls.last] = continuation
      return calls.last
    }
  }

  /// The work of the callback, on a thread of the library.
  func resume(_ handle: vcx_command_handle_t, _ error: vcx_error_t, _ value: Value) {
    finish(handle, error == VCX_SUCCESS.rawValue ? .success(value) : .failure(MSDKError(current: error)))
  }

  /// The function returned an error: its callback never comes.
  func refuse(_ handle: vcx_command_handle_t, _ error: vcx_error_t) {
    finish(handle, .failure(MSDKError(current: error)))
  }

  private func finish(_ handle: vcx_command_handle_t, _ result: Result<Value, MSDKError>) {
    calls.withLock { $0.continuations.removeValue(forKey: handle) }?.resume(returning: result)
  }
}
