public import CMSDKCalls
internal import CMSDK

/// A message of the mailbox.
public struct Message: Sendable, Equatable, Identifiable {
  /// The agency's name for the message.
  public let id: String
  /// This side's DID in the connection of the message.
  public let pairwiseDID: String
  /// The short name of its type: `message`, `question`, `credential-offer`, `presentation-request`, …; `aries` for types
  /// without one. Nil if the message cannot be read.
  public let kind: String?
  /// The message as JSON text; nil if it cannot be read.
  public let text: String?
  /// The text of a basic message.
  public let content: String?
  /// The key that provably sent the message; nil if the envelope proves no sender. Anybody who knows the key of a connection
  /// can write to it: the message is the peer's only if this key is one of ``Connection/peerKeys``.
  public let senderVerkey: String?
  /// The kept object that the library has advanced by the message, if the configuration has `"apply_messages": true`. Nil for
  /// messages that are for the program, and for messages that were not told by ``arriving()``.
  public let applied: Applied?

  /// A kept object, as it is after a message. Anybody can write a message for it: its state tells whether the library has
  /// believed the message.
  public struct Applied: Sendable, Equatable, Decodable {
    /// The id of the object in ``KeptObject``.
    public let id: String
    public let kind: KeptObject.Kind
    /// The number of the state in the API.
    public let state: UInt32

    private enum CodingKeys: String, CodingKey {
      case id, state
      case kind = "type"
    }
  }

  /// Marks the message read: it does not come again.
  public func markRead() async throws(MSDKError) {
    let list = JSONText.of([Marked(pairwiseDID: pairwiseDID, uids: [id])])
    try await Call.done { vcx_messages_update_status($0, "MS-106", list, $1) }
  }

  /// Downloads the unread messages of connections, the oldest first; without DIDs those of all connections. A connection without
  /// a mailbox has an empty DID, and no messages. Strangers' messages
  /// are among them: ask ``isSent(by:)`` before you take one for the peer's.
  public static func unread(of pairwiseDIDs: [String] = []) async throws(MSDKError) -> [Message] {
    // The library would take an empty list for all connections.
    let named = pairwiseDIDs.filter { !$0.isEmpty }
    guard pairwiseDIDs.isEmpty || !named.isEmpty else { return [] }
    let dids = named.isEmpty ? nil : named.joined(separator: ",")
    let text = try await Call.text { vcx_messages_download($0, "MS-103", nil, dids, $1) }
    return try JSONText.read([Mailbox].self, text).flatMap { mailbox in
      mailbox.msgs.map { Message($0, of: mailbox.pairwiseDID) }
    }
  }

  /// The unread messages of all connections, and then each new one as it arrives. Ends with the task, or when the caller
  /// leaves the loop. Read messages, as `markRead` leaves them, do not come again. Strangers' messages are among them: ask
  /// ``isSent(by:)`` before you take one for the peer's.
  public static func arriving() throws(MSDKError) -> some AsyncSequence<Message, Never> {
    try Call.messages().compactMap { text in
      guard let mailbox = try? JSONText.read(Told.self, text), let entry = try? JSONText.read(Entry.self, text) else {
        return nil
      }
      return Message(entry, of: mailbox.pairwiseDID)
    }
  }

  /// Whether the message is from the peer of the connection: it came over the connection, and one of the peer's keys sent it.
  public func isSent(by peer: Connection) async throws(MSDKError) -> Bool {
    guard try await pairwiseDID == peer.pairwiseDID else { return false }
    return try await isSent(with: peer.peerKeys)
  }

  /// Whether one of the keys sent the message.
  fileprivate func isSent(with keys: [String]) -> Bool { senderVerkey.map { keys.contains($0) } ?? false }

  /// The message that is attached to an invitation without a handshake: an offer or a proof request, as JSON text.
  public static func attached(to invitation: String) async throws(MSDKError) -> String {
    try await Call.text { vcx_extract_attached_message($0, invitation, $1) } ?? ""
  }

  private struct Marked: Encodable {
    let pairwiseDID: String
    let uids: [String]
  }
}

extension Connection {
  /// The messages of the peer, unread ones first and then new ones as they arrive, each once. None comes before the handshake
  /// is over.
  ///
  /// The sequence leaves out messages that none of the ``peerKeys`` sent; ``Message/unread(of:)`` has them. It looks into the
  /// mailbox as often as `pause` says, and while it waits it answers pings. It never ends by itself; cancelling the task ends
  /// it. Throws ``MSDKError`` 1103 for a connection of Evernym's proprietary protocol.
  public func messages(every pause: Duration = .seconds(1)) -> Messages { Messages(connection: self, pause: pause) }

  /// Waits for an unread message of the peer, of a kind such as `credential-offer`. It stays unread. See ``messages(every:)``.
  public func next(_ kind: String, every pause: Duration = .milliseconds(300)) async throws -> Message {
    for try await message in messages(every: pause) where message.kind == kind { return message }
    throw CancellationError()
  }

  /// See ``messages(every:)``.
  public struct Messages: AsyncSequence, Sendable {
    public typealias Element = Message

    let connection: Connection
    let pause: Duration

    public func makeAsyncIterator() -> Iterator { Iterator(connection: connection, pause: pause) }

    public struct Iterator: AsyncIteratorProtocol {
      let connection: Connection
      let pause: Duration
      private var seen: Set<String> = []
      private var waiting: [Message] = []

      init(connection: Connection, pause: Duration) { (self.connection, self.pause) = (connection, pause) }

      public mutating func next() async throws -> Message? {
        while waiting.isEmpty {
          try Task.checkCancellation()
          waiting = try await unseen()
          guard waiting.isEmpty else { break }
          try await connection.update()
          try await Task.sleep(for: pause)
        }
        return waiting.removeFirst()
      }

      /// The peer's unread messages that the program has not got. A stranger's message is looked at again, because a peer may
      /// prove another key later.
      private mutating func unseen() async throws(MSDKError) -> [Message] {
        let fresh = try await Message.unread(of: [connection.pairwiseDID]).filter { !seen.contains($0.id) }
        guard !fresh.isEmpty else { return [] }
        let keys = try await connection.peerKeys
        let peers = fresh.filter { $0.isSent(with: keys) }
        seen.formUnion(peers.map(\.id))
        return peers
      }
    }
  }
}

// MARK: - The JSON of a download

private struct Mailbox: Decodable {
  let pairwiseDID: String
  let msgs: [Entry]
}

private struct Told: Decodable { let pairwiseDID: String }

private struct Entry: Decodable {
  let uid: String
  let decryptedPayload: String?
  let senderVerkey: String?
  let object: Message.Applied?
}

private struct Payload: Decodable {
  let message: String
  let type: Kind

  struct Kind: Decodable { let name: String }

  private enum CodingKeys: String, CodingKey {
    case message = "@msg"
    case type = "@type"
  }
}

private struct Basic: Decodable { let content: String? }

extension Message {
  fileprivate init(_ entry: Entry, of pairwiseDID: String) {
    let payload = try? JSONText.read(Payload.self, entry.decryptedPayload)
    id = entry.uid
    self.pairwiseDID = pairwiseDID
    kind = payload?.type.name
    text = payload?.message
    content = payload.flatMap { try? JSONText.read(Basic.self, $0.message).content }
    senderVerkey = entry.senderVerkey
    applied = entry.object
  }
}
