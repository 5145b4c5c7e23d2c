internal import JSON

extension Statement {
  /// The modulus `n` of the key. Throws `.key` if the key has an unusual size, or has not exactly one base for each
  /// attribute of the schema and one for the link secret (K1).
  func modulus() throws(SoundnessCheck) -> Natural {
    guard let text = key["n"]?.string, let modulus = Natural(decimal: text), let bases = key["r"]?.object else {
      throw .key
    }
    try require(Self.modulusBits.contains(modulus.bitWidth), .key)
    try require(key["rms"] == nil && !attributes.contains(.linkSecret), .key)
    try require(bases.names == attributes.union([.linkSecret]), .key)
    return modulus
  }

  /// The sizes of issuers' moduli, in bits: engines make about 2,048 or 3,072.
  private static let modulusBits = 2_000...4_200
}
