package import DIDComm
package import JSON

/// `didexchange/1.x/request` (RFC 0023): the invitee introduces itself.
package struct DIDExchangeRequest: Equatable, Sendable {
  package static let type = MessageType("didexchange", 1, 0, "request")
  package let version: DIDExchangeVersion
  package let id: String
  package let label: String
  package let presented: PresentedDID
  package let thread: Thread

  /// Version 1.0 presents an unqualified DID with its document, 1.1 a `did:peer:4`. `attachmentID` is for the former.
  package init(
    _ version: DIDExchangeVersion, id: String, label: String, as own: OwnSide, attachmentID: String, pthid: String
  ) {
    self.version = version
    self.id = id
    self.label = label
    switch version {
    case .v1_0: presented = PresentedDID(unqualified: own, attachmentID: attachmentID)
    case .v1_1: presented = PresentedDID(peer: own)
    }
    thread = Thread(thid: id, pthid: pthid)
  }

  package init(_ object: JSONObject) throws(JSONError) {
    version = DIDExchangeVersion(of: object)
    id = try object.string("@id")
    label = try object.optionalString("label") ?? ""
    presented = try PresentedDID(object)
    thread = Thread(of: object)
  }

  package var json: JSON {
    let members: [(String, JSON)] = [
      ("@type", .string(Self.type.text(minor: version.rawValue))), ("@id", .string(id)), ("~thread", thread.json),
      ("label", .string(label)),
    ]
    return .object(JSONObject(members + presented.members))
  }
}

extension DIDExchangeRequest: HandshakeRequest {
  package var handshake: Handshake { .didExchange(version) }

  package func invitee() throws(ProtocolError) -> Peer { try presented.requester() }

  package func response(_ reply: Reply, as own: OwnSide, invitation: String) -> any HandshakeResponse {
    DIDExchangeResponse(id: reply.id, to: self, as: own, attachmentID: "did", pthid: invitation)
  }
}

extension DIDExchangeVersion {
  /// The version of a received message; any beyond the known ones counts as the newest.
  init(of message: JSONObject) {
    let minor = message["@type"]?.string.flatMap { MessageType($0)?.minor } ?? 0
    self = minor == 0 ? .v1_0 : .v1_1
  }
}
