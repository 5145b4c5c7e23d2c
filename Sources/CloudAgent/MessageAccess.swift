package import Aries
package import DIDComm
package import JSON

/// The way in which a Cloud Agent gives messages.
package enum MessageAccess: Sendable {
  /// The Cloud Agent keeps the messages with their statuses until the mailbox is closed, as an agency does.
  case kept(by: any MessageKeeper)
  /// The Cloud Agent passes the messages on and then deletes them, as a mediator does. The library keeps them.
  case collected(from: any MessageSource)

  /// The server that keeps the messages; nil if the library keeps them.
  package var keeper: (any MessageKeeper)? {
    switch self {
    case .kept(let keeper): keeper
    case .collected: nil
    }
  }

  /// The server that passes the messages on; nil if it keeps them.
  package var source: (any MessageSource)? {
    switch self {
    case .kept: nil
    case .collected(let source): source
    }
  }
}

/// The messages of mailboxes, with their statuses.
package protocol MessageKeeper: Sendable {
  /// The messages of one mailbox.
  func messages(in mailbox: Mailbox, _ filter: MessageFilter) throws -> [StoredMessage]

  /// The ids of the messages of one mailbox with these statuses. If `last` is the id of a message, the keeper may omit
  /// this message and the messages before it.
  func list(_ mailbox: Mailbox, _ statuses: [MessageStatus], after last: String?) throws -> MessageList

  /// Passes the messages of one mailbox to `take`, some at a time, until no more follow or `take` returns false. It
  /// downloads and holds only the messages that this needs. Returns whether they certainly come in the order of their
  /// arrival.
  func visit(_ mailbox: Mailbox, _ filter: MessageFilter, _ take: ([StoredMessage]) throws -> Bool) throws -> Bool

  /// The messages of several mailboxes by pairwise DID; of all mailboxes if the list is empty.
  func messages(of pairwiseDIDs: [String], _ filter: MessageFilter) throws -> [ConnectionMessages]

  /// Sets the status of messages. Unknown messages are skipped and logged.
  func setStatus(_ status: MessageStatus, of messages: [ConnectionUIDs]) throws
}

/// A server that holds messages until the library has taken them.
package protocol MessageSource: Sendable {
  /// Passes the waiting envelopes to `keep`, some at a time, until no more wait. When `keep` has returned, they are on
  /// the disk, and only then may the server delete them. It may pass an envelope twice, and in any order.
  func collect(_ keep: ([JSON]) throws -> Void) throws

  /// The mailbox of a key, which may not be open yet.
  func mailbox(for key: VerKey) -> Mailbox
}
