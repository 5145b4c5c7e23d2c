import MSDK

// The steps of docs/guide about connections, messages and the wallet. The documentation site shows each beside the same
// step in C and Python, and the tests of this package run them.

/// Makes the wallet and the mailbox of a user, once. Later sessions need only the result.
func provision(_ cloudAgent: Provisioning.CloudAgent, key: String, folder: String) async throws -> Configuration {
  let request = Provisioning(
    at: cloudAgent,  // .agency(…), or .mediator(invitation: …)
    walletName: "alice", walletKey: key,
    walletHome: folder + "/wallets",  // without it: ~/.indy_client/wallet
    institutionName: "Alice",  // what peers are shown
    registries: [.folder(folder + "/registry", isWritable: true)])  // for credentials only, see below
  return try await Session.provision(request)
}

/// The session lasts until `end`, or until the program forgets it.
func begin(_ configuration: Configuration) async throws -> Session {
  try await Session(configuration)
}

func accept(_ url: String) async throws -> Connection {
  let connection = try await Connection.accept(url, name: "faber")
  try await connection.connect()
  return connection
}

/// Looks into the mailbox until the connection is completed. Returns false if the handshake failed.
func complete(_ connection: Connection) async throws -> Bool {
  try await connection.completed(every: .milliseconds(200)) == .completed
}

/// The inviter's side. Returns the invitation, to be shown as a QR code.
func invite() async throws -> (connection: Connection, invitation: String) {
  let connection = try await Connection.invite(name: "guest", goal: "To get to know each other")
  return (connection, try await connection.connect())
}

func greet(_ connection: Connection) async throws {
  try await connection.ping(comment: "are you there?")
  try await connection.send("Good morning")
}

/// Shows the messages of the peer as they arrive, until the task is cancelled.
func unread(_ connection: Connection) async throws {
  for try await message in connection.messages() {
    print(message.kind ?? "unreadable", message.content ?? "")
    try await message.markRead()
  }
}

func keep(_ connection: Connection) async throws {
  try await Wallet.add(type: "connection", id: "faber", value: connection.serialized(), tags: ["with": "Faber"])
}

func restore() async throws -> Connection {
  try await Connection.restore(Wallet.record(type: "connection", id: "faber").value)
}

func meetAnError() async {
  do {
    _ = try await Wallet.record(type: "note", id: "1")
  } catch {
    print(error.code, error)
  }
}
