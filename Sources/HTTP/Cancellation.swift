internal import CCurl
internal import Threading

/// Ends the requests that are made with it, now and later, from any thread.
package final class Cancellation: Sendable {
  private struct State {
    var isCancelled = false
    /// Ends the running request.
    var end: (@Sendable () -> Void)?
  }

  private let state = Locked(State())

  package init() {}

  package var isCancelled: Bool { state.withLock { $0.isCancelled } }

  package func cancel() {
    let end = state.withLock { state in
      state.isCancelled = true
      return state.end.take()
    }
    end?()
  }

  /// Notes how to end the running request; nil if no request runs any more. Returns false after `cancel`.
  fileprivate func note(_ end: (@Sendable () -> Void)?) -> Bool {
    state.withLock { state in
      state.end = state.isCancelled ? nil : end
      return !state.isCancelled
    }
  }
}

extension HTTPClient {
  /// Posts, and blocks until the answer has come, or until `cancellation` ends the request, which then throws
  /// `unreachable`. A cancellation serves one request at a time.
  package func post(
    _ body: [UInt8], to url: String, contentType: String, endedBy cancellation: Cancellation
  ) throws(HTTPError) -> Response {
    guard !cancellation.isCancelled else { throw .unreachable("the request was cancelled") }
    let result = Monitor<Result<Response, HTTPError>?>(nil)
    let stop = post(body, to: url, contentType: contentType, headers: []) { answer in
      result.withLock { $0 = answer }
    }
    if !cancellation.note(stop) { stop() }
    defer { _ = cancellation.note(nil) }
    return try result.wait { $0 }.get()
  }
}
