internal import AgencyWire

/// Where an agency is, and who it is.
struct AgencyAddress: Sendable {
  let endpoint: String
  let party: Party

  /// The names of the members.
  static let names = ["agency_url", "agency_endpoint", "agency_alias", "agency_did", "agency_verkey"]

  /// Reads an agency that the configuration must name.
  init(_ config: SettingsReader) throws(SettingsError) {
    guard !config.has("agency_alias") else {
      throw .invalidValue("agency_alias", "an agency that still exists: give agency_url, agency_did and agency_verkey")
    }
    guard let endpoint = try config.string("agency_url", "agency_endpoint") else { throw .missing("agency_url") }
    guard isAbsoluteURL(endpoint) else { throw .invalidURL("agency_url") }
    guard let did = try config.did("agency_did") else { throw .missing("agency_did") }
    guard let verkey = try config.verkey("agency_verkey") else { throw .missing("agency_verkey") }
    self.endpoint = endpoint
    party = Party(did: did, verkey: verkey)
  }
}
