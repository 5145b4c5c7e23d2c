internal import MSDK
internal import Threading

/// The subscriptions of the running sessions, by the command handles of their calls.
final class Subscriptions: Sendable {
  static let process = Subscriptions()

  /// Agents may use the same command handles.
  private struct Name: Hashable {
    let agent: UInt32
    let command: vcx_command_handle_t
  }

  private let running = Locked<[Name: MessageSubscription]>([:])

  /// Each subscription has a thread, and a connection with the Cloud Agent. The limit is for each agent.
  private static let limit = 16

  /// Begins to pass the agent's new messages to the callback. Throws if no session runs, or the command handle has a
  /// subscription.
  func add(_ command: vcx_command_handle_t, _ cb: vcx_string_cb?, of agent: Agent) throws(VCXError) {
    guard let cb else { throw .noCallback }
    do { try agent.running().requireCloudAgent() } catch { throw VCXError(error) }
    nonisolated(unsafe) let function = cb
    let subscription = MessageSubscription(of: agent, applying: { apply($0, for: agent, then: $1) }) { text in
      CurrentAgent.serving(agent) {
        _ = CallbackGate.process.pass { text.withCString { function(command, ErrorCode.success.rawValue, $0) } }
      }
    }
    let name = Name(agent: agent.number, command: command)
    try running.withLock { (running) throws(VCXError) in
      guard running[name] == nil else {
        throw VCXError(.alreadyInitialized, "this command handle has a subscription")
      }
      guard running.count(where: { $0.key.agent == agent.number }) < Self.limit else {
        throw VCXError(.invalidOption, "there are \(Self.limit) subscriptions")
      }
      running[name] = subscription
    }
    guard agent.isRunning else {
      end(command, of: agent)
      throw VCXError(SessionError.notRunning)
    }
    subscription.start { work in CurrentAgent.serving(agent, work) }
  }

  /// Ends a subscription, if there is one. Its callback runs no more, unless this is called inside it.
  func end(_ command: vcx_command_handle_t, of agent: Agent) {
    let subscription = running.withLock { $0.removeValue(forKey: Name(agent: agent.number, command: command)) }
    subscription?.stop()
    subscription?.waitForTeller()
  }

  /// Ends all subscriptions of an agent. Their callbacks run no more once the returned function has returned.
  func endAll(of agent: Agent) -> () -> Void {
    let ended = running.withLock { running in
      let ended = running.filter { $0.key.agent == agent.number }
      for name in ended.keys { running[name] = nil }
      return Array(ended.values)
    }
    for subscription in ended { subscription.stop() }
    return { for subscription in ended { subscription.waitForTeller() } }
  }
}
