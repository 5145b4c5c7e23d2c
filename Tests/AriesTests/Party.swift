import Aries
import DIDComm
import JSON
import Sodium

/// One side of a handshake between two machines: its key, its endpoint, and its messages' ids.
struct Party {
  let own: OwnSide
  let name: String

  init(_ name: String) {
    self.name = name
    let (key, mailbox) = (KeyPair(), KeyPair().verkey)
    own = OwnSide(
      key: key,
      service: Service(
        recipientKeys: [key.verkey], routingKeys: [mailbox], endpoint: "http://\(name).example/agency/msg"),
      mailboxKey: mailbox)
  }

  var sender: Sender { .envelope(own.key.verkey) }

  func reply(_ id: String = "reply", answersOnce: Bool = true) -> Reply {
    Reply(id: "\(name)-\(id)", time: 1_700_000_000, as: own, answersOnce: answersOnce)
  }

  func invitation(_ plan: InvitationPlan, handshakes: [Handshake] = Handshake.all) throws -> Invitation {
    try plan.invitation(
      id: "invitation-1", from: .init(label: name, service: own.service), handshakes: handshakes)
  }
}

extension InvitationPlan {
  static func outOfBand(handshake: Bool = true, request: JSON? = nil) throws -> InvitationPlan {
    .outOfBand(try OutOfBandPlan(goalCode: nil, goal: "to talk", handshake: handshake, request: request))
  }
}

extension Action {
  /// The message that is sent, read as the other side reads it.
  var message: Message {
    get throws {
      switch self {
      case .send(let json, _), .sendAndLeave(let json, _), .notify(let json, _):
        return try Message(JSON(parsing: json.bytes))
      case .sendAll(let messages, _):
        guard let json = messages.first else { throw NothingSent(action: self) }
        return try Message(JSON(parsing: json.bytes))
      case .nothing, .leave, .refuse: throw NothingSent(action: self)
      }
    }
  }
}

struct NothingSent: Error { let action: Action }

/// A handshake that both sides do, step by step.
struct Conversation {
  let alice: Party
  let faber: Party
  var invitee: ConnectionMachine
  var inviter: ConnectionMachine
  let request: Action
  private(set) var response = Action.nothing
  private(set) var last = Action.nothing

  static let handshakes: [Handshake] = [.connections, .didExchange(.v1_0), .didExchange(.v1_1)]

  /// The invitee has sent its request.
  init(by handshake: Handshake, alice: Party = Party("alice"), faber: Party = Party("faber")) throws {
    self.alice = alice
    self.faber = faber
    let invitation = try faber.invitation(.outOfBand())
    invitee = try ConnectionMachine(invitation: invitation)
    inviter = .planned(try .outOfBand())
    inviter.invite(invitation)
    request = invitee.connect(label: "Alice", as: alice.own, requestID: "request-1", by: handshake)
  }

  /// The beginning of another handshake of the same two.
  func translated(to handshake: Handshake) throws -> Conversation {
    try Conversation(by: handshake, alice: alice, faber: faber)
  }

  /// The inviter has sent its response.
  mutating func respond() throws {
    response = try inviter.receive(request.message, from: alice.sender, reply: faber.reply("response"))
  }

  /// The invitee has sent its last message.
  mutating func complete() throws {
    last = try invitee.receive(response.message, from: faber.sender, reply: alice.reply("last"))
  }

  /// Both sides are done.
  mutating func finish() throws {
    try respond()
    try complete()
    _ = try inviter.receive(last.message, from: alice.sender, reply: faber.reply())
  }
}
