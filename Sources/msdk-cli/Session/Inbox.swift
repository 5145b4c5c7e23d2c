internal import CloudAgent
internal import JSON
internal import MSDK
internal import ProgramArguments
internal import Sodium
internal import Time
internal import Wallet

// The commands for messages.

extension OpenSession {
  func send() throws {
    let (name, found) = try connections.find(arguments.operands[0])
    if arguments.operands.count == 1, Terminal.isTyped {
      Terminal.complain("Type the message. Ctrl-D on an empty line ends it.")
    }
    let text = arguments.operands.count > 1 ? arguments.operands[1] : try Terminal.readInput()
    guard !text.isEmpty else { throw Failure("The message is empty.") }
    // The user may have typed for a while.
    let connection = try connections.current(found, named: name)
    let message: JSON = [
      "@type": "https://didcomm.org/basicmessage/1.0/message", "@id": .string(.randomUUID()),
      "content": .string(text), "sent_time": .string(Timestamp(seconds: systemClock()).text),
    ]
    do {
      try Progress.showing("sending") { _ = try connection.send(message.text, with: session) }
    } catch ConnectionError.notReady {
      throw Failure("The connection \(quoted(name)) waits for the other side: `msdk inbox` goes on with it.")
    }
    try arguments.show(["connection": .string(name), "sent": true], ["The message is sent."])
  }

  /// Shows the unread messages, and continues waiting connections.
  ///
  /// With `--follow`, it asks again each second until the user stops it. If the Cloud Agent does not answer, the
  /// command goes on, even after its first attempt: the Cloud Agent may come back.
  ///
  /// A failing connection does not hide the messages of the others: the command names it, and fails at the end.
  func inbox() throws {
    try connections.warnOfUnreadable()
    var inbox = Inbox(of: self)
    guard arguments.has(.follow) else {
      let isAny = try inbox.show()
      guard inbox.failed.isEmpty else { throw Failure("Not all connections could be looked through.") }
      if !isAny, !arguments.wantsJSON { try arguments.show(["No message is unread."]) }
      return
    }
    while true {
      do {
        _ = try inbox.show()
      } catch let error as Failure {
        throw error
      } catch {
        Terminal.complain(asSentence("\(error)") + " Trying again.")
      }
      Terminal.sleep(milliseconds: 1000)
    }
  }
}

/// One command's repeated requests for messages.
struct Inbox {
  private let owner: OpenSession
  /// Whether to show new connections.
  private let tellsConnections: Bool
  private var hasToldConnections = false
  /// The ids of the messages that are already shown.
  private var shown: Set<String> = []
  /// The last complaints, by connection. A complaint that the user has seen is not repeated.
  private(set) var failed: [String: String] = [:]

  typealias Known = [String: (name: String, connection: Connection)]

  init(of owner: OpenSession, tellingConnections: Bool = true) {
    self.owner = owner
    tellsConnections = tellingConnections
  }

  /// Shows the unread messages, each once. Marks a message even if it was shown before: the Cloud Agent may not have answered
  /// then. Returns whether the user saw anything, be it about a connection.
  mutating func show() throws -> Bool {
    let messages = try unread(of: advanceConnections())
    let awaited = messages.contains(where: \.isOver) ? try Exchanges(owner: owner).advanceWaiting() : []
    for message in messages {
      if shown.insert(message.uid).inserted { try owner.arguments.show(message.json, [message.line]) }
      guard !owner.arguments.has(.keep), message.isOnlyToRead || message.isOver && !awaited.contains(message.did) else {
        continue
      }
      try owner.markRead(message.uid, of: message.did)
    }
    return hasToldConnections || !messages.isEmpty
  }

  /// The unread messages of the connections.
  mutating func unread(of known: Known) throws -> [InboxMessage] {
    do { return try download(of: known) } catch CloudAgentError.tooMuch { return try unreadOfEach(known) }
  }

  /// The same, mailbox by mailbox: together they are too large for one answer.
  private mutating func unreadOfEach(_ known: Known) throws -> [InboxMessage] {
    var found: [InboxMessage] = []
    for (did, owner) in known.sorted(by: { $0.value.name < $1.value.name }) {
      do { found += try download(of: [did: owner]) } catch let error as CloudAgentError where error == .tooMuch {
        complain("\(error)", of: owner.name)
      }
    }
    return found
  }

  /// Applies the messages for connections themselves, such as answers of peers and pings. Returns the connections with
  /// a readable mailbox, by their pairwise DIDs.
  mutating func advanceConnections() throws -> Known {
    var known: Known = [:]
    // The mailbox of an ended connection may have messages that the peer sent before the end.
    for (name, connection) in try owner.connections.all()
    where connection.word != "ended" || !connection.pairwiseDID.isEmpty {
      var connection = connection
      if try advance(&connection, name) { known[connection.pairwiseDID] = (name, connection) }
    }
    return known
  }

  /// Continues one connection. Returns false if its mailbox cannot be read. Throws only errors that concern all
  /// connections.
  private mutating func advance(_ connection: inout Connection, _ name: String) throws -> Bool {
    let (before, number) = (connection.word, connection.state.number)
    do {
      try Progress.showing("looking for messages of \(printable(name))") { try owner.advance(&connection, name) }
      failed[name] = nil
    } catch let error where Self.isOfOneConnection(error) {
      complain("\(error)", of: name)
      if error is ConnectionRecords.Replaced { return false }
      return !(error is CloudAgentError) && !connection.pairwiseDID.isEmpty
    }
    let isAnswered = connection.state.number != number && !connection.isInvitee && connection.word == "waiting"
    if connection.word != before || isAnswered && !owner.arguments.wantsJSON, tellsConnections {
      hasToldConnections = true
      let addition = isAnswered ? ": the guest's request is answered" : ""
      try owner.arguments.show(
        ["connection": .string(name), "state": .string(connection.word)],
        ["The connection \(quoted(name)) is \(connection.word)\(addition)."])
    }
    return true
  }

  /// Whether an error concerns only its connection. Without the Cloud Agent or the wallet, all connections fail.
  private static func isOfOneConnection(_ error: any Error) -> Bool {
    switch error {
    case CloudAgentError.unreachable, is WalletError, is WalletFailure, is SessionError, is SettingsError, is Failure:
      false
    default: true
    }
  }

  private mutating func complain(_ text: String, of name: String) {
    if failed.updateValue(text, forKey: name) != text { Terminal.complain("\(quoted(name)): " + asSentence(text)) }
  }

  private func download(of known: Known) throws -> [InboxMessage] {
    guard !known.isEmpty else { return [] }
    let text = try Progress.showing("downloading messages") {
      try owner.session.downloadMessages(
        statuses: "MS-103", uids: nil, pairwiseDIDs: known.keys.sorted().joined(separator: ","))
    }
    return try JSON(parsing: text).requireArray().flatMap { mailbox throws -> [InboxMessage] in
      guard let did = mailbox["pairwiseDID"]?.string, let (name, connection) = known[did] else { return [] }
      let isOver = connection.word == "ended"
      return (mailbox["msgs"]?.array ?? []).map {
        InboxMessage($0, did: did, from: name, peerKey: connection.peerKey?.text, isOver: isOver) { notice in
          try? owner.session.credential(ofNotice: notice, from: connection.peerKey, over: did)
        }
      }
    }
  }
}

extension OpenSession {
  /// Marks the message with this id in the mailbox of a pairwise DID.
  func markRead(_ uid: String, of did: String) throws {
    let list: JSON = [["pairwiseDID": .string(did), "uids": [.string(uid)]]]
    try session.updateMessages(status: "MS-106", list.text)
  }
}
