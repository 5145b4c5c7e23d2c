internal import DIDComm
internal import JSON
internal import Sodium
internal import Time

/// A proof of the cryptosuite `eddsa-jcs-2022` (Data Integrity EdDSA Cryptosuites 1.0, 3.3), for the purpose
/// `assertionMethod`.
struct DataIntegrityProof: Equatable, Sendable {
  /// The DID URL of the signer's key.
  let method: String
  /// The proof without its signature, which the signature covers too.
  private let options: JSONObject
  private let signature: [UInt8]

  /// The length of a signature in base58, with room.
  private static let longestSignature = 128

  /// `now` is in seconds since 1970: an expired proof is refused.
  init(_ json: JSON, now: Int64) throws(ProofError) {
    guard var options = json.object else { throw .malformed("it is no object") }
    guard options["type"] == "DataIntegrityProof", options["cryptosuite"] == "eddsa-jcs-2022" else {
      throw .unsupported
    }
    guard options["proofPurpose"] == "assertionMethod" else { throw .malformed("proofPurpose") }
    guard let method = options["verificationMethod"]?.string else { throw .malformed("verificationMethod") }
    guard let value = options["proofValue"]?.string, value.hasPrefix("z"),
      let signature = try? Base58.decode(String(value.dropFirst()), limit: Self.longestSignature)
    else { throw .malformed("proofValue") }
    if let created = options["created"], created.string.flatMap(Timestamp.init) == nil { throw .malformed("created") }
    if let expires = options["expires"] {
      guard let end = expires.string.flatMap(Timestamp.init) else { throw .malformed("expires") }
      guard end.seconds > now else { throw .expired }
    }
    options["proofValue"] = nil
    (self.method, self.options, self.signature) = (method, options, signature)
  }

  /// The key that the method contains: `did:key:z…#z…`. Nil for any other method.
  var didKey: VerKey? {
    guard let key = try? VerKey(anyForm: method), method == key.didURL else { return nil }
    return key
  }

  /// Throws unless the key has signed the document, which has no proof in it.
  ///
  /// A `@context` in the proof must be the document's own.
  func verify(_ document: JSONObject, by key: VerKey) throws(ProofError) {
    guard options["@context"] == nil || options["@context"] == document["@context"] else {
      throw .malformed("@context")
    }
    let hashes: [UInt8]
    do {
      hashes =
        sha256(try JSON.object(options).canonicalBytes()) + sha256(try JSON.object(document).canonicalBytes())
    } catch {
      throw .malformed("\(error)")
    }
    guard key.publicKey.verifies(signature, of: hashes) else { throw .wrongSignature }
  }
}

/// The reasons why a proof proves nothing.
enum ProofError: Error, Equatable, Sendable {
  case malformed(String)
  /// Another cryptosuite.
  case unsupported
  case expired
  case wrongSignature
}

extension ProofError: CustomStringConvertible {
  var description: String {
    switch self {
    case .malformed(let part): "a proof is malformed: \(part)"
    case .unsupported: "a proof is not of the cryptosuite eddsa-jcs-2022"
    case .expired: "a proof has expired"
    case .wrongSignature: "the signature of a proof is wrong"
    }
  }
}

extension JSONObject {
  /// The elements of `proof`: an array, or a single proof.
  func proofs(now: Int64, limit: Int) throws(ProofError) -> [DataIntegrityProof] {
    let elements = self["proof"].map { $0.array ?? [$0] } ?? []
    guard elements.count <= limit else { throw .malformed("there are too many") }
    return try elements.map { (element) throws(ProofError) in try DataIntegrityProof(element, now: now) }
  }
}
