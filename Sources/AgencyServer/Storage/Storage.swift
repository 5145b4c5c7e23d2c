package import AgencyWire
package import DIDComm

/// Where an agency keeps accounts and messages. Safe to call from any thread; blocks.
///
/// Every call is one transaction: when it returns, what it changed survives a power cut; when it throws, nothing has
/// changed. A store sees sealed keys and packed messages only.
package protocol Storage: Sendable {
  /// The agency's own key; nil in a store that no agency has used yet.
  func identity() throws(StorageError) -> Identity?

  /// The agency's own key. The first call's `new` stays for ever; later calls return it, whatever they give.
  func identity(orElse new: @autoclosure () -> Identity) throws(StorageError) -> Identity

  /// The agent of that owner. A first call makes it, `connected`; later calls return it, whatever they give.
  func agent(of owner: VerKey, ownerDID: DID, orElse new: @autoclosure () -> NewKey) throws(StorageError) -> Account

  /// False when the agent was removed meanwhile.
  func setState(_ state: Account.State, of agent: Account) throws(StorageError) -> Bool

  /// Notes that the agent's owner is here now.
  func noteVisit(of agent: Account) throws(StorageError)

  /// The first `limit` accounts whose ids are above `id`, in the order of ids.
  func accounts(after id: Int64, limit: Int) throws(StorageError) -> [AccountSummary]

  /// The agent of that owner, made at once. Repeating the call with the same token, or without one, returns it.
  func provision(
    _ owner: VerKey, ownerDID: DID, _ sponsorship: Sponsorship?, orElse new: @autoclosure () -> NewKey
  ) throws(StorageError) -> Provisioned

  /// Sets, replaces or, where the value is empty, removes a method. Of the kinds of which an agent has one only, a new
  /// one replaces the old. False when there would be more than `limit`.
  func setComMethod(_ method: WireComMethod, of agent: Account, limit: Int) throws(StorageError) -> Bool

  /// Stores configs; all or, when there would be more than `limit`, none and false.
  func setConfigs(_ configs: [Config], of agent: Account, limit: Int) throws(StorageError) -> Bool

  /// When a request was first seen. The first call for a request notes the time.
  func firstSight(of digest: [UInt8]) throws(StorageError) -> Int64

  /// Whom an address names: an agent by its DID, verkey or owner's DID, a mailbox by either side's DID or verkey.
  /// Nobody can take another's address: an agent's goes before a mailbox's, the server's side before the user's.
  func destination(of address: Address) throws(StorageError) -> Destination?

  /// A mailbox for `verkey`. Repeating the call returns the mailbox that is there. An agent has at most `limit`.
  func mailbox(
    of agent: Account, for did: DID, _ verkey: VerKey, limit: Int, orElse new: @autoclosure () -> NewKey
  ) throws(StorageError) -> MailboxCreation

  /// Removes a mailbox's messages and leaves a tombstone. Repeating it changes nothing.
  func delete(_ mailbox: Mailbox) throws(StorageError)

  /// Puts a message into a mailbox.
  func deliver(_ mail: Mail, to mailbox: Mailbox, quota: Quota) throws(StorageError) -> Delivery

  /// Takes up to `limit` notifications that are due. Nobody else gets them for `lease` seconds; what is not settled by
  /// then is due again.
  func takeNotifications(limit: Int, lease: Int64) throws(StorageError) -> [Notification]

  /// Says what became of a notification: done with, or due again at a time, in seconds since 1970.
  func settle(_ notification: Notification, retryAt: Int64?) throws(StorageError)

  /// Removes the com method of a notification, and all that waits to be sent by it. A method that the user has changed
  /// since stays.
  func unregister(_ notification: Notification) throws(StorageError)

  /// The messages that a selection names, oldest first, as many as fit the selection's budget but at least one.
  func messages(_ selection: Selection) throws(StorageError) -> KeptMessages

  /// Removes what is older than `expiry` says, at most about `limit` rows of each kind. Returns how many went; a call
  /// that finds nothing more returns 0.
  func removeExpired(_ expiry: Expiry, limit: Int) throws(StorageError) -> Int

  /// Fails when the store cannot be read.
  func checkReading() throws(StorageError)

  /// Writes as much as a long message takes. Fails when the store cannot take it.
  func checkWriting() throws(StorageError)

  /// Puts into the main file what was written lately, so that a copy of that file holds it.
  func checkpoint()

  /// Lets go of the files and connections. Every later call fails.
  func close()

  /// The DIDs of the agent's mailboxes, without the deleted ones: those named in `dids`, or all when it is empty.
  func pairwiseDIDs(of agent: Account, among dids: [String]) throws(StorageError) -> [String]

  /// Sets the status of messages of the agent's mailboxes. Returns the messages that exist, by mailbox. Read messages have
  /// a quota as large as the unread ones have. Beyond it, the oldest read messages are deleted.
  func setStatus(
    _ status: String, of messages: [WireConnectionUIDs], of agent: Account, quota: Quota
  ) throws(StorageError) -> [WireConnectionUIDs]
}

/// The agency's own key.
package struct Identity: Equatable, Sendable {
  package let verkey: VerKey
  package let sealedKey: SealedKey
}

/// A key made for an agent or a mailbox that may turn out to exist already.
package struct NewKey: Sendable {
  package let verkey: VerKey
  package let sealedKey: SealedKey

  package var party: Party { Party(did: verkey.did.text, verkey: verkey) }
}

/// Who vouches for a new agent's owner.
package struct Sponsorship: Sendable {
  package let sponsorID: String
  package let sponseeID: String

  /// By what the token is recognised when it comes again, until `expiry`, in seconds since 1970.
  package let marks: [[UInt8]]
  package let expiry: Int64
}

package enum Provisioned: Equatable, Sendable {
  case agent(Account)
  /// The token has given an agent to another key.
  case tokenUsed
  /// The key has an agent already, which came without this token.
  case keyInUse
}

package enum MailboxCreation: Equatable, Sendable {
  case mailbox(Mailbox)
  /// The DID is in use with another owner or key, or was deleted.
  case taken
  /// The agent has as many mailboxes as it may have.
  case tooMany
}

/// A message on its way into a mailbox.
package struct Mail: Sendable {
  package let uid: String

  /// The packed message: JSON text.
  package let payload: [UInt8]

  /// SHA-256 of the payload: by it, a delivery that is repeated within a day is recognised.
  package let digest: [UInt8]

  /// Seconds since 1970.
  package let arrival: Int64

  /// The sender's word about the message, kept only for the notifications.
  package let hint: MessageHint

  package init(
    uid: String, payload: [UInt8], digest: [UInt8], arrival: Int64, hint: MessageHint = MessageHint()
  ) {
    self.uid = uid
    self.payload = payload
    self.digest = digest
    self.arrival = arrival
    self.hint = hint
  }
}

package enum Delivery: Equatable, Sendable {
  /// So many notifications wait to be sent.
  case stored(notifications: Int)
  /// The same message is there already.
  case repeated
  case mailboxFull
  /// The mailbox was deleted.
  case gone
}

/// Somebody is to be told of a message.
package struct Notification: Equatable, Sendable {
  package let id: Int64

  /// The account of the user that the message is for.
  let agentID: Int64

  /// How often it was tried before.
  package let attempts: Int
  package let method: WireComMethod
  package let sponsorID: String?

  /// The message, the user's DID that it is for, and when it came, in seconds since 1970.
  package let uid: String
  package let pairwiseDID: String
  package let arrival: Int64

  /// The sender's word about the message.
  package let hint: MessageHint
}

/// How much unread mail a mailbox holds, and again how much that was read.
package struct Quota: Sendable {
  package var messages = 1000
  package var bytes = 20_000_000

  package init() {}
}

/// Which messages are asked for.
package struct Selection: Sendable {
  package enum Scope: Sendable {
    case mailbox(Mailbox)
    /// Those of the agent's mailboxes that the list names by the user's DIDs; all when it is empty.
    case agent(Account, pairwiseDIDs: [String])
  }

  package let scope: Scope
  package let filter: WireMessageFilter

  /// The most bytes that the messages may take in an answer.
  package let budget: Int

  /// The number of the message that the answer before this one ended with; 0 for an answer from the oldest on.
  package var after: Int64 = 0
}

/// The messages of one answer, the oldest first.
package struct KeptMessages: Equatable, Sendable {
  package let messages: [KeptMessage]

  /// The number of the last message, where the selection has more than the budget allows; else nil.
  package let end: Int64?
}

/// A message as it was kept, with the mailbox that it is in.
package struct KeptMessage: Equatable, Sendable {
  package let pairwiseDID: String
  package let uid: String
  package let status: String

  /// Nil when it was not asked for.
  package let payload: [UInt8]?
}

/// Why a store did not do what it was asked.
package enum StorageError: Error, Equatable, Sendable {
  /// The store was made by a newer version of the program, or is none.
  case incompatible(String)
  /// The store failed; it may succeed later. The text names tables and causes, never values.
  case failed(String)
  /// A row holds what the program would not have written.
  case damaged(table: String)
}

extension StorageError {
  /// A store of another version than this program's, which is `newest`.
  init(version: Int64, newest: Int64) {
    self =
      switch version {
      case 0: .incompatible("it is no agency's")
      case ..<newest: .incompatible("its version is \(version): an agency of this version has to be started first")
      default: .incompatible("its version is \(version), newer than this program")
      }
  }
}

extension StorageError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .incompatible(let reason): "the store cannot be used: \(reason)"
    case .failed(let reason): "the store failed: \(reason)"
    case .damaged(let table): "the store is damaged: \(table)"
    }
  }
}
