internal import Aries
internal import CloudAgent
internal import Sodium
package import Wallet

/// A wallet's note that it was made from a backup or an export. Since then its objects may have applied messages, of which
/// only the keeper of the mailbox knows now.
package struct RestoreNote {
  private let wallet: Wallet
  private let records: LibraryRecords

  private static let (type, id) = ("msdk.restored", "wallet")

  /// The note for a new wallet. Each restore has a name of its own. Without a mailbox nothing was applied.
  package static func forImport() -> ImportNote {
    ImportNote(Record(type: type, id: id, value: .randomUUID()), besides: MailboxBook.type)
  }

  init(in wallet: Wallet) {
    self.wallet = wallet
    records = LibraryRecords(of: Self.type, in: wallet)
  }

  /// The name of the restore after which nobody has looked at the read messages of the mailbox.
  fileprivate func restore(concerning mailbox: Mailbox) throws -> String? {
    guard let restore = try records.find(Self.id)?.value else { return nil }
    return try records.find(mailbox.pairwiseDID.text)?.value == restore ? nil : restore
  }

  /// Notes that the read messages of the mailbox have been looked at after the restore.
  fileprivate func settle(_ mailbox: Mailbox, after restore: String) throws {
    try wallet.make([records.putting(mailbox.pairwiseDID.text, value: restore)])
  }
}

extension Connection {
  /// After a restore, applies the oldest read message of the mailbox that changes the connection. Returns whether one did. A
  /// source has no read messages.
  ///
  /// The messages come straight from their keeper: the inbox has room for a few, and strangers can write many. Once none
  /// changes the connection, nobody looks again.
  mutating func recall(from mailbox: Mailbox, with session: Session) throws -> Bool {
    let note = RestoreNote(in: session.wallet)
    guard let restore = try note.restore(concerning: mailbox) else { return false }
    var (isChanged, failure): (Bool, (any Error)?) = (false, nil)
    if case .kept(let keeper) = try session.cloudAgent().access {
      _ = try keeper.visit(mailbox, MessageFilter(statuses: [.reviewed])) { messages in
        for stored in messages where !isChanged {
          do { isChanged = try applyAgain(stored, from: mailbox, with: session) } catch { failure = failure ?? error }
        }
        return !isChanged
      }
    }
    if isChanged { return true }
    if let failure { throw failure }
    try note.settle(mailbox, after: restore)
    return false
  }

  /// Applies a read message, and keeps it if it has changed the connection: the program may end before it has stored the
  /// connection. Returns whether it has. Throws if the message may change the connection later.
  private mutating func applyAgain(
    _ stored: StoredMessage, from mailbox: Mailbox, with session: Session
  ) throws -> Bool {
    let before = machine
    do { _ = try apply(stored, with: session) } catch let error where MailboxPoll.isRefusal(error) { return false }
    guard machine != before else { return false }
    try session.inbox.keep([stored], of: mailbox.pairwiseDID.text)
    return true
  }
}
