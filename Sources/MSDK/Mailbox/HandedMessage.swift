package import Aries
internal import CloudAgent
internal import DIDComm
internal import JSON

/// A message that the program hands over: an entry of the downloaded messages, or the message alone.
///
/// Neither form proves its sender: an entry is text of the program, and a peer can write a message that looks like one.
/// The envelope in the mailbox proves it.
struct HandedMessage {
  /// The message.
  let json: JSON
  /// The id of the message at the Cloud Agent, if the program has given an entry.
  let uid: String?

  /// Reads an entry as `vcx_messages_download` and `vcx_download_message` give it, or the message's text.
  init(parsing given: String) throws(JSONError) {
    let outer = try JSON(parsing: given)
    let payload = outer["decryptedPayload"]?.string.flatMap { try? JSON(parsing: $0) }
    guard Self.isEntry(outer), let text = payload?["@msg"]?.string, let json = try? JSON(parsing: text) else {
      (json, uid) = (outer, nil)
      return
    }
    (self.json, uid) = (json, outer["uid"]?.string)
  }

  /// Whether the members are those of an entry. A peer's message may have them too, beside the members that a program shows: the
  /// user would see one message and answer another.
  private static func isEntry(_ json: JSON) -> Bool { json.object?.keys.allSatisfy(members.contains) ?? false }

  /// The members of downloads and of a subscription's texts (docs/json.md, Downloaded messages).
  private static let members: Set = [
    "uid", "pairwiseDID", "statusCode", "senderDID", "senderVerkey", "type", "refMsgId", "deliveryDetails", "payload",
    "decryptedPayload", "kind", "thread", "object",
  ]

  /// Whether the message is that of an opened envelope, or the text in a message of the proprietary protocol.
  fileprivate func isIn(_ opened: [UInt8]) -> Bool {
    (try? JSON(parsing: opened)) == json || (try? DecryptedPayload(opened))?.message == json
  }
}

extension Session {
  /// Remembers a message that the program receives from a mailbox, with its proven sender.
  func note(_ message: JSON, from sender: VerKey?, over pairwiseDID: String) {
    senderMemory.withLock { $0.note(message, from: sender, over: pairwiseDID) }
  }

  /// The keys that have provably sent a message to a mailbox, as far as this process has downloaded it.
  func rememberedSenders(of handed: HandedMessage, in mailbox: Mailbox) -> [VerKey] {
    senderMemory.withLock { $0.senders(of: handed.json, over: mailbox.pairwiseDID.text) }
  }

  /// The keys that have provably sent a message to a mailbox; nil for an envelope that proves none. Downloads the mailbox's
  /// messages, or the one that the entry names.
  func senders(of handed: HandedMessage, in mailbox: Mailbox) throws -> [VerKey?] {
    guard hasCloudAgent else { return [] }
    let did = mailbox.pairwiseDID.text
    var senders: [VerKey?] = []
    _ = try messages().visit(mailbox, MessageFilter(uids: handed.uid.map { [$0] } ?? [])) { messages in
      for stored in messages {
        guard let opened = try open(stored, of: did), handed.isIn(opened.message) else { continue }
        note(handed.json, from: opened.sender, over: did)
        if !senders.contains(opened.sender) { senders.append(opened.sender) }
      }
      return true
    }
    // The memory is bounded, and the peer may be the last of many who sent the text.
    return senders
  }

  /// Throws `notFromPeer` for a message that came from others only: from a stranger who knows the connection's key, or over
  /// another connection. The text of a message that neither this process has downloaded nor the connection's mailbox holds
  /// passes; an entry of a download must be in one of them.
  func requireNotFromOthers(_ handed: HandedMessage, over connection: Connection) throws {
    let isFromPeer = { (senders: [VerKey?]) in senders.contains { connection.machine.isPeer(.envelope($0)) } }
    if let mailbox = connection.pairwise?.mailbox {
      if isFromPeer(rememberedSenders(of: handed, in: mailbox)) { return }
      let senders = try senders(of: handed, in: mailbox)
      if isFromPeer(senders) { return }
      guard senders.isEmpty else { throw ProtocolError.notFromPeer }
    }
    guard handed.uid == nil, senderMemory.withLock({ !$0.knows(handed.json) }) else { throw ProtocolError.notFromPeer }
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
    let remembered = inbox.map { session.rememberedSenders(of: handed, in: $0) } ?? []
    if !remembered.isEmpty, try isTaken(message, from: remembered, with: session) { return }
    // The peer may have sent the same text as a stranger.
    let senders = try inbox.map { try session.senders(of: handed, in: $0).compactMap(\.self) } ?? []
    guard !senders.isEmpty else {
      guard try isTaken(message, from: [nil], with: session) else { throw MailboxError.unprovenSender }
      return
    }
    guard try isTaken(message, from: senders, with: session) else { throw ProtocolError.notFromPeer }
  }

  /// Applies the message from the first sender that may send it. Returns false if none may.
  private mutating func isTaken(_ message: Message, from senders: [VerKey?], with session: Session) throws -> Bool {
    for sender in senders {
      do {
        _ = try receive(message, from: .envelope(sender), with: session)
        return true
      } catch ProtocolError.notFromPeer { continue }
    }
    return false
  }
}
