internal import JSON

/// The public key of an offered credential, with the issuer's proof that it is well made.
///
/// The engine verifies the proof only for the members of the key that the proof names. An unnamed member could reveal
/// facts about the link secret to the issuer, so the holder makes no request with such a key.
struct OfferedKey {
  private let key: JSONObject
  private let bases: JSONObject
  /// The names in the proof, in its order.
  private let proved: [String?]

  /// The permitted lengths of the modulus: 2,048 bits, with room for longer keys of later engines.
  private static let fewestBits = 2_000
  static let mostBits = 4_200

  /// `offer` is the attached text, and `definition` has the engine's form or Indy's.
  init(offer: String, definition: String) throws(CredentialsError) {
    do {
      key = try JSON(parsing: definition).requireObject().object("value").object("primary")
      bases = try key.object("r")
      let proof = try JSON(parsing: offer).requireObject().object("key_correctness_proof")
      proved = try proof.array("xr_cap").map { $0.array?.first?.string }
    } catch {
      throw .malformedOffer("its key: \(error)")
    }
  }

  /// Throws `malformedOffer` with the reason, unless the link secret is safe with this key.
  func check() throws(CredentialsError) {
    guard proved.count == bases.members.count, Set(proved) == Set(bases.keys) else {
      throw .malformedOffer("the proof of its key does not name each part of the key once")
    }
    guard bases["master_secret"] != nil, key["rms"] == nil else {
      throw .malformedOffer("its key has no part for the link secret among the others")
    }
    try checkNumbers()
  }

  private func checkNumbers() throws(CredentialsError) {
    let sizes = DecimalNumber(powersOfTwo: Self.fewestBits - 1)..<DecimalNumber(powersOfTwo: Self.mostBits)
    guard let modulus = key["n"]?.string.flatMap(DecimalNumber.init), sizes.contains(modulus) else {
      throw .malformedOffer("the modulus of its key does not have \(Self.fewestBits) to \(Self.mostBits) bits")
    }
    let residues = DecimalNumber(powersOfTwo: 1)..<modulus
    let others: [(String, JSON?)] = ["s", "z", "rctxt"].map { ($0, key[$0]) } + bases.members.map { ($0, $1) }
    for (name, value) in others {
      guard let number = value?.string.flatMap(DecimalNumber.init), residues.contains(number) else {
        throw .malformedOffer("the number \"\(name)\" of its key is out of range")
      }
    }
  }
}
