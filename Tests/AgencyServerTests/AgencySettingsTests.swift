import Foundation
import HTTP
import JSON
import Sodium
import TestSupport
import Testing

@testable import AgencyServer

/// The operator's settings.
@Suite struct AgencySettingsTests {
  @Test func settingsAreRead() throws {
    let key = KeyPair().verkey
    let settings = try AgencySettings([
      "data": "/var/lib/agency", "database": "postgresql:///agency", "address": "::1", "port": 8443,
      "public_endpoint": "https://agency.example/mailboxes",
      "provisioning": "both", "token_window_s": 60,
      "sponsors": [
        [
          "id": "bank", "active": false, "verkeys": [.string(key.text)], "endpoint": "https://bank.example/notify",
          "push_relay": "https://bank.example/push", "token_endpoint": "https://bank.example/generate",
          "webhook_secret": "s3cret",
        ]
      ],
      "private_webhooks": true, "metrics": true, "trusted_proxy": "127.0.0.1",
      "limits": [
        "body_bytes": 1000, "bodies_bytes": 4000, "connections_per_address": 9, "mailbox_messages": 5,
        "requests_per_s": 1, "provisionings_per_min": 7,
        "keep_unread_d": 30,
      ],
    ])
    #expect(settings.dataFolder == "/var/lib/agency")
    #expect(settings.database == "postgresql:///agency")
    #expect(settings.address == "::1")
    #expect(settings.port == 8443)
    #expect(settings.rules.publicEndpoint?.text == "https://agency.example/mailboxes")
    #expect(settings.rules.admission.mode == .both)
    #expect(settings.rules.admission.window == 60)
    let sponsor = try #require(settings.rules.admission[sponsor: "bank"])
    #expect(!sponsor.isActive)
    #expect(sponsor.keys == [key])
    #expect(sponsor.endpoint == "https://bank.example/notify")
    #expect(sponsor.pushRelay == "https://bank.example/push")
    #expect(sponsor.tokenEndpoint == "https://bank.example/generate")
    #expect(sponsor.webhookSecret == SecretBytes(copying: Array("s3cret".utf8)))
    #expect(settings.rules.callsPrivateWebhooks && settings.rules.showsMetrics)
    #expect(settings.rules.trustedProxy == "127.0.0.1")
    #expect(settings.limits.body == 1000)
    #expect(settings.limits.bodies == 4000)
    #expect(settings.limits.connectionsPerClient == 9)
    #expect(settings.rules.quota.messages == 5)
    #expect(settings.rules.rate.requests == 1)
    #expect(settings.rules.provisioningsPerMinute == 7)
    #expect(settings.rules.retention.unreadDays == 30)
  }

  @Test func settingsHaveDefaults() throws {
    let settings = try AgencySettings([:])
    #expect(settings.address == "127.0.0.1")
    #expect(settings.port == 8080)
    #expect(settings.rules.admission.mode == .open && settings.rules.admission.window == 600)
    #expect(!settings.rules.showsMetrics)
  }

  /// The limits in the example of docs/agency.md.
  private func documentedLimits() throws -> JSON {
    let file = Fixtures.folder.appending(path: "../../docs/agency.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    let start = try #require(text.range(of: #""limits": "#)).upperBound
    let end = try #require(text[start...].firstIndex(of: "}"))
    return try JSON(parsing: String(text[start...end]))
  }

  private func limits(_ json: JSON) throws -> String {
    let settings = try AgencySettings(json)
    let rules = settings.rules
    return """
      \(settings.limits) \(rules.quota) \(rules.mailboxesPerAgent) \(rules.comMethodsPerAgent) \(rules.answerBytes) \
      \(rules.backupBytes) \(rules.waiting) \(rules.rate) \(rules.provisioningsPerMinute) \(rules.retention)
      """
  }

  @Test func theDocumentedLimitsAreTheUsualOnes() throws {
    let documented = try documentedLimits()
    let usual = try limits([:])
    #expect(try limits(["limits": documented]) == usual)
    let members = try documented.requireObject().members
    #expect(members.count == 22)
    for (name, value) in members {
      let other = JSON.integer(try #require(value.integer) + 1)
      #expect(try limits(["limits": .object([name: other])]) != usual, "\(name)")
    }
  }

  /// Three layers make a backup 3.2 times as long as the exported wallet.
  @Test func thereIsRoomForTheBodyOfABackup() throws {
    for (bytes, body, bodies) in [
      (1, 1_048_576, 33_554_432), (5_000_000, 16_565_536, 33_554_432), (50_000_000, 165_065_536, 165_065_536),
    ] {
      let limits = try AgencySettings(["limits": ["backup_bytes": .integer(Int64(bytes))]]).roomyLimits
      #expect(limits.body == body && limits.bodies == bodies)
    }
  }

  @Test(arguments: [
    (#"[]"#, AgencySettingsError.wrongValue("the file")), (#"{"prot": 1}"#, .unknown("prot")),
    (#"{"port": 65536}"#, .wrongValue("port")), (#"{"port": "80"}"#, .wrongValue("port")),
    (#"{"provisioning": "maybe"}"#, .wrongValue("provisioning")),
    (#"{"token_window_s": 0}"#, .wrongValue("token_window_s")),
    (#"{"public_endpoint": "https://agency.example/"}"#, .wrongValue("public_endpoint")),
    (#"{"limits": {"body": 1}}"#, .unknown("limits.body")),
    (#"{"limits": {"body_bytes": 0}}"#, .wrongValue("limits.body_bytes")),
    (#"{"limits": {"mailboxes": 2147483648}}"#, .wrongValue("limits.mailboxes")),
    (#"{"limits": 1}"#, .wrongValue("limits")), (#"{"sponsors": [{}]}"#, .missing("sponsors.id")),
    (#"{"sponsors": [{"id": "a", "verkeys": ["x"]}]}"#, .wrongValue("sponsors.verkeys")),
    (#"{"sponsors": [{"id": "a", "endpoint": "ftp://x"}]}"#, .wrongValue("sponsors.endpoint")),
    (#"{"sponsors": [{"id": "a", "push_relay": "x"}]}"#, .wrongValue("sponsors.push_relay")),
    (#"{"sponsors": [{"id": "a", "verkey": "x"}]}"#, .unknown("sponsors.verkey")),
    (#"{"trusted_proxy": "localhost"}"#, .wrongValue("trusted_proxy")),
    (#"{"trusted_proxy": "127.0.0.0/8"}"#, .wrongValue("trusted_proxy")),
    (#"{"trusted_proxy": ""}"#, .wrongValue("trusted_proxy")),
    (#"{"token_window_s": 604801}"#, .wrongValue("token_window_s")),
    (#"{"token_window_s": 9223372036854775807}"#, .wrongValue("token_window_s")),
    (#"{"limits": {"body_bytes": 1000, "mailbox_bytes": 999}}"#, .wrongValue("limits.mailbox_bytes")),
    (#"{"limits": {"body_bytes": 1000, "bodies_bytes": 3999}}"#, .wrongValue("limits.bodies_bytes")),
    (#"{"sponsors": [{"id": "a", "webhook_secret": ""}]}"#, .wrongValue("sponsors.webhook_secret")),
    (#"{"provisioning": "token", "sponsors": [{"id": "a"}]}"#, .sponsors(.noKeys("a"))),
    (#"{"sponsors": [{"id": "a"}, {"id": "ba"}]}"#, .sponsors(.ambiguousSponsorIDs("a", "ba"))),
    (#"{"push": {}}"#, .missing("push.service_account")), (#"{"push": "file"}"#, .wrongValue("push")),
    (#"{"push": {"service_account": "f", "key": "x"}}"#, .unknown("push.key")),
    (#"{"push": {"service_account": "f", "endpoint": "http://127.0.0.1"}}"#, .wrongValue("push.endpoint")),
    (#"{"push": {"service_account": "f", "endpoint": "https://127.0.0.1/"}}"#, .wrongValue("push.endpoint")),
    (#"{"sponsors": [{"id": "a", "push": {}}]}"#, .missing("sponsors.push.service_account")),
    (
      #"{"push": {"service_account": "/nowhere/account.json"}}"#,
      .file("push.service_account", reason: "cannot open a file: No such file or directory")
    ),
  ])
  func badSettingsAreExplained(text: String, error: AgencySettingsError) throws {
    let json = try JSON(parsing: text)
    #expect(throws: error) { try AgencySettings(json) }
  }

  @Test(arguments: [
    "data", "database", "address", "port", "public_endpoint", "provisioning", "token_window_s", "sponsors", "push",
    "private_webhooks", "metrics", "trusted_proxy", "limits",
  ])
  func aMemberOfAnotherKindIsNamed(name: String) {
    for value in [JSON.null, .real(1.5)] {
      #expect(throws: AgencySettingsError.wrongValue(name)) { try AgencySettings(.object([name: value])) }
    }
  }

  @Test(arguments: ["active", "verkeys", "endpoint", "push", "push_relay", "token_endpoint", "webhook_secret"])
  func aMemberOfASponsorOfAnotherKindIsNamed(name: String) {
    for value in [JSON.null, .real(1.5)] {
      #expect(throws: AgencySettingsError.wrongValue("sponsors." + name)) {
        try AgencySettings(["sponsors": [.object(["id": "a", name: value])]])
      }
    }
  }

  @Test func theLimitOfBodiesLimitsMessages() throws {
    let settings = try AgencySettings(["limits": ["body_bytes": 1000]])
    #expect(settings.messageRules.messageBytes == 1000 && settings.roomyLimits.body > 1000)
  }

  @Test func aPortIsANumberOf16Bits() throws {
    for port in [0, 65_535] as [Int64] { #expect(try AgencySettings(["port": .integer(port)]).port == port) }
    for port in [-1, 65_536] as [Int64] {
      #expect(throws: AgencySettingsError.wrongValue("port")) { try AgencySettings(["port": .integer(port)]) }
    }
  }

  @Test func nothingIsOpenThatTheOperatorHasNotOpened() throws {
    let rules = try AgencySettings([:]).rules
    #expect(!rules.callsPrivateWebhooks && !rules.showsMetrics && rules.trustedProxy == nil && rules.push == nil)
  }

  @Test(arguments: ["private_webhooks", "metrics"]) func eachPermissionIsGivenByItself(name: String) throws {
    let rules = try AgencySettings(.object([name: true])).rules
    #expect(rules.callsPrivateWebhooks == (name == "private_webhooks") && rules.showsMetrics == (name == "metrics"))
  }

  /// They stand in the documents and in packaged settings.
  @Test(arguments: [
    "a long random text", "replace this by a long random text, and the verkey by the sponsor's",
  ])
  func aSecretFromAnExampleIsRefused(secret: String) {
    #expect(throws: AgencySettingsError.wrongValue("sponsors.webhook_secret")) {
      try AgencySettings(["sponsors": [["id": "a", "webhook_secret": .string(secret)]]])
    }
  }

  @Test func aSettingMayBeAtItsBound() throws {
    let limits: JSON = ["mailboxes": 2_147_483_647, "body_bytes": 1000, "mailbox_bytes": 1000, "bodies_bytes": 4000]
    let settings = try AgencySettings(["token_window_s": 604_800, "limits": limits])
    #expect(settings.rules.mailboxesPerAgent == 2_147_483_647 && settings.rules.quota.bytes == 1000)
    #expect(settings.limits.bodies == 4000)
  }

  @Test func aServiceAccountLiesBesideTheSettings() throws {
    let folder = try TemporaryFolder()
    let file = URL(fileURLWithPath: folder.path + "/account.json")
    try Data(Google().accountFile.bytes).write(to: file)
    let push: JSON = ["push": ["service_account": "account.json"]]
    let settings = try AgencySettings(push, folder: folder.path)
    #expect(settings.rules.push?.target == "https://fcm.googleapis.com:443")
    let other: JSON = ["push": ["service_account": "account.json", "endpoint": "https://push.example:8443"]]
    #expect(try AgencySettings(other, folder: folder.path).rules.push?.target == "https://push.example:8443")
    try Data(#"{"project_id": "a"}"#.utf8).write(to: file)
    #expect(throws: AgencySettingsError.file("push.service_account", reason: "client_email is missing")) {
      try AgencySettings(push, folder: folder.path)
    }
  }

  @Test func aSponsorHasAPushAccountOfItsOwn() throws {
    let folder = try TemporaryFolder()
    try Data(Google().accountFile.bytes).write(to: URL(fileURLWithPath: folder.path + "/account.json"))
    let sponsor: JSON = ["id": "bank", "push": ["service_account": "account.json"]]
    let rules = try AgencySettings(["sponsors": [sponsor]], folder: folder.path).rules
    #expect(rules.admission[sponsor: "bank"]?.push?.target == "https://fcm.googleapis.com:443")
    #expect(rules.push == nil)
  }

  @Test(arguments: [(65_536, nil), (65_537, "cannot read a file: File too large")] as [(Int, String?)])
  func aServiceAccountIsNoLongFile(length: Int, reason: String?) throws {
    let folder = try TemporaryFolder()
    let account = try Google().accountFile.bytes
    let file = folder.path + "/account.json"
    try Data(account + [UInt8](repeating: 0x20, count: length - account.count)).write(to: URL(fileURLWithPath: file))
    let push: JSON = ["push": ["service_account": .string(file)]]
    guard let reason else { return #expect(try AgencySettings(push, folder: "/nowhere").rules.push != nil) }
    #expect(throws: AgencySettingsError.file("push.service_account", reason: reason)) { try AgencySettings(push) }
  }

  @Test(arguments: [
    ("0:0:0:0:0:0:0:1", "::1"), ("2001:DB8::0:1", "2001:db8::1"), ("10.0.0.1", "10.0.0.1"),
    ("::FFFF:10.0.0.1", "10.0.0.1"),
  ])
  func theProxyIsKnownHoweverItsAddressIsWritten(text: String, client: String) throws {
    #expect(try AgencySettings(["trusted_proxy": .string(text)]).rules.trustedProxy == client)
  }

  /// A newly installed agency with unchanged settings gives nobody an account.
  @Test func thePackagedSettingsHaveNoActiveSponsor() throws {
    let json = try Fixtures.json("../../packaging/agency.json")
    #expect(json["sponsors"]?.array?.allSatisfy { $0["active"]?.bool == false } == true)
    #expect(try AgencySettings(json).rules.admission.mode == .token)
  }

  @Test func anActiveSponsorHasKeysWhereTokensAreRequired() throws {
    var inactive = Sponsor(id: "a")
    inactive.isActive = false
    #expect(throws: Never.self) { try Admission(mode: .token, sponsors: [inactive]) }
    var admission = try Admission(mode: .open, sponsors: [Sponsor(id: "b")])
    #expect(throws: AdmissionError.noKeys("b")) { try admission.change(to: .token) }
    #expect(admission.mode == .open)
    let silent = ["c", "a", "b"].map { Sponsor(id: $0) }
    #expect(throws: AdmissionError.noKeys("a")) { try Admission(mode: .token, sponsors: silent) }
  }

  @Test(arguments: [
    "http://localhost", "https://agency.example", "https://agency.example:8443", "https://[2001:db8::1]:8443",
    "https://agency.example/a/b",
  ])
  func endpointsAreTaken(text: String) { #expect(PublicEndpoint(text)?.text == text) }

  @Test(arguments: [
    "", "agency.example", "ftp://agency.example", "https://", "https:///path", "https://:80", "https://agency.example/",
    "https://agency.example/?", "https://agency.example#x", "https://user@agency.example", "https://agency example",
    "https://agency.example/\"x", "https://agency.example/a\\b", "https://agency.example/<x>",
    "https://agency.example/{x", "https://agency.example/x}", "https://agency.example/a|b",
    "https://agency.example/a^b",
    "https://agency.example/a`b",
    "https://agency.example\n", "HTTPS://agency.example", "https://ägency.example",
  ])
  func otherEndpointsAreRefused(text: String) { #expect(PublicEndpoint(text) == nil) }

  @Test func thePublicEndpointIsToldAndOnlyThat() throws {
    let folder = try TemporaryFolder()
    var rules = Agency.Rules()
    rules.publicEndpoint = PublicEndpoint("https://agency.example")
    let server = try AgencyServer(dataFolder: folder.path, rules: rules)
    #expect(server.publicEndpoint == "https://agency.example")
    let told = try JSON(parsing: HTTPClient().get(server.endpoint + "/agency").body)
    #expect(told["endpoint"] == "https://agency.example")
  }
}
