/// A sign that one party gives and one party hears. It may be given before the other listens.
package final class Alarm: Sendable {
  package typealias Listener = @Sendable () -> Void

  private struct State {
    var isRung = false
    var listener: Listener?
  }

  private let state = Locked(State())

  package init() {}

  /// Calls the listener, on this thread. Without one, the next listener is called at once.
  package func ring() {
    let listener = state.withLock { state -> Listener? in
      state.isRung = state.listener == nil
      return state.listener
    }
    listener?()
  }

  /// Calls `listener` for each sign from now on, and for a sign that nobody has heard.
  package func listen(_ listener: @escaping Listener) {
    let wasRung = state.withLock { state in
      defer { state.isRung = false }
      state.listener = listener
      return state.isRung
    }
    if wasRung { listener() }
  }

  /// Releases the listener. Nobody hears later signs.
  package func silence() { state.withLock { $0.listener = nil } }
}
