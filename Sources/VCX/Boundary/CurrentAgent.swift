internal import MSDK
internal import Platform

/// The agent that a thread works for: the one that the program has selected, and in a thread of the library the one of the
/// call.
enum CurrentAgent {
  /// The agent; the standard agent if the thread has selected none.
  static var value: Agent { pthread_getspecific(key).map(agent) ?? .standard }

  /// Makes `agent` the agent of this thread.
  static func select(_ agent: Agent) { release(exchange(agent)) }

  /// Runs `body` for `agent`, and restores the selection afterwards, also if `body` selects another agent.
  static func serving<Result, Failure: Error>(
    _ agent: Agent, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if agent === Agent.standard, pthread_getspecific(key) == nil {
      defer { if pthread_getspecific(key) != nil { select(.standard) } }
      return try body()
    }
    let former = exchange(agent)
    defer {
      release(pthread_getspecific(key))
      pthread_setspecific(key, former)
    }
    return try body()
  }

  /// Sets the agent of this thread, which holds a reference to it; none for the standard agent. Returns the former value,
  /// with its reference.
  private static func exchange(_ agent: Agent) -> UnsafeMutableRawPointer? {
    let former = pthread_getspecific(key)
    pthread_setspecific(key, agent === Agent.standard ? nil : Unmanaged.passRetained(agent).toOpaque())
    return former
  }

  /// The system releases the agent when the thread ends.
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    let result = pthread_key_create(&key) { CurrentAgent.release($0) }
    precondition(result == 0, "the process has no thread-specific keys left")
    return key
  }()

  private static func agent(_ pointer: UnsafeMutableRawPointer) -> Agent {
    Unmanaged<Agent>.fromOpaque(pointer).takeUnretainedValue()
  }

  private static func release(_ pointer: UnsafeMutableRawPointer?) {
    if let pointer { Unmanaged<Agent>.fromOpaque(pointer).release() }
  }
}

extension Agent {
  /// The text with the agent's name before it. The standard agent has no name: a program with one agent needs none.
  func naming(_ text: String) -> String { number == 0 ? text : "agent \(number): \(text)" }
}
