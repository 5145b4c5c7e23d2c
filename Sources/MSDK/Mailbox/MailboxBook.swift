internal import Aries
internal import CloudAgent
internal import DIDComm
internal import JSON
internal import Logging
internal import Wallet

/// Notes the owner's mailboxes in the wallet, beside their keys. The application keeps the connections, so the library
/// could not find their mailboxes otherwise.
struct MailboxBook: MailboxDirectory {
  private let wallet: Wallet
  private let records: LibraryRecords

  static let type = "msdk.mailbox"

  init(wallet: Wallet) {
    self.wallet = wallet
    records = LibraryRecords(of: Self.type, in: wallet)
  }

  func mailboxes(of pairwiseDIDs: [String]) throws -> [Mailbox] {
    guard pairwiseDIDs.isEmpty else { return try pairwiseDIDs.compactMap(mailbox) }
    return try records.search().next(.max).records.compactMap { $0.value.flatMap(Self.read) }
  }

  /// Adds a mailbox. A failure is only logged, since the mailbox works without the note.
  func note(_ mailbox: Mailbox) {
    do { _ = try add(mailbox) } catch { Log.warning("a mailbox could not be noted: \(error)") }
  }

  /// Adds a mailbox, unless it is here. Returns whether it was not.
  func add(_ mailbox: Mailbox) throws -> Bool {
    let (did, value) = (mailbox.pairwiseDID.text, JSON.object(Pairwise(mailbox).stored).text)
    guard try self.mailbox(of: did) != mailbox else { return false }
    try wallet.make([records.putting(did, value: value)])
    return true
  }

  /// Notes the invitation of the connection that uses a mailbox. With `isGiven`, the program has chosen the mailbox. Throws then
  /// if it is another connection's: each of two connections would take the messages of the other's peer for a stranger's.
  func note(_ invitation: String, of mailbox: Mailbox, isGiven: Bool) throws {
    let did = mailbox.pairwiseDID.text
    try wallet.retrying {
      let known = try records.find(did)?.value
      let user = known.flatMap { try? JSON(parsing: $0) }?[Self.invitation]?.string
      guard user != invitation else { return }
      guard !isGiven || user == nil else { throw ConnectionError.mailboxInUse }
      var stored = Pairwise(mailbox).stored
      stored[Self.invitation] = .string(invitation)
      try wallet.make([records.expecting(did, value: known), records.putting(did, value: JSON.object(stored).text)])
    }
  }

  private static let invitation = "invitation"

  /// Removes a mailbox, if it is there.
  func strike(_ mailbox: Mailbox) { try? wallet.make([records.removing(mailbox.pairwiseDID.text)]) }

  private func mailbox(of pairwiseDID: String) throws -> Mailbox? {
    try records.find(pairwiseDID).flatMap { Self.read($0.value) }
  }

  /// The application can change any record: a record without a mailbox counts as absent.
  private static func read(_ value: String) -> Mailbox? {
    (try? JSON(parsing: value).requireObject()).flatMap { try? Mailbox($0) }
  }
}
