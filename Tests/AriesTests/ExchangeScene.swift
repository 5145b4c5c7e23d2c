import Aries
import DIDComm
import JSON
import Sodium
import TestSupport

/// The recorded messages of two exchanges, the two sides of a connection with fixed keys, and short ways to change a
/// message.
enum ExchangeScene {
  static let peerKey = key(1)
  static let ownKey = key(2)
  static let own = Pairwise(Mailbox(key: ownKey, keeper: DIDComm.Party(did: key(4).did.text, verkey: key(4))))
  static let peerService = Service(
    recipientKeys: [peerKey], routingKeys: [key(3)], endpoint: "http://faber.example/didcomm")
  static let peer = Peer(
    document: DIDDocument(id: peerKey.did.text, key: peerKey, service: peerService))
  static let connection = Route.connection(
    ExchangeConnection(own: own, peer: peer))
  static let service = Route.service(peerService)
  /// To a service that answers into a mailbox, or in the response.
  static let mailbox = Route.connection(
    ExchangeConnection(
      own: own, peer: peer, isConnectionless: true,
      isTemporary: true))
  static let sender = Sender.envelope(peerKey)

  static func key(_ number: UInt8) -> VerKey {
    // A seed of 32 bytes gives the same pair in every run.
    // swift-format-ignore: NeverUseForceTry
    try! KeyPair(seed: SecretBytes(copying: Array(repeating: number, count: 32))).verkey
  }

  static func message(_ exchange: String, _ name: String) throws -> JSON {
    let all = try Fixtures.json("anoncreds/didcomm_messages.json")
    guard let message = all[exchange]?[name] else { throw JSONError.missing(key: "\(exchange).\(name)") }
    return message
  }

  static func revocation(_ version: String) throws -> JSON {
    let all = try Fixtures.json("anoncreds/didcomm_messages.json")
    return all["revoke_\(version.replacing(".", with: "_"))"] ?? .null
  }

  /// A message of a type, without members that its protocol needs.
  static func bare(_ type: String, on thread: String) -> JSON {
    ["@type": .string("https://didcomm.org/\(type)"), "@id": "bare", "~thread": ["thid": .string(thread)]]
  }

  static func report(_ type: String, thread: String) -> JSON {
    [
      "@type": .string("https://didcomm.org/\(type)"), "@id": "report", "~thread": ["thid": .string(thread)],
      "description": ["code": "issuance-abandoned", "en": "no more"],
    ]
  }
}

/// The effects of the messages on the machine of an exchange in one state, by the kinds of the messages. The state leaves
/// messages of all other kinds to other objects.
struct ExchangeDecisions: Sendable {
  enum Decision: Sendable { case applied, checked, taken, left }

  let state: String
  /// The messages that change the machine.
  var applied: Set<String> = []
  /// The messages with content that the object checks before the machine takes them.
  var checked: Set<String> = []
  /// The messages that the machine takes without a change.
  var taken: Set<String> = []

  subscript(kind: String) -> Decision {
    applied.contains(kind) ? .applied : checked.contains(kind) ? .checked : taken.contains(kind) ? .taken : .left
  }

  /// Whether the decisions name only messages of these kinds. A misspelt name would stand for no message.
  func name(only kinds: [String]) -> Bool { applied.union(checked).union(taken).isSubset(of: kinds) }
}

/// A fact that an exchange has in some of its states.
enum ExchangeFact: Sendable {
  case offer, delivery, request, presentation, report
  /// The way of the next message.
  case route

  /// The facts that are there.
  static func present(_ facts: KeyValuePairs<Self, Bool>) -> Set<Self> { Set(facts.filter(\.value).map(\.key)) }
}

/// A machine in another state than the expected one.
struct Unexpected<Machine: Sendable>: Error { let machine: Machine }

extension JSON {
  func on(thread: String) -> JSON { with(["~thread": ["thid": .string(thread)]]) }
}

extension Action {
  /// The JSON that is sent, and where it goes.
  var sent: (message: JSON, service: Service)? {
    switch self {
    case .send(let message, let service), .notify(let message, let service), .sendAndLeave(let message, let service):
      (message, service)
    case .sendAll, .nothing, .leave, .refuse: nil
    }
  }
}
