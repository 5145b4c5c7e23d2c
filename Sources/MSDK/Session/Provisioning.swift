package import CloudAgent
internal import DIDComm
internal import HTTP
internal import JSON
internal import Sodium
internal import Wallet

/// Registers at a Cloud Agent, once per wallet: creates the wallet, its link secret, a key, and a Cloud Agent.
package struct Provisioning: Sendable {
  let wallet: WalletSettings
  private let cloudAgent: CloudAgentPlan
  private let agentSeed: SecretBytes?
  private let enterpriseSeed: SecretBytes?
  private let name: String?
  private let logo: String?
  private let protocolType: ProtocolType
  private let authorities: String?
  /// Members that the result contains unchanged, including unknown ones.
  private let passedOn: [(String, JSON)]

  /// Members that only provisioning uses, or that the result has under another name.
  private static let consumed =
    CloudAgentPlan.names + ["agent_seed", "enterprise_seed", "name", "logo", "path", "genesis_path"]

  /// Reads the configuration of `vcx_provision_agent` and its relatives.
  package init(parsing text: String) throws(SettingsError) {
    let config = try SettingsReader(text)
    wallet = try WalletSettings(config)
    cloudAgent = try CloudAgentPlan(config)
    agentSeed = try Self.seed("agent_seed", config)
    enterpriseSeed = try Self.seed("enterprise_seed", config)
    name = try config.string("name", "institution_name")
    logo = try config.string("logo", "institution_logo_url")
    authorities = try config.authorities()
    protocolType = try ProtocolType(config)
    let genesis = try config.string("path", "genesis_path").map { [("genesis_path", JSON.string($0))] } ?? []
    passedOn = genesis + config.members(besides: Self.consumed)
  }

  /// Provisions, with a sponsor's token if the agency requires one, and returns the configuration for
  /// `vcx_init_with_config` as JSON. It uses an existing wallet with a new key, or with the key of the last attempt if
  /// the token or the mediator's invitation is the same, so that a lost answer can be fetched again. The wallet is closed in any case; after a
  /// failure the program can repeat the call.
  package func run(with token: SponsorToken? = nil) throws -> String {
    let wallet = try openOrCreateWallet()
    defer { wallet.close() }
    let http = HTTPClient(authorities: authorities)
    let (owner, account) = try cloudAgent.register(
      Registration(wallet: wallet, http: http, seed: agentSeed, token: token, name: name))
    let institution =
      enterpriseSeed == nil || enterpriseSeed == agentSeed ? owner : try wallet.createParty(seed: enterpriseSeed)

    var config = JSONObject(passedOn)
    for (name, value) in account.members { config[name] = value }
    config["wallet_name"] = config["wallet_name"] ?? .string(WalletSettings.defaultName)
    config["protocol_type"] = .string(protocolType.rawValue)
    config["institution_name"] = name.map(JSON.string)
    config["institution_logo_url"] = logo.map(JSON.string)
    for (prefix, party) in [("sdk_to_remote", owner), ("institution", institution)] {
      config[prefix + "_did"] = .string(party.did)
      config[prefix + "_verkey"] = .string(party.verkey.text)
    }
    return JSON.object(config).sortedText
  }

  private func openOrCreateWallet() throws(WalletFailure) -> Wallet {
    try naming(wallet.location.file) { () throws(WalletError) in
      try Wallet.makeUnlessPresent(wallet)  // provisioned before: used again, if the key is right
      let opened = try Wallet.open(wallet.location, key: wallet.key, derivation: wallet.derivation)
      _ = try opened.linkSecret(named: wallet.linkSecretName)
      return opened
    }
  }

  /// Reads a seed: 32 characters, base64 of 32 bytes, or 64 hexadecimal digits.
  private static func seed(_ key: String, _ config: SettingsReader) throws(SettingsError) -> SecretBytes? {
    guard let text = try config.string(key) else { return nil }
    let candidates: [[UInt8]?] = [
      Array(text.utf8), text.hasSuffix("=") ? try? Base64.decodeSecret(text) : nil, [UInt8](hexDigits: text),
    ]
    guard let bytes = candidates.compactMap({ $0 }).first(where: { $0.count == KeyPair.seedLength }) else {
      throw .invalidValue(key, "a seed of 32 bytes")
    }
    return SecretBytes(copying: bytes)
  }
}

extension Wallet {
  /// Creates a wallet, unless a wallet with the name exists.
  static func makeUnlessPresent(_ settings: WalletSettings) throws(WalletError) {
    do {
      try create(settings.location, key: settings.key, derivation: settings.derivation)
    } catch .alreadyExists {}
  }

  /// Creates a DID with its key, for a connection or the owner.
  func createParty(seed: SecretBytes?) throws(WalletError) -> Party {
    let made = try createDID(seed: seed)
    return Party(did: made.did.text, verkey: made.verkey)
  }

  /// The party of the earlier attempt with this mark. Without one, creates a party and remembers it before anything is
  /// sent.
  func party(ofAttempt mark: String) throws -> Party {
    let attempts = LibraryRecords(of: "msdk.provisioning-attempt", in: self)
    if let did = try attempts.find(mark)?.value, let verkey = try verkey(of: DID(did)) {
      return Party(did: did, verkey: verkey)
    }
    let party = try createParty(seed: nil)
    try make([attempts.putting(mark, value: party.did)])
    return party
  }
}

extension [UInt8] {
  fileprivate init?(hexDigits text: String) {
    let digits = text.compactMap(\.hexDigitValue)
    guard digits.count == text.count, digits.count.isMultiple(of: 2) else { return nil }
    self = stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }
}
