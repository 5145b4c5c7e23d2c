internal import CloudAgent
internal import DIDComm
internal import HTTP
internal import JSON

// A further kind of Cloud Agent needs a case in each of these types, and in no other place of this module.

/// The Cloud Agent of a configuration, by its kind.
package enum CloudAgentSettings: Sendable {
  case agency(AgencyAccount)

  /// Returns nil if the configuration names no Cloud Agent.
  init?(_ config: SettingsReader) throws(SettingsError) {
    guard let account = try AgencyAccount(config) else { return nil }
    self = .agency(account)
  }

  /// The URL of the server.
  package var address: String {
    switch self {
    case .agency(let account): account.endpoint
    }
  }

  /// Makes the Cloud Agent. Sends no request.
  func cloudAgent(keys: any KeyRing, directory: any MailboxDirectory, over http: HTTPClient) -> any CloudAgent {
    switch self {
    case .agency(let account): account.client(keys: keys, directory: directory, over: http)
    }
  }
}

/// A Cloud Agent that a wallet is to get: the part of provisioning that depends on the kind.
enum CloudAgentPlan: Sendable {
  case agency(AgencyAddress)

  /// The members of the configuration that this type reads.
  static let names = AgencyAddress.names

  /// Reads the Cloud Agent, which the configuration must name.
  init(_ config: SettingsReader) throws(SettingsError) { self = .agency(try AgencyAddress(config)) }

  /// Distinguishes an attempt with a token from attempts elsewhere and with other tokens.
  func mark(of token: SponsorToken) -> String {
    switch self {
    case .agency(let address): token.mark(at: address.party)
    }
  }

  /// Registers the owner. Returns the members of a configuration that name the Cloud Agent.
  func register(
    _ owner: Party, keys: any KeyRing, over http: HTTPClient, with token: SponsorToken?
  ) throws -> JSONObject {
    switch self {
    case .agency(let address): try address.register(owner.verkey, keys: keys, over: http, token)
    }
  }
}
