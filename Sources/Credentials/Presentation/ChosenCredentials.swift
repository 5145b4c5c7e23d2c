internal import JSON

/// The user's choice: the credential for each item, and the values that the user states without a credential.
package struct ChosenCredentials: Equatable, Sendable {
  package let choices: [Choice]
  /// Referents and values, in the order of the text.
  package let selfAttested: [SelfAttested]

  package struct Choice: Equatable, Sendable {
    /// The referent of the item, an attribute or a predicate.
    package let referent: String
    /// The id of the credential's record.
    package let credential: String
    /// Whether the verifier sees the value. A predicate never shows its value.
    package let isRevealed: Bool
    /// The tails file of the credential's registry, or the directory that holds it under its hash; nil if msdk must
    /// find the file.
    package let tails: String?
    /// Whether the verifier shall receive the presentation even if the credential is revoked. The presentation then lacks
    /// the proof that the credential was not revoked.
    package let presentsRevoked: Bool
  }

  package struct SelfAttested: Equatable, Sendable {
    package let referent, value: String
  }

  /// Reads the two texts of `vcx_disclosed_proof_generate_proof`. Of a choice it uses `credential.cred_info.referent`,
  /// `tails_file`, `revealed` and `present_revoked`; the public ids come from the credential itself.
  package init(selected: String, selfAttested: String) throws(CredentialsError) {
    choices = try Self.choices(selected)
    self.selfAttested = try Self.values(selfAttested)
  }

  private static func choices(_ text: String) throws(CredentialsError) -> [Choice] {
    do {
      let object = try JSON(parsing: text).requireObject()
      return try (object.optionalObject("attrs") ?? [:]).members.map { referent, json throws(JSONError) in
        let choice = try json.requireObject()
        let info = try choice.object("credential").object("cred_info")
        return Choice(
          referent: referent, credential: try info.string("referent"),
          isRevealed: try choice.optionalBool("revealed") ?? true, tails: try choice.optionalString("tails_file"),
          presentsRevoked: try choice.optionalBool("present_revoked") ?? false)
      }
    } catch {
      throw .malformedSelection("\(error)")
    }
  }

  private static func values(_ text: String) throws(CredentialsError) -> [SelfAttested] {
    do {
      return try JSON(parsing: text).requireObject().members.map { referent, value throws(JSONError) in
        guard let value = value.string else { throw .wrongType(key: referent, expected: "a string") }
        return SelfAttested(referent: referent, value: value)
      }
    } catch {
      throw .malformedSelfAttested("\(error)")
    }
  }
}
