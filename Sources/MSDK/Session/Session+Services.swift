internal import CloudAgent
internal import JSON

extension Session {
  /// Asks the Cloud Agent for a sign of life.
  package func checkHealth() throws { try cloudAgent().checkHealth() }

  /// Creates a pairwise key and its mailbox ahead of a connection. The text is for `pairwise_agent_info` in the options
  /// of one `vcx_connection_connect`.
  package func createMailbox() throws -> String {
    try openMailbox(for: wallet.createDID(seed: nil).verkey).json.text
  }
}
