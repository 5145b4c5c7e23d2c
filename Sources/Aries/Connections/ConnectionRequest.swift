package import DIDComm
package import JSON

/// `connections/1.0/request` (RFC 0160): the invitee introduces itself.
package struct ConnectionRequest: Equatable, Sendable {
  package static let type = MessageType("connections", 1, 0, "request")
  package let id: String
  package let label: String
  package let did: String
  package let document: DIDDocument
  package let thread: Thread

  package init(id: String, label: String, document: DIDDocument, pthid: String) {
    self.id = id
    self.label = label
    did = document.id
    self.document = document
    thread = Thread(thid: id, pthid: pthid)
  }

  package init(_ object: JSONObject) throws {
    id = try object.string("@id")
    label = try object.optionalString("label") ?? ""
    (did, document) = try DIDDocument.exchanged(in: object.object("connection"))
    thread = Thread(of: object)
  }

  package var json: JSON {
    [
      "@type": .string(Self.type.text), "@id": .string(id), "~thread": thread.json, "label": .string(label),
      "connection": ["DID": .string(did), "DIDDoc": document.json.value],
    ]
  }
}

extension ConnectionRequest: HandshakeRequest {
  package var handshake: Handshake { .connections }

  package var publicDID: String? { (try? IntroducedDID(did, document))?.publicDID }

  package func introduced(resolved _: DIDDocument?) throws(ProtocolError) -> IntroducedDID {
    try IntroducedDID(did, document)
  }

  package func response(_ reply: Reply, as own: OwnSide, to invitation: Invitation) -> any HandshakeResponse {
    let connection: JSON = ["DID": .string(own.did), "DIDDoc": own.document.json.value]
    return ConnectionResponse(
      id: reply.id, thread: Thread(thid: id, pthid: invitation.id),
      signature: SignatureDecorator(signing: connection, with: own.key, time: reply.time), asksForAck: true)
  }
}

extension DIDDocument {
  /// Reads `{"DID", "DIDDoc"}`. Both must have the same DID, in any spelling.
  static func exchanged(in object: JSONObject) throws(MessageError) -> (did: String, document: DIDDocument) {
    let did: String
    let json: JSON
    do {
      did = try object.string("DID")
      json = .object(try object.object("DIDDoc"))
    } catch {
      throw .malformed(error)
    }
    let document: DIDDocument
    do { document = try DIDDocument(json) } catch { throw .malformedDocument(error) }
    guard document.isOf(did) else {
      throw .malformedDocument(.malformed("it is of another DID"))
    }
    return (did, document)
  }
}
