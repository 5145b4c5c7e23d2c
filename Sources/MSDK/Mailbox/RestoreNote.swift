internal import Aries
internal import CloudAgent
internal import DIDComm
internal import JSON
internal import Logging
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

  /// The name of the restore after which the connection has not looked at read messages.
  fileprivate func restore(concerning pairwiseDID: String) throws -> String? {
    guard let restore = try records.find(Self.id)?.value else { return nil }
    return try records.find(pairwiseDID)?.value == restore ? nil : restore
  }

  /// Notes that the connection has looked at the read messages after the restore.
  fileprivate func settle(_ pairwiseDID: String, after restore: String) throws {
    try wallet.make([records.putting(pairwiseDID, value: restore)])
  }
}

extension Connection {
  /// After a restore, applies the oldest read message of the mailbox that changes the connection. Returns whether one did. A
  /// source has no read messages.
  ///
  /// The messages come straight from their keeper: the inbox has room for a few, and strangers can write many. Once none
  /// changes the connection, it does not look again. If one may do so later, because its sender cannot be reached, the
  /// connection goes on with unread messages, and looks again after a while.
  mutating func recall(from mailbox: Mailbox, with session: Session) throws -> Bool {
    let note = RestoreNote(in: session.wallet)
    guard search.mayRecall, let restore = try note.restore(concerning: pairwiseDID) else { return false }
    var (isChanged, failure): (Bool, (any Error)?) = (false, nil)
    if let keeper = try session.cloudAgent().access.keeper {
      let peer = try awaitedReception == nil ? nil : servedPeer(keeper, with: session)
      guard awaitedReception == nil || peer != nil else {
        try note.settle(pairwiseDID, after: restore)
        return false
      }
      _ = try keeper.visit(mailbox, MessageFilter(statuses: [.reviewed])) { messages in
        for stored in messages where !isChanged {
          do {
            if let peer, try session.open(stored, of: mailbox.pairwiseDID.text)?.sender != peer { continue }
            isChanged = try applyAgain(stored, from: mailbox, with: session)
          } catch {
            failure = failure ?? error
            try? keepPlace(ofSenderOf: stored, in: mailbox, with: session)
          }
        }
        return !isChanged
      }
    }
    if isChanged { return true }
    guard let failure else {
      try note.settle(pairwiseDID, after: restore)
      return false
    }
    Log.warning("connection \(pairwiseDID): a message from before the restore could not be applied again: \(failure)")
    search.pauseRecall()
    return false
  }

  /// The key of the peer that this connection of the public DID has served. Other connections have served the other read
  /// requests there. Without a claim from before the restore, the first message in the connection's own mailbox tells it:
  /// only a peer that has the answer writes there.
  private func servedPeer(_ keeper: any MessageKeeper, with session: Session) throws -> VerKey? {
    if let peer = try InvitationClaim.peer(of: pairwiseDID, in: session.wallet) { return peer }
    guard let own = pairwise?.mailbox else { return nil }
    var peer: VerKey?
    _ = try keeper.visit(own, MessageFilter()) { messages in
      peer = try messages.lazy.compactMap { try session.open($0, of: own.pairwiseDID.text)?.sender }.first
      return peer == nil
    }
    return peer
  }

  /// Keeps the place of an invitee that had this side's answer before the restore, and cannot be reached now.
  private func keepPlace(ofSenderOf stored: StoredMessage, in mailbox: Mailbox, with session: Session) throws {
    guard case .offered(let invitation) = machine,
      let opened = try session.open(stored, of: mailbox.pairwiseDID.text), let key = opened.sender,
      let request = try Message(JSON(parsing: opened.message)).request, invitation.isParent(of: request.thread)
    else { return }
    for claim in claims(to: invitation, by: request.thread.thid, of: key, in: session.wallet) { try claim.confirm() }
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
