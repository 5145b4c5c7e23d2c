internal import CloudAgent
internal import DIDComm
internal import HTTP
internal import JSON
internal import Sodium
internal import Wallet

// A further kind of Cloud Agent needs a case in each of these types.

/// The Cloud Agent of a configuration, by its kind.
package enum CloudAgentSettings: Sendable {
  case agency(AgencyAccount)
  case mediator(MediatorAccount)

  /// Returns nil if the configuration names no Cloud Agent.
  init?(_ config: SettingsReader) throws(SettingsError) {
    let (mediator, agency) = (try MediatorAccount(config), try AgencyAccount(config))
    if let mediator {
      guard agency == nil else { throw .twoCloudAgents }
      self = .mediator(mediator)
    } else if let agency {
      self = .agency(agency)
    } else {
      return nil
    }
  }

  /// The URL of the server.
  package var address: String {
    switch self {
    case .agency(let account): account.endpoint
    case .mediator(let account): account.mediator.endpoint
    }
  }

  /// The word for the server, for users.
  package var kind: String {
    switch self {
    case .agency: "agency"
    case .mediator: "mediator"
    }
  }

  /// The fact that a sign of life proves, for users.
  package var proof: String {
    switch self {
    case .agency: "with the DID and the key of the configuration"
    case .mediator: "and knows this client"
    }
  }

  /// The address that the library gives to peers, if it is another one than the server's.
  package var addressForPeers: String? {
    switch self {
    case .agency: nil
    case .mediator(let account): account.grant.endpoint
    }
  }

  /// Makes the Cloud Agent. Sends no request. `filing` takes the messages that a mediator passes on together with an
  /// answer.
  func cloudAgent(keys: any KeyRing, filing: MessageFiling, over http: HTTPClient) -> any CloudAgent {
    switch self {
    case .agency(let account): account.client(keys: keys, directory: filing.book, over: http)
    case .mediator(let account): account.client(keys: keys, filing: filing, over: http)
    }
  }
}

/// A Cloud Agent that a wallet will get: the part of provisioning that depends on the kind.
enum CloudAgentPlan: Sendable {
  case agency(AgencyAddress)
  case mediator(MediatorInvitation)

  /// The members of the configuration that this type reads.
  static let names = AgencyAddress.names + [MediatorInvitation.name]

  /// Reads the Cloud Agent, which the configuration must name.
  init(_ config: SettingsReader) throws(SettingsError) {
    let namesAgency = AgencyAddress.names.contains(where: config.has)
    guard let invitation = try MediatorInvitation(config) else {
      guard namesAgency else { throw .noCloudAgent }
      self = .agency(try AgencyAddress(config))
      return
    }
    guard !namesAgency else { throw .twoCloudAgents }
    self = .mediator(invitation)
  }

  /// Registers the owner. Returns the owner, and the members of a configuration that name the Cloud Agent. Uses the key
  /// of an earlier attempt again if the server then repeats a lost answer.
  func register(_ request: Registration) throws -> (owner: Party, members: JSONObject) {
    switch self {
    case .agency(let address): try address.register(request)
    case .mediator(let invitation): try invitation.register(request)
    }
  }
}

/// The circumstances of a registration at a Cloud Agent.
struct Registration {
  let wallet: Wallet
  let http: HTTPClient
  /// The seed of the owner's key; nil for a random key.
  let seed: SecretBytes?
  let token: SponsorToken?
  /// The owner's name for others.
  let name: String?
}
