package import DIDComm
package import JSON

/// The route of an exchange's messages to the peer, and of the peer's answers back.
package enum Route: Equatable, Sendable {
  /// Over a connection: the answers arrive in its mailbox.
  case connection(ExchangeConnection)
  /// Without a connection: from a fresh key to the service that the peer named. The answer comes in the response to the
  /// request that carries the message, or never.
  case service(Service)

  /// The service that receives the messages.
  package var service: Service {
    switch self {
    case .connection(let connection): connection.peer.service
    case .service(let service): service
    }
  }

  /// The DID of the peer. Nil without a connection.
  var peerDID: String? {
    guard case .connection(let connection) = self, !connection.isInvitation else { return nil }
    return connection.peer.did
  }

  /// Throws if the peer cannot have sent a message. Without a connection the message answers our own, whose key only
  /// the peer knows; the caller passes no other message.
  package func require(_ sender: Sender) throws(ProtocolError) {
    try sender.require(oneOf: service.namingOneKey.recipientKeys)
  }

  /// Throws if the peer cannot have sent the answer to our message. Without a handshake, everybody who holds the
  /// message may answer it, under any key or none.
  func requireAnswer(from sender: Sender) throws(ProtocolError) {
    if isOpen { return }
    try require(sender)
  }

  /// Throws if the peer cannot have sent an answer that may name the service for the reply. The first key of that service must
  /// be the key of the proven sender: its owner is the peer from then on, and nobody can make somebody else the peer.
  func requireAnswer<Step>(_ answer: ExchangeMessage<Step>, from sender: Sender) throws(ProtocolError) {
    try requireAnswer(from: sender)
    guard isOpen, let service = try? answer.replyService() else { return }
    try sender.require(oneOf: service.namingOneKey.recipientKeys)
  }

  /// Whether the peer has not proven a key in a handshake.
  private var isOpen: Bool {
    if case .connection(let connection) = self { connection.isInvitation || connection.isConnectionless } else { false }
  }

  /// The route of the reply to an answer. Without a handshake the route leads to the service that the answer names (RFC
  /// 0056). Nil if the answer came by an invitation and names no service.
  package func answering<Step>(_ message: ExchangeMessage<Step>) -> Route? {
    guard case .connection(let connection) = self, isOpen else { return self }
    guard let service = try? message.replyService() else { return connection.isInvitation ? nil : self }
    return .connection(
      ExchangeConnection(
        own: connection.own, peer: Peer(document: service.document(id: service.recipientKeys[0].did.text)),
        isConnectionless: true))
  }

  /// Whether the peer is not known yet: it answers an invitation without a handshake.
  package var isInvitation: Bool {
    if case .connection(let connection) = self { connection.isInvitation } else { false }
  }

  /// Whether the peer may answer in the response to a message.
  package var awaitsResponses: Bool {
    switch self {
    case .connection(let connection): connection.isTemporary
    case .service: true
    }
  }

  /// Sends a message on this route. Without a connection of the program, the message asks for an answer in the response
  /// (RFC 0092).
  func send(_ message: JSON) -> Action { .send(prepared(message), to: service) }

  /// Sends a message that the peer need not receive.
  func notify(_ message: JSON) -> Action { .notify(prepared(message), to: service) }

  func prepared(_ message: JSON) -> JSON {
    awaitsResponses ? message.askingForReturn : message
  }
}

/// The part of a connection that an exchange keeps, so that it continues without the connection's object.
package struct ExchangeConnection: Equatable, Sendable {
  /// This side's key and mailbox.
  package let own: Pairwise
  package let peer: Peer
  /// Whether the peer knows of no connection, so that each message names the service for the answer.
  package let isConnectionless: Bool
  /// Whether `peer` is this side itself, as its invitation without a handshake describes it. Anybody may answer there.
  package let isInvitation: Bool
  /// Whether the library has made the connection for this exchange alone, so that the peer can answer.
  package let isTemporary: Bool

  package init(
    own: Pairwise, peer: Peer, isConnectionless: Bool = false, isInvitation: Bool = false, isTemporary: Bool = false
  ) {
    self.own = own
    self.peer = peer
    self.isConnectionless = isConnectionless
    self.isInvitation = isInvitation
    self.isTemporary = isTemporary
  }
}

// MARK: - Stored

extension Route {
  /// The members of a state that hold the route. Evernym's library stores connections only.
  var stored: [(String, JSON)] {
    switch self {
    case .connection(let connection): [("connection", connection.json)]
    case .service(let service): [("connection", nil), ("service", service.decorator)]
    }
  }

  init(stored state: JSONObject) throws {
    if let service = try state.optionalObject("service") {
      self = .service(try Service(invitation: service, isStored: false))
    } else {
      self = .connection(try ExchangeConnection(stored: state.object("connection")))
    }
  }
}

extension JSONObject {
  /// The route of a state that may have none.
  func storedRoute() throws -> Route? {
    let isBound = self["service"] != nil || !(self["connection"]?.isNull ?? true)
    return isBound ? try Route(stored: self) : nil
  }
}

extension ExchangeConnection {
  /// The form in which Evernym's library stores a completed connection within an exchange.
  fileprivate var json: JSON {
    var data: JSONObject = [
      "did_doc": peer.document.json.value, "invitation": nil, "protocols": nil,
      "thread": Thread(thid: "").begun().json,
    ]
    if isConnectionless { data["connectionless"] = true }
    if isInvitation { data["inviting"] = true }
    if isTemporary { data["temporary"] = true }
    return ["agent": .object(own.stored), "data": .object(data)]
  }

  fileprivate init(stored object: JSONObject) throws {
    let (agent, data) = (try object.object("agent"), try object.object("data"))
    self.init(
      own: try Pairwise(stored: agent),
      peer: Peer(document: try DIDDocument(.object(data.object("did_doc")), isStored: true)),
      isConnectionless: try data.optionalBool("connectionless") ?? false,
      isInvitation: try data.optionalBool("inviting") ?? false,
      isTemporary: try data.optionalBool("temporary") ?? false)
  }
}

extension Service {
  /// Reads the members of `~service` (RFC 0056). Keys may have any form. Throws for an address that msdk cannot post to.
  package init(decorator object: JSONObject) throws { try self.init(invitation: object, isStored: false) }

  /// The service as `~service` (RFC 0056): keys as base58.
  package var decorator: JSON {
    [
      "recipientKeys": JSON(recipientKeys.map(\.text)), "routingKeys": JSON(routingKeys.map(\.text)),
      "serviceEndpoint": .string(endpoint),
    ]
  }
}
