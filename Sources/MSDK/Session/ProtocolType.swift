/// The version of the API whose JSON forms a program expects; `protocol_type` in a configuration. libvcx has the same
/// names and the same default.
enum ProtocolType: String, CaseIterable, Sendable {
  case version1 = "1.0"
  case version2 = "2.0"
  case version3 = "3.0"
  case version4 = "4.0"

  /// Reads the member `protocol_type`. A configuration without it means version 3.0, as in libvcx. Throws
  /// `SettingsError.invalidValue` for a version that does not exist.
  init(_ config: SettingsReader) throws(SettingsError) {
    let name = try config.string("protocol_type") ?? Self.version3.rawValue
    guard let version = Self(rawValue: name) else {
      throw .invalidValue("protocol_type", "one of \(Self.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    self = version
  }

  /// Whether offers, requests, credentials and proofs are handed out in the form of version 3.0 and earlier ones.
  var hasOlderForms: Bool { self != .version4 }

  /// Whether an inviter makes invitations of Evernym's proprietary protocol.
  var isProprietary: Bool { self == .version1 || self == .version2 }
}
