package import AgencyWire
package import DIDComm

/// The store of an agency's accounts and messages. Any thread may call it; it blocks.
///
/// Every call is one transaction: when it returns, its changes survive a power cut; when it throws, it has changed
/// nothing. A store sees only sealed keys and packed messages.
package protocol Storage: BackupStorage {
  /// The agency's own key; nil in an unused store.
  func identity() throws(StorageError) -> Identity?

  /// The agency's own key. The first call stores `new`. Later calls ignore `new` and return the stored value.
  func identity(orElse new: @autoclosure () -> Identity) throws(StorageError) -> Identity

  /// The account of that owner. The first call creates it, `connected`. Later calls ignore `new` and return it.
  func agent(of owner: VerKey, ownerDID: DID, orElse new: @autoclosure () -> NewKey) throws(StorageError) -> Account

  /// Sets the progress of provisioning. Returns false if the account was removed meanwhile.
  func setState(_ state: Account.State, of agent: Account) throws(StorageError) -> Bool

  /// Notes the time of the owner's request.
  func noteVisit(of agent: Account) throws(StorageError)

  /// Locks or unlocks the account with this DID. Returns false if there is none.
  func setLock(_ isLocked: Bool, ofAccount did: String) throws(StorageError) -> Bool

  /// Removes the account with this DID, its mailboxes, messages and settings. Its token stays used. Returns false if there
  /// is none.
  func deleteAccount(_ did: String) throws(StorageError) -> Bool

  /// The first `limit` accounts whose ids are above `id`, in the order of ids.
  func accounts(after id: Int64, limit: Int) throws(StorageError) -> [AccountSummary]

  /// The account of that owner, created at once. Repeating the call with the same token, or without one, returns it.
  func provision(
    _ owner: VerKey, ownerDID: DID, _ sponsorship: Sponsorship?, orElse new: @autoclosure () -> NewKey
  ) throws(StorageError) -> Provisioned

  /// Sets, replaces or, with an empty value, removes a com method. For kinds that an account has only once, the new one
  /// replaces the old. Returns false if there would be more than `limit`.
  func setComMethod(_ method: WireComMethod, of agent: Account, limit: Int) throws(StorageError) -> Bool

  /// Stores all configs and returns true; if there would be more than `limit`, stores none and returns false.
  func setConfigs(_ configs: [Config], of agent: Account, limit: Int) throws(StorageError) -> Bool

  /// The time of the first call with this request's digest, which the first call notes.
  func firstSight(of digest: [UInt8]) throws(StorageError) -> Int64

  /// The destination of an address: an account by its DID, verkey or owner's DID, a mailbox by either side's DID or
  /// verkey. Nobody can take another's address: an account's comes before a mailbox's, the server's side before the
  /// user's.
  func destination(of address: Address) throws(StorageError) -> Destination?

  /// A mailbox for `verkey`. Repeating the call returns the existing mailbox. An account has at most `limit`.
  func mailbox(
    of agent: Account, for did: DID, _ verkey: VerKey, limit: Int, orElse new: @autoclosure () -> NewKey
  ) throws(StorageError) -> MailboxCreation

  /// Removes a mailbox's messages and leaves a tombstone. Repeating it changes nothing.
  func delete(_ mailbox: Mailbox) throws(StorageError)

  /// Puts a message into a mailbox.
  func deliver(_ mail: Mail, to mailbox: Mailbox, quota: Quota) throws(StorageError) -> Delivery

  /// Takes up to `limit` due notifications. No other agency gets them for `lease` seconds; those not settled by then
  /// are due again.
  func takeNotifications(limit: Int, lease: Int64) throws(StorageError) -> [Notification]

  /// Records the result of a notification: done, or due again at a time, in seconds since 1970.
  func settle(_ notification: Notification, retryAt: Int64?) throws(StorageError)

  /// Removes the com method of a notification, and all notifications that wait for it. A method that the user has
  /// changed since stays.
  func unregister(_ notification: Notification) throws(StorageError)

  /// The messages of a selection, oldest first, as many as fit its budget but at least one.
  func messages(_ selection: MessageSelection) throws(StorageError) -> KeptMessages

  /// Calls `listener` for each message that arrives from now on: through this store, and through the stores of other
  /// processes on the same database. It may miss one of another process for some seconds, and name one twice.
  func watchArrivals(_ listener: @escaping ArrivalListener)

  /// Removes rows older than `expiry`, at most about `limit` of each kind. Returns the number of removed rows; 0 if
  /// there is nothing more to remove.
  func removeExpired(_ expiry: Expiry, limit: Int) throws(StorageError) -> Int

  /// Fails if the store cannot be read.
  func checkReading() throws(StorageError)

  /// Writes as much as a long message takes. Fails if the store cannot write.
  func checkWriting() throws(StorageError)

  /// Moves the latest writes into the main file, so that a copy of that file holds them.
  func checkpoint()

  /// Closes the files and connections. Every later call fails.
  func close()

  /// The DIDs of the account's mailboxes, without the deleted ones: those named in `dids`, or all if it is empty.
  func pairwiseDIDs(of agent: Account, among dids: [String]) throws(StorageError) -> [String]

  /// Sets the status of messages of the agent's mailboxes. Returns the messages that exist, by mailbox. Read messages
  /// have a quota of the same size as unread ones. Beyond it, the oldest read messages are deleted.
  func setStatus(
    _ status: String, of messages: [WireConnectionUIDs], of agent: Account, quota: Quota
  ) throws(StorageError) -> [WireConnectionUIDs]
}

/// The agency's own key.
package struct Identity: Equatable, Sendable {
  package let verkey: VerKey
  package let sealedKey: SealedKey
}

/// A new key for an account or a mailbox that may already exist.
package struct NewKey: Sendable {
  package let verkey: VerKey
  package let sealedKey: SealedKey

  package var party: Party { Party(did: verkey.did.text, verkey: verkey) }
}

/// The sponsor of a new account's owner.
package struct Sponsorship: Sendable {
  package let sponsorID: String
  package let sponseeID: String

  /// The marks that identify a repeated token, until `expiry`, in seconds since 1970.
  package let marks: [[UInt8]]
  package let expiry: Int64
}

package enum Provisioned: Equatable, Sendable {
  case agent(Account)
  /// The token has already created an account for another key.
  case tokenUsed
  /// The key already has an account, created without this token.
  case keyInUse
}

package enum MailboxCreation: Equatable, Sendable {
  case mailbox(Mailbox)
  /// The DID is in use with another owner or key, or was deleted.
  case taken
  /// The account has reached its limit of mailboxes.
  case tooMany
}

/// A message on its way into a mailbox.
package struct Mail: Sendable {
  package let uid: String

  /// The packed message: JSON text.
  package let payload: [UInt8]

  /// SHA-256 of the payload. It identifies a delivery that is repeated within a day.
  package let digest: [UInt8]

  /// Seconds since 1970.
  package let arrival: Int64

  /// The sender's claims about the message, kept only for the notifications.
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
  /// The message is stored, and so many notifications wait.
  case stored(notifications: Int)
  /// The mailbox already has the same message.
  case repeated
  case mailboxFull
  /// The mailbox was deleted.
  case gone
}

/// A notification about a message.
package struct Notification: Equatable, Sendable {
  package let id: Int64

  /// The account of the message's recipient.
  let agentID: Int64

  /// The number of earlier attempts.
  package let attempts: Int
  package let method: WireComMethod
  package let sponsorID: String?

  /// The id of the message, the user's DID of the connection, and the time of arrival, in seconds since 1970.
  package let uid: String
  package let pairwiseDID: String
  package let arrival: Int64

  /// The sender's claims about the message.
  package let hint: MessageHint
}

/// The limit of a mailbox's unread messages. Read messages have a second limit of the same size.
package struct Quota: Sendable {
  package var messages = 1000
  package var bytes = 20_000_000

  package init() {}
}

/// Selects messages.
package struct MessageSelection: Sendable {
  package enum Scope: Sendable {
    case mailbox(Mailbox)
    /// The account's mailboxes with these DIDs of the user; all mailboxes if the list is empty.
    case agent(Account, pairwiseDIDs: [String])
  }

  package let scope: Scope
  package let filter: WireMessageFilter

  /// The size limit of the messages in an answer.
  package let budget: Int

  /// The number of the last message of the previous answer; 0 begins with the oldest message.
  package var after: Int64 = 0

  /// Whether the last number in the answer is a place for `after`: no message gets a lower number later. Deliveries to the
  /// account then wait for the answer, and it for them.
  var isSettled = false

  var accountID: Int64 {
    switch scope {
    case .mailbox(let mailbox): mailbox.agentID
    case .agent(let account, _): account.id
    }
  }
}

/// The messages of one answer, the oldest first.
package struct KeptMessages: Equatable, Sendable {
  package let messages: [KeptMessage]

  /// The number of the last message, if the selection has more than the budget allows; otherwise nil.
  package let end: Int64?

  /// The number of the last message; nil without messages.
  package let last: Int64?
}

/// A stored message with its mailbox.
package struct KeptMessage: Equatable, Sendable {
  package let pairwiseDID: String
  package let uid: String
  package let status: String

  /// Nil if the request excluded it.
  package let payload: [UInt8]?
}

/// The reasons why a store did not do a request.
package enum StorageError: Error, Equatable, Sendable {
  /// A newer version of the program made the store, or it is not a store.
  case incompatible(String)
  /// The store failed; a later attempt may succeed. The text names tables and causes, never values.
  case failed(String)
  /// A row holds a value that the program would not have written.
  case damaged(table: String)
}

extension StorageError {
  /// A store whose version differs from this program's, `newest`.
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
