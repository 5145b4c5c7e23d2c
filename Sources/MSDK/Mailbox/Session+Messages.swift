internal import CloudAgent
internal import DIDComm
internal import JSON
internal import Logging

extension Session {
  /// The one pairwise message with this id, decrypted, as JSON text, with the pairwise DID of its connection.
  package func downloadMessage(uid: String) throws -> String {
    let found = try messages().messages(of: [], MessageFilter(uids: [uid])).flatMap { connection in
      try connection.messages.map { message -> JSON in
        var entry = try downloaded(message, of: connection.pairwiseDID)
        entry["pairwiseDID"] = .string(connection.pairwiseDID)
        return entry
      }
    }
    guard let message = found.first, found.count == 1 else { throw MailboxError.notOneMessage(count: found.count) }
    return message.sortedText
  }

  /// The pairwise messages that meet all filters, decrypted, as JSON text grouped by pairwise DID, the oldest first.
  /// Each filter is a list with commas, or nil for no restriction.
  ///
  /// A message that cannot be decrypted has the text `null` for content. Connections whose keys the wallet does not
  /// hold are left out.
  package func downloadMessages(statuses: String?, uids: String?, pairwiseDIDs: String?) throws -> String {
    let filter = try MessageFilter(statuses: statuses, uids: uids)
    let connections = try messages().messages(of: MessageFilter.list(pairwiseDIDs), filter)
    let entries = try connections.compactMap { connection -> JSON? in
      guard let did = try? DID(connection.pairwiseDID), try wallet.verkey(of: did) != nil else {
        Log.info("messages for a DID that is not in the wallet are left out")
        return nil
      }
      let messages = try connection.messages.map { try downloaded($0, of: connection.pairwiseDID) }
      return ["pairwiseDID": .string(connection.pairwiseDID), "msgs": .array(messages)]
    }
    return JSON.array(entries).text
  }

  /// Sets the status of messages. `text` is `[{"pairwiseDID": …, "uids": […]}]`.
  package func updateMessages(status: String, _ text: String) throws {
    let new = try MessageStatus(knownCode: status)
    let messages: [ConnectionUIDs]
    do {
      messages = try JSON(parsing: text).requireArray().map { entry throws(JSONError) in
        let object = try entry.requireObject()
        return ConnectionUIDs(pairwiseDID: try object.string("pairwiseDID"), uids: try object.strings("uids"))
      }
    } catch {
      throw MailboxError.malformedList("\(error)")
    }
    try self.messages().setStatus(new, of: messages)
    for connection in messages {
      Log.info("connection \(connection.pairwiseDID): marked \(status): \(connection.uids.joined(separator: ", "))")
    }
  }

  /// A message for a subscriber, as JSON text: as `downloadMessage` gives it, with the short name of its type and its
  /// thread.
  func announcement(of message: StoredMessage, for pairwiseDID: String) throws -> String {
    var entry = try downloaded(message, of: pairwiseDID)
    let content = entry["decryptedPayload"]?.string.flatMap { try? JSON(parsing: $0) }
    let text = content?["@msg"]?.string.flatMap { try? JSON(parsing: $0) }
    entry["pairwiseDID"] = .string(pairwiseDID)
    entry["kind"] = content?["@type"]?["name"] ?? .null
    entry["thread"] = text?["~thread"]?["thid"] ?? text?["@id"] ?? .null
    return entry.text
  }

  private func downloaded(_ message: StoredMessage, of pairwiseDID: String) throws -> JSON {
    let opened = try open(message, of: pairwiseDID)
    let content = opened.flatMap { try? DecryptedPayload($0.message) }
    if let message = content?.message { note(message, from: opened?.sender, over: pairwiseDID) }
    if let opened, let message = content?.revocation {
      noteRevocation(message, from: opened.sender, over: pairwiseDID)
    }
    var entry: JSONObject = [
      "statusCode": .string(message.status.code), "payload": nil, "senderDID": .string(message.senderDID),
      // Anyone who knows our key can write to it; the agency's name for the sender proves nothing.
      "senderVerkey": JSON(opened?.sender?.text),
      "uid": .string(message.uid), "type": .string(content == nil ? message.type : "aries"),
      "refMsgId": JSON(message.refMsgID), "deliveryDetails": [],
    ]
    Log.info("message \(message.uid) of connection \(pairwiseDID) is downloaded, \(content?.kind ?? "unreadable")")
    if message.payload != nil { entry["decryptedPayload"] = .string(content?.json.text ?? "null") }
    return .object(entry)
  }
}

extension MessageFilter {
  /// Reads lists with commas; nil means no restriction.
  init(statuses: String?, uids: String?) throws(MailboxError) {
    let statuses = try Self.list(statuses).map { code throws(MailboxError) in try MessageStatus(knownCode: code) }
    self.init(uids: Self.list(uids), statuses: statuses)
  }

  static func list(_ text: String?) -> [String] {
    (text ?? "").split(separator: ",").map { $0.filter { !$0.isWhitespace } }.filter { !$0.isEmpty }
  }
}
