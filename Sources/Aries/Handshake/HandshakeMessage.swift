package import DIDComm
package import JSON

/// A message of a handshake, in one of the protocols.
package protocol HandshakeMessage: Sendable {
  /// The protocol, in the version of the message.
  var handshake: Handshake { get }
  var id: String { get }
  var thread: Thread { get }
  var json: JSON { get }
}

/// A message by which a side introduces itself.
package protocol Introduction: HandshakeMessage {
  /// The DID that the sender presents. Empty if the message names none.
  var did: String { get }
}

extension Introduction {
  /// The name of the DID by which the peer knows the sender. Nil for an unqualified DID.
  package var qualifiedDID: String? {
    let name = DID.name(of: did)
    return name.hasPrefix("did:") ? name : nil
  }
}

/// The message by which an invitee introduces itself and asks for the connection.
package protocol HandshakeRequest: Introduction {
  /// The invitee, with proof of its keys. The caller checks that the invitee has sent the request.
  func invitee() throws(ProtocolError) -> Peer

  /// Grants the request. `own` introduces itself, with the key of the invitation.
  func response(_ reply: Reply, as own: OwnSide, to invitation: Invitation) -> any HandshakeResponse
}

/// The message by which an inviter introduces itself and grants the connection.
package protocol HandshakeResponse: Introduction {
  /// The public DID that the inviter presents without a document, so that only a ledger tells its keys. Nil for none.
  var publicDID: String? { get }

  /// The inviter. Throws if nothing proves that the response comes from one of `keys`, which are the invitation's.
  /// Returns a failure for a proven response that cannot be used. `resolved` is the document of the public DID, if a
  /// ledger was asked.
  func inviter(
    signingWithOneOf keys: [VerKey], from sender: Sender, resolved: DIDDocument?
  ) throws(ProtocolError) -> Result<Peer, ProtocolError>

  /// Tells the inviter that the response has arrived. `thread` is that of the request.
  func confirmation(id: String, thread: Thread) -> JSON
}

extension HandshakeResponse {
  package var publicDID: String? { nil }
}

extension HandshakeRequest {
  /// The problem report to a request that cannot be granted. It goes to the sender of the request, and changes nothing
  /// on this side.
  func refusal(because reason: String, to sender: Sender, reply: Reply) throws(ProtocolError) -> Action {
    let service = try invitee().service
    try sender.require(oneOf: service.recipientKeys)
    let report = ProblemReport(
      in: handshake, id: reply.id, code: "request_not_accepted", explanation: reason,
      thread: Thread(thid: id, pthid: thread.pthid))
    return .notify(report.json, to: service)
  }
}

extension Handshake {
  /// Creates the request for the connection. `id`, and the whole request, is the same when the call is repeated after a
  /// failure to send, so that the inviter can tell a repetition from a second request. A DID exchange presents a DID of
  /// `method`.
  func request(
    id: String, label: String, as own: OwnSide, presenting method: DIDMethod?, invitation: String
  ) -> any HandshakeRequest {
    switch self {
    case .connections: ConnectionRequest(id: id, label: label, document: own.document, pthid: invitation)
    case .didExchange(let version):
      DIDExchangeRequest(
        version, id: id, label: label, as: own, presenting: method ?? .usual(in: version), attachmentID: "did-doc",
        pthid: invitation)
    }
  }
}

extension Message {
  /// The message, if it asks for a connection.
  package var request: (any HandshakeRequest)? {
    switch self {
    case .connectionRequest(let request): request
    case .didExchangeRequest(let request): request
    default: nil
    }
  }

  /// The message, if it grants a connection.
  package var response: (any HandshakeResponse)? {
    switch self {
    case .connectionResponse(let response): response
    case .didExchangeResponse(let response): response
    default: nil
    }
  }
}
