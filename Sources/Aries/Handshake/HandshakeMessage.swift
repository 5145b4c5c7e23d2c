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
  /// The presented DID, if its keys are on a ledger; otherwise nil.
  var publicDID: String? { get }
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
  /// The invitee's name for itself, which nobody has checked. Empty if the message has no name.
  var label: String { get }

  /// The DID of the invitee. Throws if an attached document is not signed by one of its own keys. `resolved` is the
  /// document of the public DID, if a ledger was asked.
  func introduced(resolved: DIDDocument?) throws(ProtocolError) -> IntroducedDID

  /// Grants the request. `own` introduces itself, and the key of the invitation signs.
  func response(_ reply: Reply, as own: OwnSide, to invitation: Invitation) -> any HandshakeResponse
}

/// The message by which an inviter introduces itself and grants the connection.
package protocol HandshakeResponse: Introduction {
  /// The DID of the inviter. Throws if nothing proves that the response comes from `key`, the invitation's key. Returns
  /// a failure for a proven response that cannot be used. `resolved` is the document of the public DID, if a ledger was
  /// asked.
  func introduced(
    signedBy key: VerKey, from sender: Sender, resolved: DIDDocument?
  ) throws(ProtocolError) -> Result<IntroducedDID, ProtocolError>

  /// Tells the inviter that the response has arrived. `thread` is the request's thread.
  func confirmation(id: String, thread: Thread) -> JSON
}

extension HandshakeRequest {
  /// The beginning of the label, as connections keep it; nil for an empty label.
  var shortLabel: String? { label.isEmpty ? nil : String(label.prefix(100)) }

  /// The invitee. Its key is the sender's key: the document must list it, and it must own the DID.
  package func invitee(from sender: Sender, by ledger: LedgerAnswer) throws(ProtocolError) -> Peer {
    guard let key = sender.key else { throw .notFromPeer }
    return try introduced(resolved: ledger.document).peer(owning: key, by: ledger)
  }

  /// The problem report to a request that cannot be granted. It goes to the sender of the request, and changes nothing
  /// on this side. Throws `notFromPeer` if the request has a fault: it is a stranger's, and the program need not learn of it.
  func refusal(because reason: String, to sender: Sender, reply: Reply) throws(ProtocolError) -> Action {
    let service: Service
    do { service = try invitee(from: sender, by: reply.ledger).service } catch { throw .notFromPeer }
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
  /// Whether a side introduces itself by the message.
  package var isIntroduction: Bool { request != nil || response != nil }

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
