package import Threading

/// The threads of one agent, by the work that they do.
///
/// The calls of no agent wait for the threads of another: the calls of one agent may hold all of its threads, if its wallet is locked or
/// its servers do not answer. A pool without jobs has no thread, so it costs an idle agent nothing.
package struct AgentThreads: Sendable {
  package let local: Threads
  package let network: Threads
  package let makingKeys: Threads

  /// The threads of the process, which serve the standard agent and all work without an agent.
  static let ofProcess = AgentThreads(local: .shared, network: .network, makingKeys: .makingKeys)

  /// Threads for another agent, with the limits of the process's own.
  static func made() -> AgentThreads {
    AgentThreads(local: .forLocalWork(), network: .forNetwork(), makingKeys: .forMakingKeys())
  }

  /// This agent's threads for the work of `threads`, which are the process's.
  package func matching(_ threads: Threads) -> Threads {
    if threads === Threads.shared { return local }
    if threads === Threads.network { return network }
    return threads === Threads.makingKeys ? makingKeys : threads
  }
}
