package import Aries
package import CloudAgent
internal import DIDComm
internal import JSON

/// A message that the program hands over: an entry of the downloaded messages, or the message alone.
///
/// Neither form proves its sender: an entry is text of the program, and a peer can write a message that looks like one.
/// The envelope in the mailbox proves it.
struct HandedMessage {
  /// The message's text, as a download gives it.
  let text: String
  let json: JSON
  /// The id of the message at the Cloud Agent, if the program has given an entry.
  let uid: String?

  /// Reads an entry as `vcx_messages_download` and `vcx_download_message` give it, or the message's text.
  init(parsing given: String) throws(JSONError) {
    let outer = try JSON(parsing: given)
    let payload = outer["decryptedPayload"]?.string.flatMap { try? JSON(parsing: $0) }
    guard outer["@type"] == nil, let text = payload?["@msg"]?.string, let json = try? JSON(parsing: text) else {
      (self.text, json, uid) = (given, outer, nil)
      return
    }
    (self.text, self.json, uid) = (text, json, outer["uid"]?.string)
  }
}

extension Session {
  /// Remembers the sender of a message that the program receives from a mailbox.
  func note(_ text: String, from sender: VerKey?, over pairwiseDID: String) {
    guard let sender else { return }
    senderMemory.withLock { $0.note(text, from: sender, over: pairwiseDID) }
  }

  /// The keys that have provably sent a message to a mailbox. Downloads the messages of the mailbox, or the one that the
  /// entry names, if this process has not downloaded the message.
  func senders(of handed: HandedMessage, in mailbox: Mailbox) throws -> [VerKey] {
    let did = mailbox.pairwiseDID.text
    let known = senderMemory.withLock { $0.senders(of: handed.text, over: did) }
    guard known.isEmpty, settings.account != nil else { return known }
    _ = try cloudAgent().visit(mailbox, MessageFilter(uids: handed.uid.map { [$0] } ?? [])) { messages in
      for stored in messages {
        guard let opened = try open(stored, of: did), (try? JSON(parsing: opened.message)) == handed.json else {
          continue
        }
        note(handed.text, from: opened.sender, over: did)
      }
      return true
    }
    return senderMemory.withLock { $0.senders(of: handed.text, over: did) }
  }
}

/// An object that applies messages of proven senders.
package protocol Receiving: Stepping {
  /// The mailbox of the object's next message. Nil if none is awaited, or none comes over a connection.
  var inbox: Mailbox? { get }

  /// Applies a message of a proven sender. Returns the action that was done: `.leave` for a message that does not concern
  /// the object.
  mutating func receive(_ message: Message, from sender: Sender, with session: Session) throws -> Action
}

extension Receiving {
  /// Applies a message that the program hands over, from the first of its proven senders that may send it. A message
  /// without a proven sender has only the effects that need none. Throws if the message would need one.
  mutating func receive(_ handed: HandedMessage, with session: Session) throws {
    let message = try Message(handed.json)
    let senders = try inbox.map { try session.senders(of: handed, in: $0) } ?? []
    var refusal: (any Error)?
    for sender in senders.isEmpty ? [nil] : senders.map(Optional.some) {
      do {
        let before = machine
        let action = try receive(message, from: .envelope(sender), with: session)
        if action != .leave || machine != before { return }
      } catch ProtocolError.notFromPeer {
        refusal = senders.isEmpty ? MailboxError.unprovenSender : ProtocolError.notFromPeer
      }
    }
    if let refusal { throw refusal }
  }
}
