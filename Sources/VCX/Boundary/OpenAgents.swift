internal import MSDK
internal import Threading

/// The agents that the program has opened beside the standard one, by handle.
final class OpenAgents: Sendable {
  static let process = OpenAgents()

  private let agents = Locked<[UInt32: Agent]>([:])

  /// Starts a further agent and returns its handle.
  func open(_ settings: Settings) throws -> UInt32 {
    let agent = Agent(number: try HandleCounter.shared.next())
    try CurrentAgent.serving(agent) { try agent.start(settings) }
    agents.withLock { $0[agent.number] = agent }
    return agent.number
  }

  /// The agent with the handle; 0 is the standard agent.
  func find(_ handle: UInt32) throws(VCXError) -> Agent {
    guard handle != 0 else { return .standard }
    guard let agent = agents.withLock({ $0[handle] }) else { throw missing(handle) }
    return agent
  }

  /// Ends an agent for good. Waits for the running callbacks of its subscriptions.
  func close(_ handle: UInt32) throws(VCXError) {
    guard let agent = agents.withLock({ $0.removeValue(forKey: handle) }) else { throw missing(handle) }
    CurrentAgent.serving(agent) { agent.end(by: agent.close) }
  }

  private func missing(_ handle: UInt32) -> VCXError {
    let reason = handle == 0 ? "only vcx_shutdown ends the agent 0" : "no open agent has the handle \(handle)"
    return VCXError(.invalidObjHandle, reason)
  }
}

extension Agent {
  /// Ends the session by `stop`, and with it the agent's objects and subscriptions. Waits for the running callbacks of the
  /// subscriptions.
  func end(by stop: (_ forgetting: () -> Void) -> Void) {
    var waitForCallbacks = {}
    stop {
      forgetObjects(of: self)
      waitForCallbacks = Subscriptions.process.endAll(of: self)
    }
    waitForCallbacks()
  }
}
