package import DIDComm
package import HTTP
internal import JSON
internal import Registry
internal import Sodium
package import Wallet

/// A program's configuration at each start: the result of provisioning, edited or not.
///
/// `Settings` checks all members before any takes effect. It ignores members that msdk does not know.
package struct Settings: Sendable {
  package private(set) var wallet: WalletSettings
  /// Nil if the configuration names no Cloud Agent; the wallet can still be used.
  package let cloudAgent: CloudAgentSettings?
  /// The user's name and picture for peers; `institution_name` and `institution_logo_url`.
  package let profile: Profile
  package let institutionDID: String?
  /// The key of the institution's DID; `institution_verkey`.
  package let institutionVerkey: VerKey?
  /// The permitted addresses of peers; `public_endpoints_only`.
  package let peerReach: HTTPClient.Reach
  /// Whether to tell the agencies of peers the type of each message and the user's name, for their notifications;
  /// `push_details`.
  package let tellsPushDetails: Bool
  /// Whether to refuse proofs of non-revocation whose link to their credential differs from the link that all provers
  /// of today make; `strict_non_revocation`.
  let strictNonRevocation: Bool
  /// How the passphrase of a backup gives its recovery key; `backup_key_derivation`.
  let recoveryKeys: RecoveryKeyDerivation
  /// Whether credentials and proof requests are handed out in the form of version 3.0 of the API, or of an earlier one;
  /// `protocol_type`.
  package let isVersion3: Bool
  /// The forms of the exchanges that this side begins.
  package let exchanges: ExchangeSettings
  /// A file of certificates that TLS trusts instead of the system's; `ca_file`.
  let authorities: String?
  /// The path of libanoncreds.so, nil for the usual places; `anoncreds_library_path`.
  package let anonCredsLibrary: String?
  /// The path of libindy_vdr.so, nil for the usual places; `indy_vdr_library_path`.
  let ledgerLibrary: String?
  /// Ledgers, by their genesis transactions.
  let networks: LedgerNetworks
  /// The places of public objects, besides ledgers.
  let registries: RegistrySettings
  /// The acceptance of a network's agreement for writing; `author_agreement`.
  let agreement: AgreementAcceptance?
  /// The forms of an issuer's messages.
  package let issuing: IssuingSettings
  /// Whether inviters make invitations of Evernym's own protocol; `protocol_type` 1.0 and 2.0.
  let speaksProprietary: Bool
  /// Whether the wallet keeps the program's objects; `keep_objects`.
  package private(set) var keepsObjects: Bool
  /// Whether subscriptions apply messages to kept objects; `apply_messages`.
  package private(set) var appliesMessages: Bool
  /// The seconds for which the wallet keeps a finished exchange, nil for ever; `keep_finished_days`.
  let finishedObjectSeconds: Int64?
  /// Whether to create a missing wallet.
  let makesWallet: Bool

  /// Reads the configuration of `vcx_init_with_config`.
  package init(parsing text: String) throws(SettingsError) { try self.init(parsing: text, makesWallet: false) }

  /// The members of a configuration that msdk does not know, and the names that it knows. Throws if the configuration
  /// cannot be used.
  package static func unknownMembers(
    in text: String
  ) throws(SettingsError) -> (members: [String], known: [String]) {
    let config = try SettingsReader(text)
    _ = try Settings(config, makesWallet: false)
    let unread = config.unread
    return (unread.members, unread.names)
  }

  init(parsing text: String, makesWallet: Bool) throws(SettingsError) {
    try self.init(SettingsReader(text), makesWallet: makesWallet)
  }

  private init(_ config: SettingsReader, makesWallet: Bool) throws(SettingsError) {
    self.makesWallet = makesWallet
    guard config.has("wallet_key") else { throw .missingWalletKey }
    wallet = try WalletSettings(config)
    cloudAgent = try CloudAgentSettings(config)
    authorities = try config.authorities()
    anonCredsLibrary = try config.library("anoncreds_library_path")
    ledgerLibrary = try config.library("indy_vdr_library_path")
    networks = try LedgerNetworks(config)
    registries = try RegistrySettings(config)
    issuing = try IssuingSettings(config)
    institutionDID = try config.did("institution_did")
    institutionVerkey = try config.verkey("institution_verkey")
    // Older libraries wrote this placeholder if they provisioned without a logo.
    let logo = try config.string("institution_logo_url").flatMap { $0 == "<CHANGE_ME>" ? nil : $0 }
    if let logo, !isAbsoluteURL(logo) { throw .invalidURL("institution_logo_url") }
    profile = Profile(name: try config.string("institution_name"), logoURL: logo)
    peerReach = try config.bool("public_endpoints_only") ?? false ? .publicAddresses : .anywhere
    tellsPushDetails = try config.bool("push_details") ?? false
    strictNonRevocation = try config.bool("strict_non_revocation") ?? false
    recoveryKeys = try RecoveryKeyDerivation(config)
    let protocolType = try ProtocolType(config)
    isVersion3 = protocolType.hasOlderForms
    speaksProprietary = protocolType.isProprietary
    exchanges = try ExchangeSettings(config)
    keepsObjects = try config.bool("keep_objects") ?? false
    appliesMessages = try config.bool("apply_messages") ?? false
    guard keepsObjects || !appliesMessages else {
      throw .invalidValue("apply_messages", "false, which it must be without \"keep_objects\": true")
    }
    finishedObjectSeconds = try Self.seconds(ofDays: "keep_finished_days", config)
    do {
      let object = try config.object("author_agreement")
      agreement = try object.flatMap { try $0.isEmpty ? nil : AgreementAcceptance($0) }
    } catch {
      throw .malformedAuthorAgreement
    }
  }
}

extension Settings {
  /// The seconds of a member that is a number of days, as text.
  private static func seconds(ofDays key: String, _ config: SettingsReader) throws(SettingsError) -> Int64? {
    guard let text = try config.string(key) else { return nil }
    guard let days = UInt16(text) else { throw .invalidValue(key, "a number of days, such as \"30\"") }
    return Int64(days) * 86_400
  }

  /// The same settings for a program that stores its objects itself.
  package func withoutKeptObjects() -> Settings {
    var settings = self
    (settings.keepsObjects, settings.appliesMessages) = (false, false)
    return settings
  }

  /// The same settings with another wallet. The name of the link secret does not change.
  func with(_ wallet: WalletSettings) -> Settings {
    var settings = self
    settings.wallet = wallet
    settings.wallet.linkSecretName = self.wallet.linkSecretName
    return settings
  }
}

/// The name and the place of a wallet, and its key.
package struct WalletSettings: Sendable {
  package let location: WalletLocation
  package private(set) var derivation: KeyDerivation
  private var secretKey: SecretBytes
  /// The name of the record that holds the wallet's link secret; `link_secret_alias`.
  package fileprivate(set) var linkSecretName: String

  static let defaultName = "LIBVCX_SDK_WALLET"

  init(_ config: SettingsReader) throws(SettingsError) {
    guard let key = try config.string("wallet_key") else { throw .missing("wallet_key") }
    secretKey = SecretBytes(copying: Array(key.utf8))
    let home = try config.object("storage_config").flatMap { storage throws(SettingsError) in
      do { return try storage.optionalString("path") } catch { throw .invalidValue("storage_config.path", "a text") }
    }
    let name = try config.string("wallet_name") ?? Self.defaultName
    guard let location = try? WalletLocation(id: name, home: home) else {
      throw .invalidValue("wallet_name", "a name without slashes")
    }
    self.location = location
    let method = try config.string("wallet_key_derivation", "key_derivation") ?? KeyDerivation.argon2iModerate.rawValue
    guard let derivation = KeyDerivation(rawValue: method) else {
      throw .invalidValue("wallet_key_derivation", "ARGON2I_MOD, ARGON2I_INT or RAW")
    }
    self.derivation = derivation
    guard [nil, "default"].contains(try config.string("wallet_type")) else {
      throw .invalidValue("wallet_type", "default")
    }
    linkSecretName = try config.string("link_secret_alias") ?? Wallet.defaultLinkSecretName
    guard !linkSecretName.isEmpty else { throw .invalidValue("link_secret_alias", "a name") }
  }

  package var key: String { secretKey.text }

  /// Replaces the key after the wallet has got another key.
  mutating func replaceKey(with key: String, derivation: KeyDerivation) {
    secretKey = SecretBytes(copying: Array(key.utf8))
    self.derivation = derivation
  }
}
