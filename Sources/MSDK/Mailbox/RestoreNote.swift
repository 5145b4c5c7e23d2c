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

extension Session {
  /// After a restore, puts the read messages of a mailbox into the inbox, once: an object that lacks the effect of one of
  /// them finds it there. A source has no read messages.
  func recallReadMessages(of mailbox: Mailbox) throws {
    let note = RestoreNote(in: wallet)
    guard let restore = try note.restore(concerning: mailbox) else { return }
    if case .kept(let keeper) = try cloudAgent().access {
      let did = mailbox.pairwiseDID.text
      _ = try keeper.visit(mailbox, MessageFilter(statuses: [.reviewed])) { messages in
        try inbox.keep(
          messages.filter { try !inbox.isApplied(Inbox.Place(pairwiseDID: did, uid: $0.uid)) }, of: did)
        return true
      }
    }
    try note.settle(mailbox, after: restore)
  }
}
