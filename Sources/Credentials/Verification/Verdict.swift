package import Soundness

/// The result of verifying a presentation.
package struct Verdict: Equatable, Sendable {
  /// The reasons why the presentation is not verified. Empty for a verified presentation.
  package var reasons: [Remark<Reason>] = []
  /// Facts about a presentation that the request permits and an application may want to know.
  package var warnings: [Remark<Warning>] = []

  package var isVerified: Bool { reasons.isEmpty }

  /// The verdict if a text is no presentation.
  package static let malformed = Verdict(reasons: [Remark(code: .malformed, referent: nil)])

  /// The verdict on several presentations in one message.
  package static let ambiguous = Verdict(reasons: [Remark(code: .ambiguous, referent: nil)])

  /// A fact about the presentation, or about its answer to one item.
  package struct Remark<Code: Equatable & Sendable>: Equatable, Sendable {
    package let code: Code
    /// The referent of the item in the request; nil if the fact is about the whole presentation.
    package let referent: String?
    /// The check of the proof that failed; nil if no such check is the reason.
    package var check: SoundnessCheck?
  }

  /// The reasons why a presentation is not verified. The raw values are part of the API.
  package enum Reason: String, CaseIterable, Sendable {
    /// The parts of the presentation do not fit together, or it is too large.
    case malformed
    /// The message attaches more than one presentation, so that a program could show another one than the judged.
    case ambiguous
    /// The item has no answer, or no answer of the form that it needs.
    case missing
    /// The item has more than one answer.
    case repeated
    /// The presentation answers an item that was not requested.
    case unrequested
    /// The prover stated a value without a credential, and the request does not permit it.
    case selfAttested = "self-attested"
    /// A registry says that it has no such schema, definition, revocation registry or status list, or no configured
    /// registry could have it.
    case unknownObject = "unknown-object"
    /// A schema, definition or revocation registry cannot be read, or it or a status list has a number that is too long
    /// for the engine.
    case unusableObject = "unusable-object"
    /// The credential definition belongs to another schema, or the revocation registry to another definition or another issuer.
    case otherObject = "other-object"
    /// The credential has no attribute of the requested name.
    case attribute
    /// The value in the answer is not the one that the proof shows.
    case value
    /// The proof does not show the requested predicate.
    case predicate
    /// The credential does not satisfy the restrictions of the item.
    case restriction
    /// The proof does not show that the credential was not revoked, and the request asks for it.
    case revocationUnproved = "revocation-unproved"
    /// The proof is about another time than the requested one.
    case time
    /// The cryptographic proof is wrong: it belongs to another request or another holder, was changed, or is for a
    /// revoked credential.
    case proof
  }

  package enum Warning: String, CaseIterable, Sendable {
    /// The prover has the attribute and withheld its value.
    case withheld
    /// The request asks for a proof that the credential was not revoked, and the credential cannot be revoked.
    case notRevocable = "not-revocable"
    /// The prover stated the value without a credential, as the request permits.
    case selfAttested = "self-attested"
  }
}

extension Verdict {
  mutating func fail(_ reason: Reason, _ referent: String? = nil, check: SoundnessCheck? = nil) {
    var remark = Remark(code: reason, referent: referent)
    if let check { remark.check = check }
    if !reasons.contains(remark) { reasons.append(remark) }
  }

  mutating func warn(_ warning: Warning, _ referent: String) {
    let remark = Remark(code: warning, referent: referent)
    if !warnings.contains(remark) { warnings.append(remark) }
  }
}

extension Verdict.Remark where Code == Verdict.Reason {
  /// A reason, with the check that always goes with it.
  package init(code: Verdict.Reason, referent: String?) {
    self.init(code: code, referent: referent, check: code.check)
  }
}

extension Verdict.Reason {
  /// The check of the proof that always goes with the reason. `.proof` has several checks, or is the engine's verdict.
  fileprivate var check: SoundnessCheck? {
    switch self {
    case .value: .revealed
    case .predicate: .predicates
    case .revocationUnproved: .revocation
    default: nil
    }
  }
}
