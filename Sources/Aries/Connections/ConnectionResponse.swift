package import DIDComm
package import JSON

/// `connections/1.0/response` (RFC 0160): the inviter introduces itself, signed by the invitation's key.
package struct ConnectionResponse: Equatable, Sendable {
  package static let type = MessageType("connections", 1, 0, "response")
  package let id: String
  package let thread: Thread
  package let asksForAck: Bool
  /// `connection~sig`, not verified yet; null if it is missing.
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

extension ConnectionResponse: HandshakeResponse {
  package var handshake: Handshake { .connections }

  /// The DID in the signed part.
  package var did: String {
    guard let decorator = try? SignatureDecorator(verifying: signature) else { return "" }
    return (try? decorator.value())?["DID"]?.string ?? ""
  }

  package var publicDID: String? {
    guard let decorator = try? SignatureDecorator(verifying: signature) else { return nil }
    return (try? IntroducedDID(in: decorator))?.publicDID
  }

  /// Reads the inviter from the signed `{"DID", "DIDDoc"}`.
  package func introduced(
    signedBy key: VerKey, from _: Sender, resolved _: DIDDocument?
  ) throws(ProtocolError) -> Result<IntroducedDID, ProtocolError> {
    let decorator: SignatureDecorator
    do { decorator = try SignatureDecorator(verifying: signature) } catch { throw .badSignature(error) }
    guard decorator.signer == key else { throw .wrongSigner }
    return Result { () throws(ProtocolError) in try IntroducedDID(in: decorator) }
  }

  /// An ack if the inviter asks for one, otherwise a ping: the inviter accepts any message as the confirmation.
  package func confirmation(id: String, thread: Thread) -> JSON {
    if asksForAck { return Ack(id: id, thread: thread).json }
    return TrustPing(id: id, responseRequested: false, thread: Thread(thid: id, pthid: thread.thid)).json
  }
}

extension IntroducedDID {
  fileprivate init(in signed: SignatureDecorator) throws(ProtocolError) {
    let connection: JSONObject
    do { connection = try signed.value().requireObject() } catch { throw .malformed(.malformed(error)) }
    let (did, document): (String, DIDDocument)
    do { (did, document) = try DIDDocument.exchanged(in: connection) } catch { throw .malformed(error) }
    try self.init(did, document)
  }
}
