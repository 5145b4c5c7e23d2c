internal import CloudAgent
internal import DIDComm
internal import HTTP
internal import JSON
internal import Sodium

/// Asks an agency for a token, if the agency signs for the sponsor.
package struct TokenRequest: Sendable {
  private let agency: AgencyAddress
  private let authorities: String?
  private let sponseeID: String
  private let sponsorID: String

  /// Reads the configuration of `vcx_get_provision_token`. Of `vcx_config` only the agency matters.
  package init(parsing text: String) throws(SettingsError) {
    let config = try SettingsReader(text)
    guard let provisioning = try config.object("vcx_config") else { throw .missing("vcx_config") }
    let provisioningConfig = try SettingsReader(JSON.object(provisioning).text)
    agency = try AgencyAddress(provisioningConfig)
    authorities = try provisioningConfig.authorities()
    guard let sponseeID = try config.string("sponsee_id") else { throw .missing("sponsee_id") }
    guard let sponsorID = try config.string("sponsor_id") else { throw .missing("sponsor_id") }
    self.sponseeID = sponseeID
    self.sponsorID = sponsorID
  }

  /// Asks for the token with a temporary key, and returns the token as JSON text. Blocks; needs no wallet.
  package func run() throws -> String {
    let reader = TemporaryKey()
    let http = HTTPClient(authorities: authorities)
    let channel = AgencyChannel(endpoint: agency.endpoint, agency: agency.party, keys: reader, http: http)
    return try channel.token(for: sponseeID, of: sponsorID, reader: reader.pair.verkey).sortedText
  }
}

/// A key that no wallet keeps.
private struct TemporaryKey: KeyRing {
  let pair = KeyPair()

  func keyPair(for key: VerKey) -> KeyPair? { key == pair.verkey ? pair : nil }
}
