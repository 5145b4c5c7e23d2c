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
  init(unqualified own: OwnSide, attachmentID: String) {
    did = own.did
    let document = DIDDocument(id: "did:sov:\(own.did)", key: own.key.verkey, service: own.service)
    self.document = SignedAttachment(
      id: attachmentID, mimeType: "application/json", content: Array(document.json.text.utf8), signedWith: own.key)
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
  /// The requester. An attached document must be signed by one of its own keys.
  func requester() throws(ProtocolError) -> Peer {
    guard let document else { return Peer(document: try resolved()) }
    let (attached, signer) = try attached(document)
    guard attached.service.recipientKeys.contains(signer) else { throw .wrongSigner }
    return Peer(document: attached)
  }

  /// Proves that the inviter presents the DID: one of the invitation's keys must have signed the DID or its document. A
  /// public DID needs no signature if one of those keys is its own, and the envelope is from that key. The presented DID
  /// may still be unusable.
  func proveResponder(
    signsWithOneOf keys: [VerKey], from sender: Sender, resolved: DIDDocument?
  ) throws(ProtocolError) {
    guard let attachment = document ?? rotation else {
      guard isPublic else { throw .badSignature(.malformed("no signature")) }
      try sender.require(oneOf: keys)
      guard let resolved else { throw .needsLedger }
      let own = resolved.service.recipientKeys.filter(keys.contains)
      guard !own.isEmpty else { throw .wrongSigner }
      return try sender.require(oneOf: own)
    }
    let (content, signer) = try attachment.verified()
    guard keys.contains(signer) else { throw .wrongSigner }
    guard document != nil || content == Array(did.utf8) else { throw .badSignature(.malformed("of another DID")) }
  }

  /// The responder. Requires the proof.
  func responder(resolved document: DIDDocument?) throws(ProtocolError) -> Peer {
    // A rotation signs the DID alone: the DID must contain its document, or a ledger must have told it.
    if let attachment = self.document { return Peer(document: try attached(attachment).document) }
    if let document { return Peer(document: document) }
    return Peer(document: try resolved())
  }

  private func resolved() throws(ProtocolError) -> DIDDocument {
    do { return try DIDDocument(resolving: did) } catch .needsLedger { throw .needsLedger } catch {
      throw .malformed(.malformedDocument(error))
    }
  }

  /// The DID, if its keys are on a ledger and no document has them.
  var publicDID: String? { document == nil && isPublic ? did : nil }

  /// Whether the keys of the DID are on a ledger.
  private var isPublic: Bool {
    do { _ = try DIDDocument(resolving: did) } catch .needsLedger { return true } catch {}
    return false
  }

  /// Reads the attached document and its signer. The document must be that of the presented DID.
  ///
  /// The hash in a `did:peer:1` is not compared with the document. It is the hash of the document's stored variant,
  /// without `id` (did:peer method, "Method 1: genesis doc"), but peers attach the resolved variant. No canonical form
  /// leads back, as each library hashes the output of its own JSON writer: Go's, with or without some members, or
  /// Python's, with blanks. The document's signature is its only proof; nothing else is known of a new DID.
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
  /// Whether the document is that of the DID, in any spelling.
  func isOf(_ did: String) -> Bool {
    guard let one = try? DID(did).unqualified, let other = try? DID(id).unqualified else { return false }
    return one == other
  }
}
