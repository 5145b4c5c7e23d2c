internal import Threading

/// The result of opening a library, per requested path: it is opened once, and a failure is kept too.
package final class OpenedOnce<Opened: Sendable, Failure: Error>: Sendable {
  private let results = Locked<[String?: Result<Opened, Failure>]>([:])

  package init() {}

  /// The library at `path`; nil lets `open` search for it. Only the first call with this path runs `open`.
  package func at(
    _ path: String?, open: @Sendable () throws(Failure) -> Opened
  ) throws(Failure) -> Opened {
    let result = results.withLock { results in
      if let known = results[path] { return known }
      let result = Result { () throws(Failure) in try open() }
      results[path] = result
      return result
    }
    return try result.get()
  }
}
