package import DIDComm

/// A user's Cloud Agent: an account.
package struct Account: Equatable, Sendable {
  /// The progress through the three requests of provisioning.
  package enum State: String, Sendable { case connected, registered, created }

  package let id: Int64
  package let party: Party
  package let sealedKey: SealedKey

  /// The only key whose requests the account obeys, and the one that its answers are for.
  package let owner: VerKey
  package var state: State

  /// The sponsor of the owner; nil if the agency needs none.
  package let sponsorID: String?

  /// The time of a request of the owner, in seconds since 1970. It may lag behind: not every request is noted.
  package let lastSeen: Int64

  /// Whether the operator has locked the account: the agency serves neither its owner nor its senders.
  package var isLocked = false
}

/// An account in the operator's view: neither keys nor content.
package struct AccountSummary: Equatable, Sendable {
  /// Accounts are numbered as they are made.
  package let id: Int64
  package let did: String

  /// One of `Account.State`, or `locked`.
  package let state: String
  package let sponsorID: String?
  package let sponseeID: String?

  /// Seconds since 1970.
  package let created: Int64
  package let lastSeen: Int64
  package let holdings: Holdings
}

/// The contents of one account, or of several.
package struct Holdings: Equatable, Sendable {
  /// The number of mailboxes, without deleted ones.
  package var mailboxes = 0
  package var unread = 0
  package var read = 0

  /// The size of all messages, packed.
  package var bytes = 0

  package init(mailboxes: Int = 0, unread: Int = 0, read: Int = 0, bytes: Int = 0) {
    self.mailboxes = mailboxes
    self.unread = unread
    self.read = read
    self.bytes = bytes
  }

  package static func += (sum: inout Holdings, more: Holdings) {
    sum.mailboxes += more.mailboxes
    sum.unread += more.unread
    sum.read += more.read
    sum.bytes += more.bytes
  }
}

/// A mailbox: the server's side of one of a user's connections.
package struct Mailbox: Equatable, Sendable {
  package let id: Int64
  package let agentID: Int64
  package let party: Party
  package let sealedKey: SealedKey

  /// The user's side of the connection: the DID that the peer knows, and the only key that manages the mailbox.
  package let forDID: DID
  package let forVerKey: VerKey

  /// The owner of the mailbox's account, who receives its answers.
  package let owner: VerKey

  /// Deleted mailboxes stay for a while as tombstones, without messages, so that a repeated deletion gets the same
  /// answer.
  package var isDeleted: Bool

  /// Whether the operator has locked the mailbox's account.
  package var isLocked = false
}

/// A secret key under the master key, for the store.
package struct SealedKey: Equatable, Sendable {
  package let bytes: [UInt8]

  package init(_ bytes: [UInt8]) { self.bytes = bytes }
}

/// The possible destinations of an envelope.
package enum Destination: Equatable, Sendable {
  case agent(Account)
  case mailbox(Mailbox)
}

/// The addressee of a forward: a DID or a verkey.
package struct Address: Hashable, Sendable {
  /// Base58: a verkey, or a DID without its method.
  package let text: String

  /// Reads verkeys, `did:key`, and DIDs with and without `did:sov:`. Returns nil for anything else.
  package init?(_ text: String) {
    if let key = try? VerKey(anyForm: text) {
      self.text = key.text
    } else if let did = try? DID(text) {
      self.text = did.unqualified.text
    } else {
      return nil
    }
  }
}
