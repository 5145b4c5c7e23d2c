package import DIDComm
package import JSON
package import Sodium

/// `didexchange/1.x/response` (RFC 0023): the inviter introduces itself, signed by the invitation's key.
package struct DIDExchangeResponse: Equatable, Sendable {
  package static let type = MessageType("didexchange", 1, 0, "response")
  package let version: DIDExchangeVersion
  package let id: String
  package let presented: PresentedDID
  package let thread: Thread

  /// Presents the DID of the invitation. If the invitation names no DID of this connection, the response presents the
  /// same kind as the request: an unqualified DID for an unqualified DID, otherwise a `did:peer:4`. `key` is the
  /// invitation's key.
  package init(
    id: String, to request: DIDExchangeRequest, as own: OwnSide, signedWith key: KeyPair, attachmentID: String,
    invitation: Invitation
  ) {
    version = request.version
    self.id = id
    let isQualified = request.did.hasPrefix("did:") && !request.did.hasPrefix("did:sov:")
    if let did = invitation.peerDID ?? (isQualified ? DIDMethod.peer4.did(of: own) : nil) {
      presented = PresentedDID(did, signedWith: key, attachmentID: attachmentID)
    } else {
      presented = PresentedDID(unqualified: own, signedWith: key, attachmentID: attachmentID)
    }
    thread = Thread(thid: request.id, pthid: invitation.id)
  }

  package init(_ object: JSONObject) throws(JSONError) {
    version = DIDExchangeVersion(of: object)
    id = try object.optionalString("@id") ?? ""
    presented = try PresentedDID(object)
    thread = Thread(of: object)
  }

  package var json: JSON {
    let members: [(String, JSON)] = [
      ("@type", .string(Self.type.text(minor: version.rawValue))), ("@id", .string(id)), ("~thread", thread.json),
    ]
    return .object(JSONObject(members + presented.members))
  }
}

extension DIDExchangeResponse: HandshakeResponse {
  package var handshake: Handshake { .didExchange(version) }

  package var did: String { presented.did }

  package var publicDID: String? { presented.publicDID }

  package func introduced(
    signedBy key: VerKey, from sender: Sender, resolved: DIDDocument?
  ) throws(ProtocolError) -> Result<IntroducedDID, ProtocolError> {
    try presented.proveResponder(signsWith: key, from: sender, resolved: resolved)
    return Result { () throws(ProtocolError) in try presented.responder(resolved: resolved) }
  }

  package func confirmation(id: String, thread: Thread) -> JSON {
    DIDExchangeComplete(id: id, to: self, thread: thread).json
  }
}

/// `didexchange/1.x/complete`: the invitee confirms the response.
package struct DIDExchangeComplete: Equatable, Sendable {
  package static let type = MessageType("didexchange", 1, 0, "complete")
  package let version: DIDExchangeVersion
  package let id: String
  package let thread: Thread

  package init(id: String, to response: DIDExchangeResponse, thread: Thread) {
    version = response.version
    self.id = id
    self.thread = thread
  }

  init(_ object: JSONObject) {
    version = DIDExchangeVersion(of: object)
    id = object["@id"]?.string ?? ""
    thread = Thread(of: object)
  }

  package var json: JSON {
    [
      "@type": .string(Self.type.text(minor: version.rawValue)), "@id": .string(id), "~thread": thread.json,
    ]
  }
}
