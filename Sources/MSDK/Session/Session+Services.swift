internal import Aries
internal import CloudAgent
internal import DIDComm
internal import JSON

extension Session {
  /// Checks that the Cloud Agent answers. Returns the time of its clock in seconds since 1970, if the answer has it.
  @discardableResult
  package func checkHealth() throws -> Int64? { try cloudAgent().checkHealth() }

  /// Throws if the configuration names no Cloud Agent.
  package func requireCloudAgent() throws(SettingsError) { _ = try cloudAgent() }

  /// The Cloud Agent's part that keeps backups of wallets.
  func backups() throws -> any BackupKeeper {
    guard let backups = try cloudAgent().backups else { throw CloudAgentError.unable("keeps no backups of wallets") }
    return backups
  }

  /// The Cloud Agent's part that notifies the user of new messages.
  func notifier() throws -> any Notifier {
    guard let notifier = try cloudAgent().notifier else { throw CloudAgentError.unable("notifies nobody of messages") }
    return notifier
  }

  /// Creates a pairwise key and its mailbox ahead of a connection. The text is for `pairwise_agent_info` in the options
  /// of one `vcx_connection_connect`.
  package func createMailbox() throws -> String {
    JSON.object(Pairwise(try openMailbox(for: wallet.createDID(seed: nil).verkey)).stored).text
  }

  /// Throws unless the wallet holds the mailbox's key and has not noted another agent for it: a connection with a
  /// foreign mailbox would get no message. The list of mailboxes at a source is complete: a key that it lacks is another
  /// key of the wallet, such as that of the client.
  func requireOwn(_ mailbox: Mailbox) throws {
    guard try wallet.keyPair(for: mailbox.key) != nil else { throw CloudAgentError.missingKey(mailbox.key) }
    let noted = try book.mailboxes(of: [mailbox.key.did.text])
    let isComplete = try cloudAgent().access.source != nil
    guard noted.allSatisfy({ $0 == mailbox }), !isComplete || !noted.isEmpty else {
      throw ConnectionError.malformedOptions(
        .wrongType(key: "pairwise_agent_info", expected: "the text that vcx_create_pairwise_agent gave for this DID"))
    }
  }
}
