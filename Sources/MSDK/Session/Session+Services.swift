internal import Aries
internal import CloudAgent
internal import DIDComm
internal import JSON

extension Session {
  /// Asks the Cloud Agent for a sign of life.
  package func checkHealth() throws { try cloudAgent().checkHealth() }

  /// Creates a pairwise key and its mailbox ahead of a connection. The text is for `pairwise_agent_info` in the options
  /// of one `vcx_connection_connect`.
  package func createMailbox() throws -> String {
    JSON.object(Pairwise(try openMailbox(for: wallet.createDID(seed: nil).verkey)).stored).text
  }

  /// Throws unless the wallet holds the mailbox's key and has not noted the key with another agent: a connection with a foreign
  /// mailbox would get no message.
  func requireOwn(_ mailbox: Mailbox) throws {
    guard try wallet.keyPair(for: mailbox.key) != nil else { throw CloudAgentError.missingKey(mailbox.key) }
    guard try book.mailboxes(of: [mailbox.key.did.text]).allSatisfy({ $0 == mailbox }) else {
      throw ConnectionError.malformedOptions(
        .wrongType(key: "pairwise_agent_info", expected: "the text that vcx_create_pairwise_agent gave for this DID"))
    }
  }
}
