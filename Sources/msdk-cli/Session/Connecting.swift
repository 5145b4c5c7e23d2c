internal import JSON
internal import MSDK
internal import Platform
internal import ProgramArguments

// The commands that make connections.

extension OpenSession {
  /// The name that peers see if the user has provisioned without one. The user's names of connections are private.
  static let label = "msdk"

  /// Accepts an invitation, after showing its sender.
  func connect() throws {
    let offer = try Offer(arguments.operands[0])
    let all = try connections.all()
    let known = all.filter { $0.connection.isConnected(by: offer) }.map { Self.known($0.name) }
    let asking = all.filter { $0.connection.isAsking(offer) }.map { Self.asking($0.name) }
    try confirm("Connect?", offer.lines + known + asking)
    var (name, connection) = try turns.take(.invitation(offer.id)) {
      // Another command may have gone on with it while the question was open.
      let now = try connections.all()
      let shown = Set(all.filter { $0.connection.isUsing(offer) }.map(\.connection.pairwiseDID))
      if let new = now.first(where: { !shown.contains($0.connection.pairwiseDID) && $0.connection.isUsing(offer) }) {
        throw Failure("Another command has used the invitation meanwhile, for the connection \(quoted(new.name)).")
      }
      let earlier = now.first { $0.connection.waitsToAsk(offer) }
      let (name, connection) = try earlier ?? attempt(at: offer)
      let asked = try turns.take(.connection(name)) { try ask(connection, name, isNew: earlier == nil) }
      return (name, asked)
    }
    try finish(&connection, name)
  }

  /// Sends the request, unless another command has sent it meanwhile; opens the mailbox of a new connection that needs no
  /// request. Removes a new connection if nothing was sent.
  private func ask(_ read: Connection, _ name: String, isNew: Bool) throws -> Connection {
    let before = try connections.current(read, named: name)
    guard isNew || before.state == .invited else { return before }
    var connection = before
    do { try Progress.showing("sending the request") { try request(&connection, name) } } catch {
      if error is DeliveryError || connection.state != before.state {
        let mayHaveArrived = (error as? DeliveryError)?.mayHaveArrived ?? true
        let next =
          mayHaveArrived
          ? ", because the request may have arrived: `msdk inbox` sends it again" : ": `msdk inbox` sends the request"
        throw Failure(
          asSentence("\(error)") + " The connection \(quoted(name)) is kept\(next), `msdk forget` forgets it.")
      }
      if isNew { try connections.removeAdded(before, named: name, after: error) }
      throw error
    }
    return connection
  }

  private static func known(_ name: String) -> String {
    "You are connected by this invitation already: \(quoted(name)). The inviter may take it only once."
  }

  private static func asking(_ name: String) -> String {
    "You have asked this inviter already: \(quoted(name)) waits for the answer. `msdk inbox` goes on with it."
  }

  /// A connection for the invitation. The wallet keeps the connection with its key.
  private func attempt(at offer: Offer) throws -> (name: String, connection: Connection) {
    var connection = try offer.connection()
    try connection.keepKey(with: session)
    return (try connections.add(connection, as: arguments[.alias], proposing: offer.label), connection)
  }

  /// Sends the request. Its id is derived from the key, so that the peer treats a repetition as the same request. Keeps the
  /// connection also after a failed delivery: the request may have arrived.
  private func request(_ connection: inout Connection, _ name: String) throws {
    let before = connection
    var failure: DeliveryError?
    do { try connection.connect(ConnectionOptions(parsing: nil), with: session) } catch let error as DeliveryError {
      failure = error
    }
    try connections.update(&connection, named: name, after: before)
    if let failure { throw failure }
  }

  /// Makes an invitation, and shows it.
  func invite() throws {
    // The command fails before it makes the mailbox if the name is taken, or if no picture can be written to the path.
    _ = try connections.freeName(arguments[.alias], proposing: "guest")
    if let path = arguments[.png] { try Picture.requireFree(path) }
    var connection = try Connection(
      sourceID: Self.label, goalCode: nil, goal: arguments[.goal], handshake: true, attaching: nil)
    try Progress.showing("making a mailbox") {
      try connection.connect(ConnectionOptions(parsing: nil), with: session)
    }
    let name = try connections.add(connection, as: arguments[.alias], proposing: "guest")
    try show(InvitationLink(connection.invitationText, at: session.settings.cloudAgent?.address), name)
    try finish(&connection, name)
  }

  /// Shows the QR code if the terminal has room for it, and then the URL, which stays visible.
  private func show(_ link: InvitationLink, _ name: String) throws {
    if let path = arguments[.png] { try link.picture().writePNG(to: path) }
    var lines = [link.url]
    if arguments.has(.qr), !arguments.wantsJSON {
      let picture = try link.picture()
      if let size = Terminal.size, let excess = picture.excess(over: size, below: link.url) {
        Terminal.complain(excess)
      } else {
        lines.insert(picture.text, at: 0)
      }
    }
    try arguments.show(["name": .string(name), "url": .string(link.url)], whole: true, lines)
  }

  /// Waits until the connection is completed, unless the user does not want to wait. An incomplete connection is no
  /// failure: `inbox` continues it.
  private func finish(_ connection: inout Connection, _ name: String) throws {
    if !arguments.has(.noWait) {
      try Progress.showing("waiting for the other side") { try complete(&connection, name) }
    }
    let hint = connection.word == "waiting" ? "; `msdk inbox` goes on with it" : ""
    try arguments.show(
      ["name": .string(name), "state": .string(connection.word)],
      ["The connection \(quoted(name)) is \(connection.word)\(hint)."])
    if connection.word == "ended" { throw Failure("The other side ended the connection.") }
  }

  private func complete(_ connection: inout Connection, _ name: String) throws {
    let end = MonotonicTime.now.after(milliseconds: arguments.timeout * 1000)
    while connection.word == "waiting" {
      try advance(&connection, name)
      guard connection.word == "waiting" else { return }
      let left = end.millisecondsLeft
      guard left > 0 else { return }
      Terminal.sleep(milliseconds: UInt32(min(left, 250)))
    }
  }

  /// Applies a message for the connection itself, and keeps the new state. Sends the request again if the answer to it
  /// was lost. Begins with the state in the wallet, where another command may have gone on with the connection.
  func advance(_ connection: inout Connection, _ name: String) throws {
    connection = try connections.current(connection, named: name)
    if connection.state == .invited {
      // Another command may be sending it.
      try turns.takeIfFree(.connection(name)) {
        connection = try connections.current(connection, named: name)
        if connection.state == .invited { try request(&connection, name) }
      }
      guard connection.state != .invited else { return }
    }
    // The number of the state may stay: a connection also keeps the id of its ping, whose answer it awaits.
    let before = connection
    try connection.poll(with: session)
    if connection.machine != before.machine { try connections.update(&connection, named: name, after: before) }
  }

  /// Forgets a connection, and closes its mailbox. The peer gets no message.
  func forget() throws {
    let (name, read) = try connections.find(arguments.operands[0])
    try turns.take(.connection(name)) {
      // Another command may have opened the mailbox meanwhile.
      let connection = try connections.current(read, named: name)
      do {
        try Progress.showing("closing the mailbox") { try connection.delete(with: session) }
      } catch ConnectionError.noMailbox {}
      try connections.remove(connection, named: name)
    }
    try arguments.show(
      ["connection": .string(name), "forgotten": true], ["The connection \(quoted(name)) is forgotten."])
  }

  /// Lists the connections.
  func list() throws {
    try connections.warnOfUnreadable()
    let all = try connections.all()
    if all.isEmpty, !arguments.wantsJSON { try arguments.show(["The wallet has no connection."]) }
    for (name, connection) in all {
      let peer = connection.peerLabel
      try arguments.show(
        [
          "name": .string(name), "state": .string(connection.word), "peer": JSON(peer),
          "did": .string(connection.pairwiseDID),
        ],
        ["\(connection.word.padded(9))  \(printable(name))\(peer.map { "  (\(ContentRow.title($0)))" } ?? "")"])
    }
  }
}

extension Connection {
  /// Whether the request to this inviter must still be sent, or its answer was lost.
  fileprivate func waitsToAsk(_ offer: Offer) -> Bool { state == .invited && offer.isInvitation(of: self) }

  /// Whether the inviter has this connection's request, and has not answered.
  fileprivate func isAsking(_ offer: Offer) -> Bool {
    word == "waiting" && state != .invited && offer.isInvitation(of: self)
  }

  /// Whether the inviter has this connection's request.
  fileprivate func isUsing(_ offer: Offer) -> Bool { isAsking(offer) || isConnected(by: offer) }

  /// Whether the invitation has led to this connection.
  fileprivate func isConnected(by offer: Offer) -> Bool { word == "connected" && offer.isInvitation(of: self) }
}

extension String {
  fileprivate func padded(_ width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
