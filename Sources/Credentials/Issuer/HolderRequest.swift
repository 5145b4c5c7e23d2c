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
      guard try request.string("cred_def_id") == definitionID else {
        throw IssuingError.malformedRequest("it is for another credential definition")
      }
      _ = try request.string("nonce")
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
}
