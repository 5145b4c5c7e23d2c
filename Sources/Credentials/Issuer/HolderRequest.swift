internal import JSON
internal import Sodium

/// A holder's request for an offered credential, as the issuer passes it to the engine.
struct HolderRequest {
  let definitionID: String
  /// The request with an identity that the issuer has chosen. The identity becomes a part of the signature, and must not
  /// be the holder's choice.
  let text: String

  /// Throws `malformedRequest` with the reason, unless the request names the offer's definition and has the members that
  /// the engine requires. The engine does not compare the definitions.
  init(parsing text: String, answering offer: String) throws {
    definitionID = try JSON(parsing: offer).requireObject().string("cred_def_id")
    do {
      var request = try JSON(parsing: text).requireObject()
      guard try request.string("cred_def_id").isExactly(definitionID) else {
        throw IssuingError.malformedRequest("it is for another credential definition")
      }
      _ = try request.string("nonce")
      try Self.checkHidden(request.object("blinded_ms"), request.object("blinded_ms_correctness_proof"))
      guard try request.optionalString("prover_did") ?? request.optionalString("entropy") != nil else {
        throw IssuingError.malformedRequest("it has neither \"prover_did\" nor \"entropy\"")
      }
      request["prover_did"] = nil
      request["entropy"] = .string(.randomUUID())
      self.text = JSON.object(request).text
    } catch let error as JSONError {
      throw IssuingError.malformedRequest("\(error)")
    }
  }

  /// Throws unless the holder has hidden its link secret and nothing else. A hidden attribute would add the holder's number
  /// to the value that the issuer signs.
  private static func checkHidden(_ blinded: JSONObject, _ proof: JSONObject) throws {
    let isLinkSecret = { (names: [String]) in names.count == 1 && names[0].isExactly(linkSecret) }
    let committed = [blinded["committed_attributes"], proof["r_caps"]].compactMap(\.self)
    guard try isLinkSecret(blinded.strings("hidden_attributes")), try isLinkSecret(proof.object("m_caps").keys),
      committed.allSatisfy({ $0.isNull || $0.object?.isEmpty == true })
    else { throw IssuingError.malformedRequest("it hides other attributes than the link secret") }
  }

  /// The name of the link secret among the bases of a key.
  private static let linkSecret = "master_secret"
}
