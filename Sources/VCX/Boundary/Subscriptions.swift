internal import MSDK
internal import Threading

/// The subscriptions of the running session, by the command handles of their calls.
final class Subscriptions: Sendable {
  static let process = Subscriptions()

  private let running = Locked<[vcx_command_handle_t: MessageSubscription]>([:])

  /// Each subscription has a thread, and a connection with the Cloud Agent.
  private static let limit = 16

  /// Begins to pass new messages to the callback. Throws if no session runs, or the command handle has a subscription.
  func add(_ command: vcx_command_handle_t, _ cb: vcx_string_cb?) throws(VCXError) {
    guard let cb else { throw .noCallback }
    do { try Session.running().requireCloudAgent() } catch { throw VCXError(error) }
    nonisolated(unsafe) let function = cb
    let subscription = MessageSubscription { text in
      _ = CallbackGate.process.pass { text.withCString { function(command, ErrorCode.success.rawValue, $0) } }
    }
    try running.withLock { (running) throws(VCXError) in
      guard running[command] == nil else {
        throw VCXError(.alreadyInitialized, "this command handle has a subscription")
      }
      guard running.count < Self.limit else { throw VCXError(.invalidOption, "there are \(Self.limit) subscriptions") }
      running[command] = subscription
    }
    guard Session.isRunning else {
      end(command)
      throw VCXError(SessionError.notRunning)
    }
    subscription.start()
  }

  /// Ends a subscription, if there is one. Its callback runs no more, unless this is called inside it.
  func end(_ command: vcx_command_handle_t) {
    let subscription = running.withLock { $0.removeValue(forKey: command) }
    subscription?.stop()
    subscription?.waitForTeller()
  }

  /// Ends all subscriptions. Their callbacks run no more once the returned function has returned.
  func endAll() -> () -> Void {
    let ended = running.withLock { running in
      defer { running = [:] }
      return Array(running.values)
    }
    for subscription in ended { subscription.stop() }
    return { for subscription in ended { subscription.waitForTeller() } }
  }
}
