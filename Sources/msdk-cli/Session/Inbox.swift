internal import JSON
internal import MSDK
internal import Sodium
internal import Time

// The commands for messages.

extension OpenSession {
  func send() throws {
    let name = arguments.operands[0]
    let connection = try connections.find(name)
    let text = arguments.operands.count > 1 ? arguments.operands[1] : try Terminal.readInput()
    let message: JSON = [
      "@type": "https://didcomm.org/basicmessage/1.0/message", "@id": .string(.randomUUID()),
      "content": .string(text), "sent_time": .string(Timestamp(seconds: systemClock()).text),
    ]
    try Progress.showing("sending") { _ = try connection.send(message.text, with: session) }
    try arguments.show(["connection": .string(name), "sent": true], ["The message is sent."])
  }

  /// Shows the unread messages, and goes on with connections that wait.
  ///
  /// With `--follow`, it looks again each second until the user stops it. An agency that does not answer ends no
  /// such command, not even at its first look: the agency may come back.
  func inbox() throws {
    var shown: Set<String> = []
    guard arguments.has(.follow) else { return try show(unlessShown: &shown) }
    while true {
      do {
        try show(unlessShown: &shown)
      } catch let error as Failure {
        throw error
      } catch {
        Terminal.complain(asSentence("\(error)") + " Trying again.")
      }
      Terminal.sleep(milliseconds: 1000)
    }
  }

  /// Marks a message also if an earlier look showed it: the agency may not have answered then.
  private func show(unlessShown shown: inout Set<String>) throws {
    let known = try advanceAll()
    for message in try unread(of: known) {
      if shown.insert(message.uid).inserted { try arguments.show(message.json, [message.line]) }
      if message.isBasic, !arguments.has(.keep) { try markRead(message) }
    }
  }

  /// Applies the messages for connections themselves: answers of peers, pings.
  private func advanceAll() throws -> [String: (name: String, connection: Connection)] {
    var known: [String: (name: String, connection: Connection)] = [:]
    for (name, connection) in try connections.all() where connection.word != "ended" {
      var connection = connection
      let before = connection.word
      try Progress.showing("looking for messages of \(printable(name))") { try advance(&connection, name) }
      if connection.word != before {
        try arguments.show(
          ["connection": .string(name), "state": .string(connection.word)],
          ["The connection \(quoted(name)) is \(connection.word)."])
      }
      known[connection.pairwiseDID] = (name, connection)
    }
    return known
  }

  private func unread(of known: [String: (name: String, connection: Connection)]) throws -> [InboxMessage] {
    guard !known.isEmpty else { return [] }
    let text = try Progress.showing("downloading messages") {
      try session.downloadMessages(
        statuses: "MS-103", uids: nil, pairwiseDIDs: known.keys.sorted().joined(separator: ","))
    }
    return try JSON(parsing: text).requireArray().flatMap { mailbox throws -> [InboxMessage] in
      guard let did = mailbox["pairwiseDID"]?.string, let (name, connection) = known[did] else { return [] }
      let keys = try peerKeys(of: connection)
      return (mailbox["msgs"]?.array ?? []).map { InboxMessage($0, did: did, from: name, peerKeys: keys) }
    }
  }

  private func peerKeys(of connection: Connection) throws -> [String] {
    let info = try JSON(parsing: connection.info(with: session))
    return (info["their"]?["recipientKeys"]?.array ?? []).compactMap(\.string)
  }

  private func markRead(_ message: InboxMessage) throws {
    let list: JSON = [["pairwiseDID": .string(message.did), "uids": [.string(message.uid)]]]
    try session.updateMessages(status: "MS-106", list.text)
  }
}

/// An unread message, as the inbox shows it.
struct InboxMessage {
  let uid, did: String
  private let name, kind, content: String
  /// Whether the envelope proves that the peer of the connection sent the message.
  private let isProven: Bool

  init(_ entry: JSON, did: String, from name: String, peerKeys: [String]) {
    let payload = entry["decryptedPayload"]?.string.flatMap { try? JSON(parsing: $0) }
    let message = payload?["@msg"]?.string.flatMap { try? JSON(parsing: $0) }
    uid = entry["uid"]?.string ?? ""
    self.did = did
    self.name = name
    kind = payload?["@type"]?["name"]?.string ?? "unreadable"
    content = (message?["content"] ?? message?["comment"] ?? message?["question_text"])?.string ?? ""
    isProven = entry["senderVerkey"]?.string.map(peerKeys.contains) ?? false
  }

  var isBasic: Bool { kind == "message" }

  var json: JSON {
    [
      "connection": .string(name), "kind": .string(kind), "content": .string(content), "uid": .string(uid),
      "proven": .bool(isProven),
    ]
  }

  /// Other kinds than basic messages stay unread: a program has to act on them.
  var line: String {
    let doubt = isProven ? "" : " (not proven to be the sender)"
    let text = isBasic ? content : "[\(kind)] \(content)"
    return "\(printable(name))\(doubt): \(printable(text, lines: true))"
  }
}
