import MSDK

// Connects with a peer and talks with it: `Example NAME INVITATION-URL`, or `Example NAME` to invite one. The configuration
// of a wallet, which `msdk provision` makes, comes from standard input.

let configuration = Configuration(text: Array(AnyIterator { readLine() }).joined())
let arguments = CommandLine.arguments.dropFirst()
guard let name = arguments.first else { fatalError("usage: Example NAME [INVITATION-URL] < config.json") }

let session = try await Session(configuration)
let connection: Connection
if let url = arguments.dropFirst().first {
  connection = try await Connection.accept(url, name: name)
  try await connection.connect()
} else {
  connection = try await Connection.invite(name: name)
  print("invitation", try await connection.connect())
}
guard try await connection.completed() == .completed else { fatalError("the peer ended the connection") }
print("connected")
try await Wallet.add(type: "connection", id: name, value: connection.serialized())

try await connection.send("Good morning")
for try await message in connection.messages(every: .milliseconds(300)) where message.kind == "message" {
  print("reads:", message.content ?? "")
  try await message.markRead()
  break
}
session.end()
