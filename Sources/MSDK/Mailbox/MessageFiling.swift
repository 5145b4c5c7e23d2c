internal import Aries
internal import CloudAgent
internal import DIDComm
internal import JSON
internal import Logging
internal import Sodium

/// Puts envelopes that a Cloud Agent passes on into the inbox, each under its connection.
struct MessageFiling: Sendable {
  let inbox: Inbox
  let book: MailboxBook

  /// The type of all messages.
  static let type = "aries"

  /// Adds the messages in one commit: they are on the disk then.
  func file(_ envelopes: [JSON]) throws { try inbox.add(envelopes.compactMap(filed)) }

  /// The message of an envelope, with the pairwise DID that it is for. The same envelope gets the same id, however it is
  /// written. Returns nil if it is for none of the open mailboxes.
  private func filed(_ envelope: JSON) throws -> (pairwiseDID: String, message: StoredMessage)? {
    let read = try? Envelope(envelope)
    let keys = (read?.recipientKeys ?? []).compactMap { try? VerKey($0) }
    guard let read, !keys.isEmpty, let mailbox = try book.mailboxes(of: keys.map(\.did.text)).first else {
      Log.warning("a message for none of the open mailboxes is dropped")
      return nil
    }
    let message = StoredMessage(
      uid: .uuid(derivedFrom: Base58.encode(read.digest)), status: .received, senderDID: "", type: Self.type,
      payload: envelope, envelope: envelope, refMsgID: nil)
    return (mailbox.pairwiseDID.text, message)
  }
}
