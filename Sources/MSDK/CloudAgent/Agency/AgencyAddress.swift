internal import DIDComm
internal import HTTP

/// The address and the identity of an agency.
struct AgencyAddress: Sendable {
  let endpoint: String
  let party: Party

  /// The names of the members.
  static let names = endpointNames + ["agency_alias", "agency_did", "agency_verkey"]
  /// The names of the endpoint; the documents' name comes first.
  static let endpointNames = ["agency_endpoint", "agency_url"]

  /// Reads the agency, which the configuration must name.
  init(_ config: SettingsReader) throws(SettingsError) {
    guard !config.has("agency_alias") else {
      throw .invalidValue(
        "agency_alias", "an agency that still exists: give agency_endpoint, agency_did and agency_verkey")
    }
    let name = config.name(among: Self.endpointNames)
    guard let endpoint = try config.string(name) else { throw .missing(name) }
    guard isAbsoluteURL(endpoint) else { throw .invalidURL(name) }
    guard let did = try config.did("agency_did") else { throw .missing("agency_did") }
    guard let verkey = try config.verkey("agency_verkey") else { throw .missing("agency_verkey") }
    self.endpoint = endpoint
    party = Party(did: did, verkey: verkey)
  }
}
