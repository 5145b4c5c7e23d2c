internal import Soundness

extension Verdict {
  /// A sentence for a developer about the reason with this code, or about the failed check if there is one. Returns nil
  /// for a code that this version does not know.
  package static func text(ofReason code: String, check: String?) -> String? {
    let reason = Reason(rawValue: code)
    guard reason == .proof, let check = check.flatMap(SoundnessCheck.init) else { return reason?.text }
    return check.text
  }
}

extension Verdict.Reason {
  /// The reason as a sentence for a developer.
  package var text: String {
    switch self {
    case .malformed: "The presentation is malformed or too large."
    case .ambiguous: "The message attaches more than one presentation, so none of them counts."
    case .missing: "The presentation does not answer the item in the form that it asks for."
    case .repeated: "The presentation answers the item more than once."
    case .unrequested: "The presentation answers an item that was not requested."
    case .selfAttested: "The prover stated the value without a credential, which the request does not permit."
    case .unknownObject: "A registry has no such schema, credential definition, revocation registry or status list."
    case .unusableObject:
      "A schema, credential definition or revocation registry cannot be read, or a number of a public object is too long."
    case .otherObject:
      "The credential definition is one of another schema, or the registry one of another definition or another issuer."
    case .attribute: "The credential has no attribute of this name."
    case .value: "The value is not the one that the proof shows."
    case .predicate: "The proof does not show the predicate."
    case .restriction: "The credential does not provably satisfy the restrictions."
    case .revocationUnproved: "The presentation does not prove that the credential was not revoked."
    case .time: "The proof that the credential was not revoked is about another time than the requested one."
    case .proof:
      "The cryptographic proof is wrong: made for another request, by another holder, changed, or of a revoked credential."
    }
  }
}

extension Verdict.Warning {
  /// The warning as a sentence for a developer.
  package var text: String {
    switch self {
    case .withheld: "The prover has the attribute, and withheld its value."
    case .notRevocable: "Credentials of this definition cannot be revoked, so nothing was proved about it."
    case .selfAttested: "The prover stated the value without a credential, as the request permits."
    }
  }
}
