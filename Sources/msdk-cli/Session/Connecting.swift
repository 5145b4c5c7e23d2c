internal import JSON
internal import MSDK

// The commands that make connections.

extension OpenSession {
  /// Accepts an invitation, after showing its sender.
  func connect() throws {
    let offer = try Offer(arguments.operands[0])
    if !arguments.wantsJSON { try arguments.show(offer.lines) }
    if !arguments.has(.yes) {
      guard let answer = Terminal.confirm("Connect?") else {
        throw Failure("There is no terminal to ask whether to connect: --yes accepts.")
      }
      guard answer else { throw Failure("Nothing was sent.") }
    }
    let name = try connections.freeName(arguments[.alias], proposing: offer.label)
    var connection = try offer.connection(named: name)
    try Progress.showing("sending the request") {
      try connection.connect(ConnectionOptions(parsing: nil), with: session)
    }
    try connections.add(connection, as: name)
    try finish(&connection, name)
  }

  /// Makes an invitation, and shows it.
  func invite() throws {
    let name = try connections.freeName(arguments[.alias], proposing: "guest")
    var connection = try Connection(
      sourceID: name, goalCode: nil, goal: arguments[.goal], handshake: true, attaching: nil)
    try Progress.showing("making a mailbox") {
      try connection.connect(ConnectionOptions(parsing: nil), with: session)
    }
    try connections.add(connection, as: name)
    try show(InvitationLink(connection.invitationText, at: session.settings.account?.endpoint), name)
    try finish(&connection, name)
  }

  private func show(_ link: InvitationLink, _ name: String) throws {
    if let path = arguments[.png] { try link.picture().writePNG(to: path) }
    let picture = arguments.has(.qr) ? [try link.picture().text] : []
    try arguments.show(["name": .string(name), "url": .string(link.url)], [link.url] + picture)
  }

  /// Waits until the connection is completed, unless the user does not want to. A connection that is not is no failure:
  /// `inbox` goes on with it.
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
    for _ in 0..<arguments.timeout * 4 where connection.word == "waiting" {
      try advance(&connection, name)
      if connection.word == "waiting" { Terminal.sleep(milliseconds: 250) }
    }
  }

  /// Looks for a message for the connection itself, and keeps the state after it.
  func advance(_ connection: inout Connection, _ name: String) throws {
    let before = connection.state
    try connection.poll(with: session)
    if connection.state != before { try connections.update(connection, named: name) }
  }

  /// Lists the connections.
  func list() throws {
    for (name, connection) in try connections.all() {
      let peer = connection.peerLabel
      try arguments.show(
        [
          "name": .string(name), "state": .string(connection.word), "peer": JSON(peer),
          "did": .string(connection.pairwiseDID),
        ],
        ["\(connection.word.padded(9))  \(printable(name))\(peer.map { "  (\(printable($0)))" } ?? "")"])
    }
  }
}

extension Connection {
  /// The inviter's name for itself, in an invitee's connection.
  var peerLabel: String? {
    guard let invitation = try? JSON(parsing: invitationText) else { return nil }
    return invitation["label"]?.string
  }
}

extension String {
  fileprivate func padded(_ width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
