package import DIDComm
package import HTTP

/// The mailbox that receives while the app sleeps: what the SDK needs of it, whichever kind it is.
///
/// All calls block until the Cloud Agent has answered, and may be made from any thread.
package protocol CloudAgent: Sendable {
  /// Opens a mailbox for a pairwise key. Asking again for the same key gives the same mailbox.
  func openMailbox(for key: VerKey) throws -> Mailbox

  /// Closes a mailbox: its messages are gone, and what peers still send there is refused. Closing one that is not there
  /// any more succeeds.
  func closeMailbox(_ mailbox: Mailbox) throws

  /// Whether the Cloud Agent is there and is the one that it should be; an error if not.
  func checkHealth() throws

  /// The service to publish for a mailbox: peers that use it reach the mailbox.
  func service(of mailbox: Mailbox) -> Service

  /// The messages of one mailbox.
  func messages(in mailbox: Mailbox, _ filter: MessageFilter) throws -> [StoredMessage]

  /// Gives the messages of one mailbox to `take`, some at a time, until there are no more or `take` returns false. No
  /// more of them are downloaded than that needs, nor held at a time.
  func visit(_ mailbox: Mailbox, _ filter: MessageFilter, _ take: ([StoredMessage]) throws -> Bool) throws

  /// The messages of several mailboxes by pairwise DID, of all where the list is empty.
  func messages(of pairwiseDIDs: [String], _ filter: MessageFilter) throws -> [ConnectionMessages]

  /// The messages for the owner himself, which belong to no mailbox.
  func ownMessages(_ filter: MessageFilter) throws -> [StoredMessage]

  /// Says how the owner wants to hear of new messages, or not any more.
  func setComMethod(_ method: ComMethod) throws

  /// Sets the status of messages. A message that is unknown is passed over, and logged.
  func setStatus(_ status: MessageStatus, of messages: [ConnectionUIDs]) throws
}

/// Where the messages of one connection arrive.
package struct Mailbox: Equatable, Sendable {
  /// The pairwise key that the messages are for.
  package let key: VerKey
  /// The pairwise agent that keeps them.
  package let agent: Party

  package init(key: VerKey, agent: Party) {
    self.key = key
    self.agent = agent
  }

  package var pairwiseDID: DID { key.did }
}

/// Where the owner's mailboxes are noted, for Cloud Agents that can only be asked for the messages of one at a time.
package protocol MailboxDirectory: Sendable {
  /// The mailboxes of these pairwise DIDs, of all where the list is empty. Those that are not noted are left out.
  func mailboxes(of pairwiseDIDs: [String]) throws -> [Mailbox]
}

/// Why a Cloud Agent did not do what was asked.
package enum CloudAgentError: Error, Equatable, Sendable {
  /// No answer came.
  case unreachable(HTTPError)
  /// An answer with an error status; with the agency's reason where it gave one.
  case refused(status: Int, Refusal?)
  /// An answer that is not what the request asks for, or not from whom it was asked of.
  case invalidAnswer(String)
  /// An answer that says no, in the agency's words: a token that is not good, for example.
  case declined(String)
  /// A key that the request needs is not in the wallet.
  case missingKey(VerKey)
  /// The messages that were asked for take more memory than one download may.
  case tooMuch
}

extension CloudAgentError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unreachable(let error): "the Cloud Agent was not reached: \(error)"
    case .refused(let status, let refusal?):
      "the Cloud Agent refused: \(refusal.statusCode) \(refusal.statusMessage) (HTTP \(status))"
    case .refused(let status, nil): "the Cloud Agent refused: HTTP \(status)"
    case .invalidAnswer(let reason): "the Cloud Agent's answer is not valid: \(reason)"
    case .declined(let text): "the agency declined: \(text)"
    case .missingKey(let key): "the wallet does not hold the key of the DID \(key.did)"
    case .tooMuch: "the messages exceed 64 MiB: ask for fewer at a time, by connection, by status or by id"
    }
  }
}
