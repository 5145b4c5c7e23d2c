internal import AgencyWire
internal import CloudAgent
internal import DIDComm
internal import HTTP
package import JSON
internal import Sodium

/// A sponsor's word that the user may have a Cloud Agent: what the sponsor's backend gave to the app.
package struct SponsorToken: Sendable {
  let token: ProvisionToken

  /// Reads the JSON text of a token. Whether it is good is for the agency to say.
  package init(parsing text: String) throws(TokenError) {
    let object: JSONObject
    do { object = try JSON(parsing: text).requireObject() } catch { throw .malformed(error) }
    do { _ = try Attestation(object) } catch { throw .malformedAttestation(error) }
    do { token = try ProvisionToken(object) } catch { throw .malformed(error) }
  }

  /// By what an attempt to provision with this token is found again.
  func mark(at agency: Party) -> String {
    sha256(Array([agency.verkey.text, token.sponsorID, token.nonce, token.signature].joined(separator: "\n").utf8)).hex
  }
}

/// Why a text is no token.
package enum TokenError: Error, Equatable, Sendable {
  case malformed(JSONError)
  /// Only half of one, or of a kind that does not exist.
  case malformedAttestation(JSONError)
}

extension TokenError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .malformed(let error): "the token is malformed: \(error)"
    case .malformedAttestation(let error): "the token's attestation is malformed: \(error)"
    }
  }
}

/// Asking an agency for a token, where the agency signs for the sponsor itself.
package struct TokenRequest: Sendable {
  private let agency: AgencyAddress
  private let authorities: String?
  private let sponseeID: String
  private let sponsorID: String

  /// Reads the configuration of `vcx_get_provision_token`. Of `vcx_config` only the agency counts.
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

  /// Asks, with a key that is forgotten afterwards, and returns the token as JSON text. Blocks; needs no wallet.
  package func run() throws -> String {
    let reader = KeyOfTheMoment()
    let http = HTTPClient(authorities: authorities)
    let channel = AgencyChannel(endpoint: agency.endpoint, agency: agency.party, keys: reader, http: http)
    let sent = try channel.token(for: sponseeID, of: sponsorID, reader: reader.pair.verkey)
    return JSON.object(sent.members).sortedText
  }
}

/// A key that no wallet keeps.
private struct KeyOfTheMoment: KeyRing {
  let pair = KeyPair()

  func keyPair(for key: VerKey) -> KeyPair? { key == pair.verkey ? pair : nil }
}
