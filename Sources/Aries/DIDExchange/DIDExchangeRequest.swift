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

  /// Presents a DID of `method`. An unqualified DID comes with its document, in the attachment `attachmentID`.
  package init(
    _ version: DIDExchangeVersion, id: String, label: String, as own: OwnSide, presenting method: DIDMethod,
    attachmentID: String, pthid: String
  ) {
    self.version = version
    self.id = id
    self.label = label
    presented =
      method == .unqualified
      ? PresentedDID(unqualified: own, signedWith: own.key, attachmentID: attachmentID)
      : PresentedDID(method.did(of: own))
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

  package var did: String { presented.did }

  package var publicDID: String? { presented.publicDID }

  package func introduced(resolved: DIDDocument?) throws(ProtocolError) -> IntroducedDID {
    try presented.requester(resolved: resolved)
  }

  package func response(_ reply: Reply, as own: OwnSide, to invitation: Invitation) -> any HandshakeResponse {
    DIDExchangeResponse(
      id: reply.id, to: self, as: own, signedWith: reply.invitationKey ?? own.key, attachmentID: "did",
      invitation: invitation)
  }
}

extension DIDExchangeVersion {
  /// The version of a received message. Unknown minor versions count as the newest.
  init(of message: JSONObject) {
    let minor = message["@type"]?.string.flatMap { MessageType($0)?.minor } ?? 0
    self = minor == 0 ? .v1_0 : .v1_1
  }
}
