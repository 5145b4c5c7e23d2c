internal import CloudAgent
internal import JSON

extension Agent {
  /// Asks the Cloud Agent whether it is there.
  package func checkHealth() throws { try cloudAgent().checkHealth() }

  /// Makes a pairwise key and its mailbox ahead of a connection. The text is for `pairwise_agent_info` in the options of
  /// one `vcx_connection_connect`.
  package func createPairwiseAgent() throws -> String {
    let mailbox = try cloudAgent().openMailbox(for: wallet.createDID(seed: nil).verkey)
    let info: JSON = [
      "agent_did": .string(mailbox.agent.did), "agent_vk": .string(mailbox.agent.verkey.text),
      "pw_did": .string(mailbox.pairwiseDID.text), "pw_vk": .string(mailbox.key.text),
    ]
    return info.text
  }
}
