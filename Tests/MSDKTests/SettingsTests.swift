import JSON
import Testing
import Wallet

@testable import MSDK

@Suite struct SettingsTests {
  static let complete: JSON = [
    "wallet_name": "alice", "wallet_key": "secret", "agency_endpoint": "http://agency.example",
    "agency_did": "SnTKP3E2D6Y8zE4p62Le3n", "agency_verkey": "F45Ey9188uCq5QzTnsJJHC7WczwVSjjpAFxUvJXYJVqR",
    "sdk_to_remote_did": "9QjmAbQLX1BvBRtM4qDAry",
    "sdk_to_remote_verkey": "5aqLX4KNM6opPGEK63P38MGv4jy95s2QmAdtCX6oPsLx",
    "remote_to_sdk_did": "P4hZYoUtvpDHz64oXQYq6y",
    "remote_to_sdk_verkey": "D2UpUrLpEaLkmi8WMAfoUSy9qaY1hArDvuWSz5SpSksn", "institution_name": "Alice",
    "institution_logo_url": "http://logo.example/a.png", "protocol_type": "4.0",
  ]

  func settings(_ changes: JSONObject = [:]) throws -> Settings {
    var json = Self.complete
    for (key, value) in changes.members { json[key] = value }
    return try Settings(parsing: json.text)
  }

  @Test func aCompleteConfigurationIsRead() throws {
    let settings = try settings()
    #expect(settings.account?.endpoint == "http://agency.example")
    #expect(settings.account?.owner.text == "5aqLX4KNM6opPGEK63P38MGv4jy95s2QmAdtCX6oPsLx")
    #expect(settings.profile.name == "Alice")
    #expect(settings.wallet.key == "secret")
  }

  @Test func membersThatNobodyReadsAreUnknown() throws {
    var json = Self.complete
    #expect(try Settings.unknownMembers(in: json.text).members == [])
    for name in ["institution_nam", "threadpool_size", "key_derivation"] { json[name] = "RAW" }
    json["colour"] = .null
    let (members, known) = try Settings.unknownMembers(in: json.text)
    #expect(members == ["institution_nam"] && known.contains("institution_name"))
    json["wallet_key"] = 1
    #expect(throws: SettingsError.self) { try Settings.unknownMembers(in: json.text) }
  }

  @Test func peersAreReachedAnywhereUnlessSaidOtherwise() throws {
    #expect(try settings().peerReach == .anywhere)
    #expect(try settings(["public_endpoints_only": false]).peerReach == .anywhere)
    #expect(try settings(["public_endpoints_only": true]).peerReach == .publicAddresses)
  }

  @Test func invitationsAreOfTheNewerVersionUnlessSaidOtherwise() throws {
    #expect(try settings().exchanges.outOfBandVersion.rawValue == "1.1")
    #expect(try settings(["out_of_band_version": "1.0"]).exchanges.outOfBandVersion.rawValue == "1.0")
    #expect(throws: SettingsError.self) { try settings(["out_of_band_version": "1.2"]) }
  }

  @Test func theLinkSecretIsCalledMainUnlessSaidOtherwise() throws {
    #expect(try settings().wallet.linkSecretName == "main")
    #expect(try settings(["link_secret_alias": "alice's"]).wallet.linkSecretName == "alice's")
  }

  @Test func theFileOfAuthoritiesCanBeRead() throws {
    #expect(try settings(["ca_file": "/dev/null"]).authorities == "/dev/null")
    #expect(throws: SettingsError.invalidValue("ca_file", "the path of a file that can be read")) {
      try settings(["ca_file": "/no/such/file.pem"])
    }
  }

  @Test func theKeyOfAWalletIsDerivedAsTheConfigurationSays() throws {
    #expect(try settings().wallet.derivation == .argon2iModerate)
    for (name, derivation) in [("RAW", .raw), ("ARGON2I_INT", .argon2iInteractive), ("ARGON2I_MOD", .argon2iModerate)]
      as [(JSON, KeyDerivation)]
    {
      #expect(try settings(["wallet_key_derivation": name]).wallet.derivation == derivation)
      #expect(try settings(["key_derivation": name]).wallet.derivation == derivation)
      #expect(try settings(["wallet_key_derivation": name, "key_derivation": "MD5"]).wallet.derivation == derivation)
    }
    #expect(try settings(["wallet_type": "default"]).wallet.derivation == .argon2iModerate)
  }

  @Test func aWalletStandsWhereTheConfigurationSays() throws {
    #expect(try settings(["storage_config": ["path": "/w"]]).wallet.location.file == "/w/alice/sqlite.db")
    #expect(try settings(["storage_config": #"{"path":"/w"}"#]).wallet.location.file == "/w/alice/sqlite.db")
    #expect(try settings(["storage_config": [:]]).wallet.location.file == settings().wallet.location.file)
    #expect(throws: SettingsError.invalidValue("storage_config.path", "a text")) {
      try settings(["storage_config": ["path": 1]])
    }
    #expect(try settings(["wallet_name": nil]).wallet.location.id == WalletSettings.defaultName)
  }

  @Test(
    arguments: [
      ("present_proof_version", "1.0, 2.0 or auto"), ("issue_credential_version", "1.0, 2.0 or auto"),
      ("anoncreds_format", "hlindy, anoncreds or auto"), ("revocation_notification", "1.0, 2.0, auto or none"),
    ])
  func aFormOfMessagesIsChosenByItsName(key: String, expected: String) throws {
    #expect(throws: SettingsError.invalidValue(key, expected)) { try settings([key: "3.0"]) }
    #expect(throws: Never.self) { try settings([key: "auto"]) }
  }

  @Test func theFormsOfMessagesAreRead() throws {
    let usual = try settings()
    #expect(usual.exchanges.proofVersion == nil && usual.exchanges.format == nil && usual.issuing.version == nil)
    #expect(usual.issuing.notification == .automatic && usual.recoveryKeys == .argon2id)
    for (name, version) in [("1.0", 1), ("2.0", 2)] as [(JSON, Int)] {
      let settings = try settings([
        "present_proof_version": name, "issue_credential_version": name, "revocation_notification": name,
      ])
      #expect(settings.exchanges.proofVersion == version && settings.issuing.version == version)
      #expect(settings.issuing.notification.version(for: 3 - version) == version)
    }
    #expect(try settings(["anoncreds_format": "hlindy"]).exchanges.format == .indy)
    #expect(try settings(["anoncreds_format": "anoncreds"]).exchanges.format == .anonCreds)
    #expect(usual.issuing.notification.version(for: 1) == 1 && usual.issuing.notification.version(for: 2) == 2)
    #expect(try settings(["revocation_notification": "none"]).issuing.notification.version(for: 1) == nil)
    #expect(try settings(["backup_key_derivation": "SHA256"]).recoveryKeys == .sha256)
  }

  @Test(arguments: ["/x/{", "config{", ""]) func aMissingFileIsNamed(path: String) {
    #expect("\(SettingsError.noFile(path: path))" == "there is no configuration file \(path)")
  }

  @Test func agenciesOfPeersAreToldNothingUnlessSaidOtherwise() throws {
    #expect(try !settings().tellsPushDetails && !settings(["push_details": false]).tellsPushDetails)
    #expect(try settings(["push_details": true]).tellsPushDetails)
    #expect(try !settings().strictNonRevocation && settings(["strict_non_revocation": true]).strictNonRevocation)
  }

  @Test func anEmptyAgreementCountsAsAbsent() throws {
    for empty: JSON in [[:], "{}", .null] { #expect(try settings(["author_agreement": empty]).agreement == nil) }
  }

  @Test func theWalletAloneIsEnough() throws {
    #expect(try Settings(parsing: #"{"wallet_key":"x"}"#).account == nil)
  }

  @Test func nullsAndUnknownMembersAndThePlaceholderLogoAreIgnored() throws {
    _ = try settings([
      "genesis_path": nil, "future": ["x": true], "threadpool_size": 4, "institution_logo_url": "<CHANGE_ME>",
      "agency_did": "did:sov:SnTKP3E2D6Y8zE4p62Le3n",
    ])
  }

  @Test(
    arguments: [
      (["wallet_key": nil], .missingWalletKey), (["agency_endpoint": "agency.example"], .invalidURL("agency_endpoint")),
      (["agency_endpoint": nil, "agency_url": "agency.example"], .invalidURL("agency_url")),
      (["agency_did": "short"], .invalidDID("agency_did")),
      (["agency_verkey": "9QjmAbQLX1BvBRtM4qDAry"], .invalidVerKey("agency_verkey")),
      (["sdk_to_remote_verkey": "0"], .invalidVerKey("sdk_to_remote_verkey")),
      (["institution_logo_url": "logo"], .invalidURL("institution_logo_url")),
      (["pool_handle": 1], .invalidValue("pool_handle", "a text")),
      (["wallet_key": ["x"]], .invalidValue("wallet_key", "a text")),
      (["wallet_name": "../other"], .invalidValue("wallet_name", "a name without slashes")),
      (["wallet_key_derivation": "MD5"], .invalidValue("wallet_key_derivation", "ARGON2I_MOD, ARGON2I_INT or RAW")),
      (["storage_config": "{"], .invalidValue("storage_config", "an object, or a text that holds one")),
      (["author_agreement": "x"], .malformedAuthorAgreement), (["author_agreement": []], .malformedAuthorAgreement),
      (["institution_did": "short"], .invalidDID("institution_did")),
      (["institution_verkey": "x"], .invalidVerKey("institution_verkey")),
      (["institution_name": true], .invalidValue("institution_name", "a text")),
      (["protocol_type": true], .invalidValue("protocol_type", "a text")),
      (["protocol_type": "5.0"], .invalidValue("protocol_type", "one of 1.0, 2.0, 3.0, 4.0")),
      (["wallet_type": "postgres_storage"], .invalidValue("wallet_type", "default")),
      (["storage_config": []], .invalidValue("storage_config", "an object, or a text that holds one")),
      (["remote_to_sdk_did": "short"], .invalidDID("remote_to_sdk_did")),
      (["remote_to_sdk_verkey": "x"], .invalidVerKey("remote_to_sdk_verkey")),
      (["sdk_to_remote_did": "short"], .invalidDID("sdk_to_remote_did")),
      (["wallet_key": 7], .invalidValue("wallet_key", "a text")),
      (["public_endpoints_only": "true"], .invalidValue("public_endpoints_only", "true or false")),
      (["push_details": "true"], .invalidValue("push_details", "true or false")),
      (["strict_non_revocation": "true"], .invalidValue("strict_non_revocation", "true or false")),
      (["link_secret_alias": ""], .invalidValue("link_secret_alias", "a name")),
      (["backup_key_derivation": "MD5"], .invalidValue("backup_key_derivation", "ARGON2ID or SHA256")),
    ] as [(JSONObject, SettingsError)])
  func anErrorNamesTheWrongMember(changes: JSONObject, error: SettingsError) {
    #expect(throws: error) { try settings(changes) }
  }

  @Test(arguments: [
    "agency_endpoint", "agency_did", "agency_verkey", "sdk_to_remote_did", "sdk_to_remote_verkey", "remote_to_sdk_did",
    "remote_to_sdk_verkey",
  ])
  func anIncompleteAccountCountsAsAbsent(member: String) throws { #expect(try settings([member: nil]).account == nil) }

  @Test(arguments: [
    "", "a.example", ":", "http:", "http:/", "http://", "://x", "1http://x", "ht_tp://x", "http:x//", "http://a b",
    "http://a\u{7f}", "http://a\n",
  ])
  func anEndpointIsAnAbsoluteURL(url: String) {
    #expect(throws: SettingsError.invalidURL("agency_endpoint")) { try settings(["agency_endpoint": .string(url)]) }
  }

  @Test(arguments: ["http://a", "HTTPS://a.example/x?y#z", "a1+.-://x"]) func everySchemeIsRead(url: String) throws {
    #expect(try settings(["agency_endpoint": .string(url)]).account?.endpoint == url)
  }

  @Test(arguments: ["", "{", "nonsense"]) func aTextThatIsNotJSONIsRefused(text: String) {
    #expect(throws: SettingsError.self) { try Settings(parsing: text) }
  }

  @Test func aConfigurationThatIsNoObjectHasNoWalletKey() {
    #expect(throws: SettingsError.missingWalletKey) { try Settings(parsing: "[]") }
  }
}

@Suite struct ProvisioningSettingsTests {
  let complete: JSON = [
    "wallet_key": "secret", "agency_url": "http://agency.example", "agency_did": "SnTKP3E2D6Y8zE4p62Le3n",
    "agency_verkey": "F45Ey9188uCq5QzTnsJJHC7WczwVSjjpAFxUvJXYJVqR",
  ]

  @Test(
    arguments: [
      (["wallet_key": nil], .missing("wallet_key")), (["agency_url": nil], .missing("agency_endpoint")),
      (["agency_url": "x"], .invalidURL("agency_url")),
      (["agency_url": nil, "agency_endpoint": "x"], .invalidURL("agency_endpoint")),
      (["agency_did": nil], .missing("agency_did")),
      (["agency_verkey": "x"], .invalidVerKey("agency_verkey")),
      (["protocol_type": "5.0"], .invalidValue("protocol_type", "one of 1.0, 2.0, 3.0, 4.0")),
      (["agent_seed": "short"], .invalidValue("agent_seed", "a seed of 32 bytes")),
      (["agent_seed": "000000000000000000000000Issuer001"], .invalidValue("agent_seed", "a seed of 32 bytes")),
      (
        ["agent_seed": .string(String(repeating: "0", count: 64) + "g")],
        .invalidValue("agent_seed", "a seed of 32 bytes")
      ),
      (
        ["agent_seed": .string(String(repeating: "0", count: 65))],
        .invalidValue("agent_seed", "a seed of 32 bytes")
      ),
      (["enterprise_seed": "short"], .invalidValue("enterprise_seed", "a seed of 32 bytes")),
      (["agency_did": "x"], .invalidDID("agency_did")), (["agency_verkey": nil], .missing("agency_verkey")),
      (["protocol_type": ""], .invalidValue("protocol_type", "one of 1.0, 2.0, 3.0, 4.0")),
      (
        ["agency_alias": "production"],
        .invalidValue(
          "agency_alias", "an agency that still exists: give agency_endpoint, agency_did and agency_verkey")
      ),
    ] as [(JSONObject, SettingsError)])
  func anErrorNamesTheWrongMember(changes: JSONObject, error: SettingsError) {
    var json = complete
    for (key, value) in changes.members { json[key] = value.isNull ? nil : value }
    #expect(throws: error) { try Provisioning(parsing: json.text) }
  }

  @Test(arguments: [
    "000000000000000000000000Issuer01", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
    "00000000000000000000000000000000000000000000000000000000000000ff",
  ])
  func seedsHaveThreeForms(seed: String) throws {
    var json = complete
    json["agent_seed"] = .string(seed)
    _ = try Provisioning(parsing: json.text)
  }
}

@Suite struct WalletImportSettingsTests {
  static let complete: JSON = [
    "wallet_name": "alice", "wallet_key": "secret", "exported_wallet_path": "/tmp/export", "backup_key": "backup",
  ]

  @Test func aCompleteConfigurationIsRead() {
    #expect(throws: Never.self) { try WalletImport(parsing: Self.complete.text) }
  }

  @Test(arguments: ["wallet_name", "wallet_key", "exported_wallet_path", "backup_key"])
  func everyMemberIsNeededAndATextOrNull(member: String) {
    for value in [nil, .null] as [JSON?] {
      var json = Self.complete
      json[member] = value
      #expect(throws: SettingsError.incompleteImport(member)) { try WalletImport(parsing: json.text) }
    }
    var json = Self.complete
    json[member] = true
    #expect(throws: SettingsError.invalidValue(member, "a text")) { try WalletImport(parsing: json.text) }
  }
}
