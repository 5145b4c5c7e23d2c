package import Aries

/// The versions and the format of the exchanges that this side begins. Its answers have the version and the format of
/// the peer's message.
package struct ExchangeSettings: Equatable, Sendable {
  /// The major version of present-proof, nil to decide by the peer; `present_proof_version`.
  package let proofVersion: Int?
  /// The format of version 2.0, nil to decide by the ids in it; `anoncreds_format`.
  package let format: ContentFormat?
  /// The version of out-of-band invitations; `out_of_band_version`.
  package let outOfBandVersion: OutOfBandVersion

  init(_ config: SettingsReader) throws(SettingsError) {
    proofVersion = try Self.version("present_proof_version", config)
    format = try Self.format(config)
    let name = try config.string("out_of_band_version") ?? OutOfBandVersion.v1_1.rawValue
    guard let version = OutOfBandVersion(rawValue: name) else {
      throw .invalidValue("out_of_band_version", "1.0 or 1.1")
    }
    outOfBandVersion = version
  }

  private static func format(_ config: SettingsReader) throws(SettingsError) -> ContentFormat? {
    guard let name = try config.string("anoncreds_format"), name != "auto" else { return nil }
    guard let format = ExchangeForm.formats[name] else {
      throw .invalidValue("anoncreds_format", "hlindy, anoncreds or auto")
    }
    return format
  }

  static func version(_ key: String, _ config: SettingsReader) throws(SettingsError) -> Int? {
    switch try config.string(key) {
    case nil, "auto": nil
    case "1.0": 1
    case "2.0": 2
    default: throw .invalidValue(key, "1.0, 2.0 or auto")
    }
  }
}
