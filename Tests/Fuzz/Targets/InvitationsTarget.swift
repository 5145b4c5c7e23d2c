import AgencyWire
import JSON

@testable import Aries
@testable import DIDComm
@testable import MSDK

extension FuzzTarget {
  /// Invitations, and the first message of the one who gave it.
  static let invitations = FuzzTarget("invitations") { input in
    let text = String(decoding: input, as: UTF8.self)
    if let message = try? MessageText(parsing: text) {
      _ = try? message.attachedMessage()
      _ = try? message.threadID()
    }
    guard let json = try? JSON(parsing: input) else { return }
    let identity = InviterIdentity(of: json)
    let accepted = [
      try? MSDK.Connection(sourceID: "x", connectionInvitation: text),
      try? MSDK.Connection(sourceID: "x", outOfBandInvitation: text),
    ]
    for connection in accepted.compactMap({ $0 }) {
      try checkRestoring(connection)
      _ = connection.invitationText(abbreviated: true)
      _ = KnownInviter(of: connection.machine)?.isInviter(of: identity)
      var machine = connection.machine
      _ = machine.connect(label: "x", as: try ownSide(), requestID: "1")
      try checkReceiving(json, by: machine)
    }
  }

  static func ownSide() throws -> OwnSide {
    let own = try Material.own.get()
    let service = Service(recipientKeys: [own.verkey], routingKeys: [], endpoint: "http://127.0.0.1:1/")
    return OwnSide(key: own, service: service)
  }

  /// A connection that was serialized is restored as it was.
  static func checkRestoring(_ connection: MSDK.Connection) throws {
    let text = connection.serialized(institutionDID: "x")
    guard let restored = try? MSDK.Connection(serialized: text) else {
      throw Finding(description: "a connection that was serialized is not restored")
    }
    try expect(restored.serialized(institutionDID: "x") == text, "a restored connection is serialized otherwise")
  }

  /// A machine that refuses a message stays as it was; what it answers can be packed.
  static func checkReceiving(_ json: JSON, by machine: ConnectionMachine) throws {
    guard let message = try? Message(json) else { return }
    let (own, peer) = (try Material.own.get(), try Material.peer.get())
    for sender in [Sender.envelope(nil), .envelope(peer.verkey)] {
      var next = machine
      let action = try? next.receive(message, from: sender, reply: Reply(id: "r", time: 1, as: ownSide()))
      if case .send(let answer, let service)? = action { _ = try? service.pack(answer.bytes, from: own) }
      guard next != machine else { continue }
      try expect(action != nil, "a message that was refused has changed the connection")
      let connection = MSDK.Connection(sourceID: "s", machine: next)
      // One that cannot be kept is refused by the connection, not by its machine.
      if connection.isStorable { try checkRestoring(connection) }
    }
  }
}
