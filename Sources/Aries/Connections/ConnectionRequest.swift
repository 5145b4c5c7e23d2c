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
      "connection": ["DID": .string(did), "DIDDoc": document.json],
    ]
  }
}

/// `connections/1.0/response` (RFC 0160): the inviter introduces itself, signed by the invitation's key.
package struct ConnectionResponse: Equatable, Sendable {
  package static let type = MessageType("connections", 1, 0, "response")
  package let id: String
  package let thread: Thread
  package let asksForAck: Bool
  /// `connection~sig`, not verified yet; null where it is missing.
  package let signature: JSON

  package init(_ object: JSONObject) throws(JSONError) {
    id = try object.optionalString("@id") ?? ""
    thread = Thread(of: object)
    asksForAck = object["~please_ack"].map { !$0.isNull } ?? false
    signature = object["connection~sig"] ?? .null
  }

  package init(id: String, thread: Thread, signature: SignatureDecorator, asksForAck: Bool = false) {
    self.id = id
    self.thread = thread
    self.asksForAck = asksForAck
    self.signature = signature.received
  }

  package var json: JSON {
    var object: JSONObject = [
      "@type": .string(Self.type.text), "@id": .string(id), "~thread": thread.json, "connection~sig": signature,
    ]
    if asksForAck { object["~please_ack"] = [:] }
    return .object(object)
  }
}

extension DIDDocument {
  /// Reads `{"DID", "DIDDoc"}`. The two must be of the same DID, in whichever spelling.
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
