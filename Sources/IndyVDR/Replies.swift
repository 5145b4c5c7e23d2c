internal import Threading

/// The answers from the library's threads. One thread waits for each, under a number of its own.
enum Replies: Sendable {
  private static let state = Monitor(State())

  private struct State: Sendable {
    var last: Int64 = 0
    /// The library of each answer that has not come yet.
    var awaited: [Int64: LedgerLibrary] = [:]
    var arrived: [Int64: Result<String, LedgerError>] = [:]
    /// The answers for which no thread waits any more.
    var abandoned: Set<Int64> = []
  }

  /// Lets `send` pass a number to the library, and waits until the library answers with it.
  ///
  /// The library always answers, within its own time limits. If it does not answer within `seconds`, its thread counts
  /// as dead. The thread waits no longer than its `Deadline`.
  static func wait(
    for library: LedgerLibrary, seconds: Int, _ send: (Int64) throws(LedgerError) -> Void
  ) throws(LedgerError) -> String {
    let number = state.withLock { state in
      state.last += 1
      state.awaited[state.last] = library
      return state.last
    }
    do { try send(number) } catch {
      state.withLock { $0.awaited[number] = nil }
      throw error
    }
    let limit = Deadline.milliseconds(atMost: seconds * 1000)
    let reply = state.wait(milliseconds: limit) { $0.arrived.removeValue(forKey: number) }
    guard let reply else {
      state.withLock { state in
        if state.arrived.removeValue(forKey: number) == nil { state.abandoned.insert(number) }
      }
      throw .unreachable("no answer in \(limit) ms")
    }
    return try reply.get()
  }

  /// Takes an answer from a thread of the library. The library's last error still belongs to this answer.
  static func deliver(_ number: Int64, _ code: Int64, _ text: UnsafeMutablePointer<CChar>?) {
    guard let library = state.withLock({ $0.awaited.removeValue(forKey: number) }) else { return }
    let reply: Result<String, LedgerError> =
      code == 0 ? .success(text.map { String(cString: $0) } ?? "") : .failure(library.lastError(code))
    library.functions.freeText(text)
    state.withLock { state in
      if state.abandoned.remove(number) == nil { state.arrived[number] = reply }
    }
  }
}
