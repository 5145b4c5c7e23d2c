internal import JSON

/// A credential from its issuer, which the wallet does not have yet.
///
/// The engine checks that the signature fits the values. It accepts numbers of every size, encodings of other values,
/// and a missing part of the revocation. A sound verifier refuses proofs of such a credential, or the size of its
/// numbers identifies its holder. The holder therefore refuses the credential.
struct ReceivedCredential {
  let content: CredentialContent
  private let json: JSON

  init(parsing text: String) throws(CredentialsError) {
    content = try CredentialContent(parsing: text)
    do { json = try JSON(parsing: text) } catch { throw .malformedCredential("\(error)") }
  }

  /// Throws `malformedCredential` with the reason, unless the credential can be proved with this definition, which is a
  /// text in the engine's form.
  func check(against definition: String) throws(CredentialsError) {
    guard let keys = (try? JSON(parsing: definition))?["value"], let bases = keys["primary"]?["r"]?.object else {
      throw .malformedCredential("its credential definition cannot be read")
    }
    try checkNames(Set(bases.keys.map(AttributeName.init)).subtracting(AttributeName.linkSecrets))
    try checkEncodings()
    try checkRevocation(isRevocable: keys["revocation"].isPresent)
    try checkNumbers()
  }

  /// The engine verifies a signature over a part of the attributes, and of two spellings of one name it takes any.
  private func checkNames(_ defined: Set<AttributeName>) throws(CredentialsError) {
    let names = content.attributes.map(\.name)
    guard names.count == defined.count, Set(names) == defined else {
      throw .malformedCredential("it does not have each attribute of its definition exactly once")
    }
  }

  /// Verifiers compare each signed number with the text that the holder shows.
  private func checkEncodings() throws(CredentialsError) {
    for attribute in content.attributes
    where !AttributeEncoding.isEncoding(attribute.encoded, of: attribute.raw) {
      throw .malformedCredential("the signed number of \"\(attribute.spelling)\" is not that of its value")
    }
  }

  /// A definition with revocation gives each credential a place in a registry, and a definition without it gives none.
  private func checkRevocation(isRevocable: Bool) throws(CredentialsError) {
    let parts: [(name: String, value: JSON?)] = [
      ("rev_reg_id", json["rev_reg_id"]), ("r_credential", json["signature"]?["r_credential"]),
      ("rev_reg", json["rev_reg"]), ("witness", json["witness"]),
    ]
    for part in parts where part.value.isPresent != isRevocable {
      throw .malformedCredential(
        isRevocable
          ? "its definition has revocation, and the credential has no \"\(part.name)\""
          : "its definition has no revocation, and the credential has \"\(part.name)\"")
    }
    guard isRevocable == (content.revocationIndex != nil) else {
      throw .malformedCredential("it names no place in its revocation registry")
    }
  }

  /// The ranges of a signature's numbers (AnonCreds specification, "Issue Credential"). `v` has a range when it
  /// arrives, and another one after it is unblinded.
  private static let ranges: [(name: String, range: Range<DecimalNumber>)] = [
    ("m_2", DecimalNumber(powersOfTwo: 0)..<DecimalNumber(powersOfTwo: 256)),
    ("a", DecimalNumber(powersOfTwo: 0)..<DecimalNumber(powersOfTwo: OfferedKey.mostBits)),
    ("e", DecimalNumber(powersOfTwo: 596)..<DecimalNumber(powersOfTwo: 596, 119)),
    ("v", DecimalNumber(powersOfTwo: 0)..<DecimalNumber(powersOfTwo: 2725)),
  ]

  /// Throws unless the numbers of the signature have the sizes that issuers choose.
  func checkNumbers() throws(CredentialsError) {
    let signature = json["signature"]?["p_credential"]
    for (name, range) in Self.ranges {
      guard let number = signature?[name]?.string.flatMap(DecimalNumber.init), range.contains(number) else {
        throw .malformedCredential("the number \"\(name)\" of its signature is out of range")
      }
    }
  }
}

extension JSON? {
  /// Whether there is a value other than null.
  fileprivate var isPresent: Bool { self.map { !$0.isNull } ?? false }
}
