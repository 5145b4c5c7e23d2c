internal import Platform
internal import Threading

/// The time limit of one call. The call has ended in time if its operation begins before the deadline: everything that the
/// operation waits for ends by then, so that it calls back itself. Otherwise the clock calls back, and the operation never begins.
final class CallLimit: Sendable {
  let deadline: MonotonicTime

  private enum State { case waiting, begun, expired }
  private let state = Locked(State.waiting)

  init(milliseconds: UInt32) { deadline = .now.after(milliseconds: Int(milliseconds)) }

  var isWaiting: Bool { state.withLock { $0 == .waiting } }

  /// Notes that the operation begins. Returns false if the clock has ended the call.
  func begin() -> Bool {
    state.withLock { state in
      if state == .waiting { state = .begun }
      return state == .begun
    }
  }

  /// Ends the call. Returns false if its operation has begun.
  func expire() -> Bool {
    state.withLock { state in
      guard state == .waiting else { return false }
      state = .expired
      return true
    }
  }
}

extension CallLimit {
  private static let nextMilliseconds = ThreadWord()

  /// Sets the limit of the next call of this thread; 0 for none.
  static func setNext(milliseconds: UInt32) { nextMilliseconds.set(UInt(milliseconds)) }

  /// Takes the limit of the call that begins now. Returns nil if the thread has set none for it.
  static func takeNext() -> CallLimit? {
    let set = nextMilliseconds.value
    guard set != 0 else { return nil }
    nextMilliseconds.set(0)
    return CallLimit(milliseconds: UInt32(set))
  }
}
