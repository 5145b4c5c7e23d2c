internal import Aries
internal import CloudAgent
internal import DIDComm
internal import JSON

extension Session {
  /// The unread messages of a connection that `isWanted`, unchanged, the oldest first. They keep their status.
  func pendingMessages(of connection: Connection, where isWanted: (Message) -> Bool) throws -> [JSON] {
    guard let mailbox = connection.pairwise?.mailbox else { throw ConnectionError.noMailbox }
    let filter = MessageFilter(statuses: [.received])
    return try cloudAgent().messages(in: mailbox, filter).compactMap { stored -> JSON? in
      guard let (json, message) = try read(stored, in: mailbox), isWanted(message) else { return nil }
      return json
    }
  }

  /// The message with this id in the mailbox of a connection, of any status. Throws unless it `isWanted`.
  func message(_ uid: String, of connection: Connection, where isWanted: (Message) -> Bool) throws -> JSON {
    guard let mailbox = connection.pairwise?.mailbox else { throw ConnectionError.noMailbox }
    let found = try cloudAgent().messages(in: mailbox, MessageFilter(uids: [uid]))
    guard let stored = found.first, found.count == 1 else { throw MailboxError.notOneMessage(count: found.count) }
    guard let (json, message) = try read(stored, in: mailbox), isWanted(message) else {
      throw ExchangeError.otherMessage
    }
    return json
  }

  private func read(_ stored: StoredMessage, in mailbox: Mailbox) throws -> (json: JSON, message: Message)? {
    guard let opened = try open(stored, of: mailbox.pairwiseDID.text), let json = try? JSON(parsing: opened.message),
      let message = try? Message(json)
    else { return nil }
    return (json, message)
  }
}
