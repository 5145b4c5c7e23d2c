import Aries
import DIDComm
import HTTP
import HTTPServing
import JSON
import MSDK
import Sodium
import Threading

/// An invitee with a server of its own, which does what a test tells it.
final class ScriptedInvitee {
  let server: HTTPServer
  let key = KeyPair()
  private(set) var machine: ConnectionMachine
  private let arrived: Locked<[[UInt8]]>
  private let status: Locked<Int>
  private let http = HTTPClient()

  init(invitation: Invitation) throws {
    let (arrived, status) = (Locked<[[UInt8]]>([]), Locked(200))
    self.arrived = arrived
    self.status = status
    server = try HTTPServer { request in
      let status = status.withLock { $0 }
      if status == 200 { arrived.withLock { $0.append(request.body) } }
      return HTTPServer.Response(status: status)
    }
    machine = try ConnectionMachine(invitation: invitation)
  }

  deinit { server.stop() }

  /// The invitee's words about the way to it.
  var routingKeys: [VerKey] = []
  var endpoint: String?
  /// The service of an inviter that the invitation names by a public DID.
  var resolved: Service?
  /// A public DID that the invitee gives as its own.
  var claimedDID: String?
  /// A foreign key that the invitee lists as its own.
  var foreignKey: VerKey?

  var own: OwnSide {
    let keys = [key.verkey] + (foreignKey.map { [$0] } ?? [])
    let service = Service(recipientKeys: keys, routingKeys: routingKeys, endpoint: endpoint ?? server.endpoint)
    return OwnSide(key: key, service: service)
  }

  var isConnected: Bool { if case .completed = machine { true } else { false } }

  /// The endpoint's status from now on; messages arrive only with 200.
  func answer(_ newStatus: Int) { status.withLock { $0 = newStatus } }

  /// Asks for the connection.
  func ask(by handshake: Handshake? = nil, requestID: String = .randomUUID()) throws {
    try perform(machine.connect(label: "Bob", as: own, requestID: requestID, by: handshake, at: resolved))
  }

  /// A request for a connection, by DID Exchange.
  func request(id: String) throws -> JSON {
    guard let invitation = machine.invitation else { throw NothingArrived() }
    var machine = try ConnectionMachine(invitation: invitation)
    let action = machine.connect(
      label: "Bob", as: own, requestID: id, by: .didExchange(.v1_0), at: resolved)
    guard case .send(var request, _) = action else { throw NothingArrived() }
    if let claimedDID {
      request["did"] = .string(claimedDID)
      request["did_doc~attach"] = nil
    }
    return request
  }

  /// The messages that arrived, decrypted.
  func received() throws -> [JSON] {
    try arrived.withLock { $0 }.map { try JSON(parsing: Envelope(parsing: $0).open(with: key).message) }
  }

  /// Applies the last message that arrived, and answers it as the protocol says.
  func react() throws {
    guard let bytes = arrived.withLock({ $0.last }) else { throw NothingArrived() }
    let opened = try Envelope(parsing: bytes).open(with: key)
    let message = try Message(JSON(parsing: opened.message))
    try perform(
      machine.receive(message, from: .envelope(opened.sender), reply: Reply(id: .randomUUID(), as: own)))
  }

  /// Applies the last message that arrived, and keeps the answer to itself.
  func learn() throws {
    guard let bytes = arrived.withLock({ $0.last }) else { throw NothingArrived() }
    let opened = try Envelope(parsing: bytes).open(with: key)
    _ = try machine.receive(
      Message(JSON(parsing: opened.message)), from: .envelope(opened.sender), reply: Reply(id: .randomUUID(), as: own))
  }

  func send(_ message: JSON) throws {
    guard let peer = machine.peer else { throw NothingArrived() }
    try perform(.send(message, to: peer.service))
  }

  /// Sends a message to the inviter, in any state of the handshake.
  func post(_ message: JSON) throws {
    guard let service = machine.invitation?.service ?? resolved else { throw NothingArrived() }
    try perform(.send(message, to: service))
  }

  private func perform(_ action: Action) throws {
    guard case .send(let message, let service) = action else { return }
    let packed = try service.pack(message.bytes, from: key)
    let response = try http.post(packed, to: service.endpoint, contentType: "application/didcomm-envelope-enc")
    guard response.status == 200 else { throw DeliveryError.refused(status: response.status) }
  }

  struct NothingArrived: Error {}
}
