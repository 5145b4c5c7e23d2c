public import CMSDKCalls
internal import CMSDK

/// An agent beside that of ``Session``: a wallet of its own, and its owner's mailbox.
///
/// Calls within ``run(_:)`` are made for it. A call on one of its objects may be made outside, unless it reads messages.
///
/// ```swift
/// let faber = try await Agent(configuration)
/// let connection = try await faber.run { try await Connection.invite(name: "alice") }
/// let invitation = try await connection.connect()
/// try await faber.close()
/// ```
public final class Agent: Sendable {
  private let handle: msdk_agent_handle_t

  /// Opens the wallet, and uses the configuration that ``Session/provision(_:token:)`` returned. Sends no request.
  public init(_ configuration: Configuration) async throws(MSDKError) {
    handle = try await Call.number { msdk_agent_open($0, configuration.text, $1) }
  }

  /// Makes the calls of `body` for this agent, also those of tasks that begin there.
  public func run<Result>(_ body: () async throws -> Result) async rethrows -> Result {
    try await Call.$agent.withValue(handle) { try await body() }
  }

  /// Closes the wallet, and releases the objects of the agent. Throws if it is closed already.
  public func close() async throws(MSDKError) {
    let handle = handle
    try await Call.done { msdk_agent_close($0, handle, $1) }
  }
}
