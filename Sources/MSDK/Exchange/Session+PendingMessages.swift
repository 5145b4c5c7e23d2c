internal import Aries
internal import CloudAgent
internal import DIDComm
internal import JSON
internal import Logging

extension Session {
  /// The unread messages of a connection's peer that `isWanted`, unchanged, the oldest first. They keep their status.
  /// Strangers may know the connection's key; their messages are omitted.
  func pendingMessages(of connection: Connection, where isWanted: (Message) -> Bool) throws -> [JSON] {
    guard let mailbox = connection.pairwise?.mailbox else { throw ConnectionError.noMailbox }
    let filter = MessageFilter(statuses: [.received])
    return try messages().messages(in: mailbox, filter).compactMap { stored -> JSON? in
      guard let found = try read(stored, in: mailbox), isWanted(found.message) else { return nil }
      guard connection.machine.isPeer(found.sender) else {
        Log.warning("connection \(mailbox.pairwiseDID): message \(stored.uid) is not from the peer, and is left out")
        return nil
      }
      return found.json
    }
  }

  /// The message with this id in the mailbox of a connection, of any status. Throws unless it `isWanted` and comes from
  /// the connection's peer.
  func message(_ uid: String, of connection: Connection, where isWanted: (Message) -> Bool) throws -> JSON {
    guard let mailbox = connection.pairwise?.mailbox else { throw ConnectionError.noMailbox }
    let found = try messages().messages(in: mailbox, MessageFilter(uids: [uid]))
    guard let stored = found.first, found.count == 1 else { throw MailboxError.notOneMessage(count: found.count) }
    guard let found = try read(stored, in: mailbox), isWanted(found.message) else { throw ExchangeError.otherMessage }
    guard connection.machine.isPeer(found.sender) else { throw ProtocolError.notFromPeer }
    return found.json
  }

  private func read(
    _ stored: StoredMessage, in mailbox: Mailbox
  ) throws -> (json: JSON, message: Message, sender: Sender)? {
    guard let opened = try open(stored, of: mailbox.pairwiseDID.text), let json = try? JSON(parsing: opened.message),
      let message = try? Message(json)
    else { return nil }
    return (json, message, .envelope(opened.sender))
  }
}
