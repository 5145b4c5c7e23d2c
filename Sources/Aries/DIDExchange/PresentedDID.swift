internal import DIDComm
internal import JSON
internal import Sodium

/// The DID that a side of a DID exchange presents, and its proof (RFC 0023): `did`, `did_doc~attach`,
/// `did_rotate~attach`.
package struct PresentedDID: Equatable, Sendable {
  package let did: String
  package let document: SignedAttachment?
  package let rotation: SignedAttachment?

  init(_ object: JSONObject) throws(JSONError) {
    did = try object.string("did")
    document = try object.optionalObject("did_doc~attach").map { SignedAttachment(.object($0)) }
    rotation = try object.optionalObject("did_rotate~attach").map { SignedAttachment(.object($0)) }
  }

  /// The members of a message that presents the DID.
  var members: [(String, JSON)] {
    [("did", .string(did))] + (document.map { [("did_doc~attach", $0.json)] } ?? [])
      + (rotation.map { [("did_rotate~attach", $0.json)] } ?? [])
  }

  /// An unqualified DID with its document. The document qualifies the DID; peers accept only one spelling or the other.
  /// An invitee signs with its own key, and an inviter with the invitation's key.
  init(unqualified own: OwnSide, signedWith key: KeyPair, attachmentID: String) {
    did = own.did
    let document = DIDDocument(id: "did:sov:\(own.did)", key: own.key.verkey, service: own.service)
    self.document = SignedAttachment(
      id: attachmentID, mimeType: "application/json", content: Array(document.json.text.utf8), signedWith: key)
    rotation = nil
  }

  /// A DID that contains its document, for an invitee.
  init(_ did: String) {
    self.did = did
    document = nil
    rotation = nil
  }

  /// A DID that contains its document, for an inviter: the invitation's key signs it.
  init(_ did: String, signedWith key: KeyPair, attachmentID: String) {
    self.did = did
    document = nil
    rotation = SignedAttachment(
      id: attachmentID, mimeType: "text/string", content: Array(did.utf8), signedWith: key)
  }
}

// MARK: - Identity

extension PresentedDID {
  /// The requester's DID. An attached document must be signed by one of its own keys.
  func requester(resolved: DIDDocument?) throws(ProtocolError) -> IntroducedDID {
    guard let document else { return try introduced(resolved) }
    let (attached, signer) = try attached(document)
    guard attached.service.recipientKeys.contains(signer) else { throw .wrongSigner }
    return try IntroducedDID(did, attached)
  }

  /// Proves that the inviter presents the DID: the invitation's key must have signed the DID or its document. A public
  /// DID needs no signature if the invitation's key is its key, and the envelope is from that key. The presented DID
  /// may still be unusable.
  func proveResponder(
    signsWith key: VerKey, from sender: Sender, resolved: DIDDocument?
  ) throws(ProtocolError) {
    guard let attachment = document ?? rotation else {
      guard isPublic else { throw .badSignature(.malformed("no signature")) }
      try sender.require(oneOf: [key])
      guard let resolved else { throw .needsLedger }
      guard resolved.service.recipientKeys.contains(key) else { throw .wrongSigner }
      return
    }
    let (content, signer) = try attachment.verified()
    guard signer == key else { throw .wrongSigner }
    guard document != nil || content == Array(did.utf8) else { throw .badSignature(.malformed("of another DID")) }
  }

  /// The responder's DID. Requires the proof.
  func responder(resolved: DIDDocument?) throws(ProtocolError) -> IntroducedDID {
    guard let document else { return try introduced(resolved) }
    return try IntroducedDID(did, attached(document).document)
  }

  /// The DID without an attached document: the DID must contain its document, or a ledger must have given it.
  private func introduced(_ published: DIDDocument?) throws(ProtocolError) -> IntroducedDID {
    if isPublic, let published, !published.service.endpoint.isEmpty { return try IntroducedDID(did, published) }
    let contained: DIDDocument
    do { contained = try DIDDocument(resolving: did) } catch .needsLedger { throw .needsLedger } catch {
      throw .malformed(.malformedDocument(error))
    }
    return try IntroducedDID(did, contained)
  }

  /// The DID, if its keys are on a ledger: no message has its document, or a ledger may know newer keys.
  var publicDID: String? {
    guard let document else { return isPublic ? did : nil }
    guard let attached = try? attached(document).document else { return nil }
    return (try? IntroducedDID(did, attached))?.publicDID
  }

  /// Whether the keys of the DID are on a ledger.
  private var isPublic: Bool {
    do { _ = try DIDDocument(resolving: did) } catch .needsLedger { return true } catch {}
    return false
  }

  /// Reads the attached document and its signer. The document must be the presented DID's.
  ///
  /// The hash in a `did:peer:1` is not compared with the document. It is the hash of the document's stored variant,
  /// without `id` (did:peer method, "Method 1: genesis doc"), but peers attach the resolved variant. The stored variant
  /// cannot be computed from it, as each library hashes the output of its own JSON writer: Go's, with or without some
  /// members, or Python's, with blanks. The document's signature is its only proof; nothing else is known of a new DID.
  private func attached(_ attachment: SignedAttachment) throws(ProtocolError) -> (document: DIDDocument, signer: VerKey)
  {
    let (content, signer) = try attachment.verified()
    let json: JSON
    do { json = try JSON(parsing: content) } catch { throw .malformed(.malformed(error)) }
    let document: DIDDocument
    do { document = try DIDDocument(json) } catch { throw .malformed(.malformedDocument(error)) }
    guard document.isOf(did) else { throw .malformed(.malformedDocument(.malformed("it is of another DID"))) }
    return (document, signer)
  }
}

extension DIDDocument {
  /// Whether the document is the document of the DID, in any spelling.
  func isOf(_ did: String) -> Bool {
    guard let one = try? DID(did).unqualified, let other = try? DID(id).unqualified else { return false }
    return one == other
  }
}
