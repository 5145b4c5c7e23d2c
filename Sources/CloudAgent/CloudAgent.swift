package import Aries
package import DIDComm
package import HTTP

/// The mailbox service that receives while the app sleeps, as the SDK sees it.
///
/// All calls block until the Cloud Agent has answered. Any thread may make them.
package protocol CloudAgent: Sendable {
  /// Opens a mailbox for a pairwise key. A second call with the same key gives the same mailbox.
  func openMailbox(for key: VerKey) throws -> Mailbox

  /// Closes a mailbox: its messages are deleted, and later messages of peers are refused. Closing a mailbox that does
  /// not exist succeeds.
  func closeMailbox(_ mailbox: Mailbox) throws

  /// Throws if the Cloud Agent cannot be reached or has another key than the configured one. Returns the time of its
  /// clock in seconds since 1970, if it tells the time.
  @discardableResult
  func checkHealth() throws -> Int64?

  /// The service to publish for a mailbox: peers use it to reach the mailbox.
  func service(of mailbox: Mailbox) throws -> Service

  /// The agent that keeps a mailbox, and its agency, which proprietary invitations name. Nil if the Cloud Agent is not at
  /// an agency.
  func agents(of mailbox: Mailbox) throws -> (keeper: Party, agency: Party)?

  /// Nil if the Cloud Agent keeps no backups of wallets.
  var backups: (any BackupKeeper)? { get }

  /// Nil if the Cloud Agent cannot notify the owner of new messages.
  var notifier: (any Notifier)? { get }

  /// Nil if the Cloud Agent tells of new messages only when it is asked.
  var announcer: (any Announcer)? { get }

  /// The way in which the Cloud Agent gives messages.
  var access: MessageAccess { get }
}

extension CloudAgent {
  package var backups: (any BackupKeeper)? { nil }
  package var notifier: (any Notifier)? { nil }
  package var announcer: (any Announcer)? { nil }
  package func agents(of mailbox: Mailbox) throws -> (keeper: Party, agency: Party)? { nil }
}

/// The list of the owner's mailboxes, for Cloud Agents that list the messages of one mailbox at a time.
package protocol MailboxDirectory: Sendable {
  /// The mailboxes of these pairwise DIDs; all mailboxes if the list is empty. Unknown DIDs are skipped.
  func mailboxes(of pairwiseDIDs: [String]) throws -> [Mailbox]
}

/// The reasons why a Cloud Agent did not fulfil a request.
package enum CloudAgentError: Error, Equatable, Sendable {
  /// No answer came.
  case unreachable(HTTPError)
  /// An answer with an error status, with the agency's reason if it gave one.
  case refused(status: Int, Refusal?)
  /// An answer of another kind, or from another key than the addressee's.
  case invalidAnswer(String)
  /// A refusal in the agency's words, for example of an invalid token.
  case declined(String)
  /// A refusal in the mediator's words.
  case denied(String)
  /// A key that the request needs is not in the wallet.
  case missingKey(VerKey)
  /// The mailbox of this DID is closed, or at another Cloud Agent.
  case unknownMailbox(DID)
  /// The requested messages exceed the size limit of one download.
  case tooMuch
  /// The Cloud Agent is of a kind that does not do this.
  case unable(String)
  /// Another account has backups under the recovery key.
  case recoveryKeyTaken
  /// The account's backups are under another recovery key by now.
  case recoveryKeyReplaced
}

extension CloudAgentError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unreachable(let error): "the Cloud Agent was not reached: \(error)"
    case .refused(let status, let refusal?):
      "the Cloud Agent refused: \(refusal.statusCode) \(refusal.statusMessage) (HTTP \(status))\(Self.hint(status))"
    case .refused(let status, nil): "the Cloud Agent refused: HTTP \(status)\(Self.hint(status))"
    case .invalidAnswer(let reason): "the Cloud Agent's answer is not valid: \(reason)"
    case .declined(let text): "the agency declined: \(text)"
    case .denied(let text): "the mediator refused: \(text)"
    case .missingKey(let key): "the wallet does not hold the key of the DID \(key.did)"
    case .unknownMailbox(let did): "the Cloud Agent has no mailbox for the DID \(did)"
    case .tooMuch: "the messages exceed 64 MiB: ask for fewer at a time, by connection, by status or by id"
    case .unable(let what): "this Cloud Agent \(what)"
    case .recoveryKeyTaken: "another account has backups under this passphrase"
    case .recoveryKeyReplaced: "the account's backups are under another passphrase by now: begin a new backup"
    }
  }

  /// The likely fault behind a status of servers that know nothing of the request: the address, or the agent's DID.
  private static func hint(_ status: Int) -> String {
    [404, 405, 501].contains(status) ? "; is this address that of the Cloud Agent with this DID and verkey?" : ""
  }
}
