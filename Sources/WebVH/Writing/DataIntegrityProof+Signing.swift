internal import DIDComm
internal import JSON
internal import Sodium
internal import Time

extension JSONObject {
  /// A proof of the cryptosuite `eddsa-jcs-2022` for this object, which has no proof in it. `method` is the DID URL of the
  /// key, and `time` is in seconds since 1970.
  func proof(by pair: KeyPair, as method: String, at time: Int64) throws(ControllerError) -> JSON {
    var proof: JSONObject = [
      "type": "DataIntegrityProof", "cryptosuite": "eddsa-jcs-2022", "verificationMethod": .string(method),
      "created": .string(Timestamp(seconds: time).text), "proofPurpose": "assertionMethod",
    ]
    let hashes = sha256(try proof.canonical()) + sha256(try canonical())
    proof["proofValue"] = .string("z" + Base58.encode(pair.sign(hashes)))
    return .object(proof)
  }

  func canonical() throws(ControllerError) -> [UInt8] {
    do { return try JSON.object(self).canonicalBytes() } catch { throw .inexactNumber }
  }
}
