import AgencyWire
import DIDComm
import Foundation
import HTTP
import HTTPServing
import JSON
import SQLite
import Sodium
import TestSupport
import Testing
import Threading
import Time

@testable import AgencyServer

/// The operator's view and settings.
@Suite struct OperationTests {
  // MARK: - Settings

  @Test func settingsAreRead() throws {
    let key = KeyPair().verkey
    let settings = try Settings([
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
    let settings = try Settings([:])
    #expect(settings.address == "127.0.0.1")
    #expect(settings.port == 8080)
    #expect(settings.rules.admission.mode == .open)
    #expect(!settings.rules.showsMetrics)
  }

  @Test(arguments: [
    (#"[]"#, SettingsError.wrongValue("the file")), (#"{"prot": 1}"#, .unknown("prot")),
    (#"{"port": 65536}"#, .wrongValue("port")), (#"{"port": "80"}"#, .wrongValue("port")),
    (#"{"provisioning": "maybe"}"#, .wrongValue("provisioning")),
    (#"{"token_window_s": 0}"#, .wrongValue("token_window_s")),
    (#"{"public_endpoint": "https://agency.example/"}"#, .wrongValue("public_endpoint")),
    (#"{"limits": {"body": 1}}"#, .unknown("limits.body")),
    (#"{"limits": {"body_bytes": 0}}"#, .wrongValue("limits.body_bytes")),
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
    (#"{"sponsors": [{"id": "a", "webhook_secret": "a long random text"}]}"#, .wrongValue("sponsors.webhook_secret")),
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
  func badSettingsAreExplained(text: String, error: SettingsError) throws {
    let json = try JSON(parsing: text)
    #expect(throws: error) { try Settings(json) }
  }

  @Test func aServiceAccountLiesBesideTheSettings() throws {
    let folder = try TemporaryFolder()
    let file = URL(fileURLWithPath: folder.path + "/account.json")
    try Data(Google().accountFile.bytes).write(to: file)
    let push: JSON = ["push": ["service_account": "account.json"]]
    let settings = try Settings(push, folder: folder.path)
    #expect(settings.rules.push?.target == "https://fcm.googleapis.com:443")
    try Data(#"{"project_id": "a"}"#.utf8).write(to: file)
    #expect(throws: SettingsError.file("push.service_account", reason: "client_email is missing")) {
      try Settings(push, folder: folder.path)
    }
  }

  @Test(arguments: [
    ("0:0:0:0:0:0:0:1", "::1"), ("2001:DB8::0:1", "2001:db8::1"), ("10.0.0.1", "10.0.0.1"),
    ("::FFFF:10.0.0.1", "10.0.0.1"),
  ])
  func theProxyIsKnownHoweverItsAddressIsWritten(text: String, client: String) throws {
    #expect(try Settings(["trusted_proxy": .string(text)]).rules.trustedProxy == client)
  }

  /// A newly installed agency with unchanged settings gives nobody an account.
  @Test func thePackagedSettingsHaveNoActiveSponsor() throws {
    let json = try Fixtures.json("../../packaging/agency.json")
    #expect(json["sponsors"]?.array?.allSatisfy { $0["active"]?.bool == false } == true)
    #expect(try Settings(json).rules.admission.mode == .token)
  }

  @Test func anActiveSponsorHasKeysWhereTokensAreRequired() throws {
    var inactive = Sponsor(id: "a")
    inactive.isActive = false
    #expect(throws: Never.self) { try Admission(mode: .token, sponsors: [inactive]) }
    var admission = try Admission(mode: .open, sponsors: [Sponsor(id: "b")])
    #expect(throws: AdmissionError.noKeys("b")) { try admission.change(to: .token) }
    #expect(admission.mode == .open)
  }

  @Test(arguments: [
    "http://localhost", "https://agency.example", "https://agency.example:8443", "https://[2001:db8::1]:8443",
    "https://agency.example/a/b",
  ])
  func endpointsAreTaken(text: String) { #expect(PublicEndpoint(text)?.text == text) }

  @Test(arguments: [
    "", "agency.example", "ftp://agency.example", "https://", "https:///path", "https://:80", "https://agency.example/",
    "https://agency.example/?", "https://agency.example#x", "https://user@agency.example", "https://agency example",
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

  // MARK: - Health and metrics

  @Test func healthAndMetricsAreShown() throws {
    let folder = try TemporaryFolder()
    var rules = Agency.Rules()
    rules.showsMetrics = true
    let server = try AgencyServer(dataFolder: folder.path, rules: rules)
    let client = Client(server)
    let mailbox = try client.createMailbox(client.provision())
    let body = try client.forward("x", to: mailbox)
    for _ in 0..<2 { _ = try client.post(body) }
    _ = try client.post([])
    #expect(try HTTPClient().get(server.endpoint + "/health").status == 200)
    let text = String(decoding: try HTTPClient().get(server.endpoint + "/metrics").body, as: UTF8.self)
    #expect(text.contains("\nmsdk_agency_messages_stored_total 1\n"))
    #expect(text.contains("\nmsdk_agency_messages_repeated_total 1\n"))
    #expect(text.contains("\nmsdk_agency_http_answers_total{status=\"400\"} 1\n"))
    #expect(text.contains("# TYPE msdk_agency_http_answers_total counter\n"))
  }

  @Test func metricsAreHiddenUnlessTheyAreAskedFor() throws {
    let folder = try TemporaryFolder()
    let server = try AgencyServer(dataFolder: folder.path)
    #expect(try HTTPClient().get(server.endpoint + "/metrics").status == 404)
  }

  // MARK: - Rate

  @Test func anAddressHasItsRateAndABurst() {
    let time = Locked<Int64>(100)
    let limiter = RateLimiter(Rate(2, burst: 5), clock: { time.withLock { $0 } })
    let a = Visitor.address("a")
    #expect((0..<7).map { _ in limiter.admits(a) } == [true, true, true, true, true, false, false])
    #expect(limiter.admits(.address("b")))
    time.withLock { $0 += 1 }
    #expect((0..<3).map { _ in limiter.admits(a) } == [true, true, false])
    time.withLock { $0 += 1_000_000 }
    #expect((0..<6).map { _ in limiter.admits(a) } == [true, true, true, true, true, false])
    time.withLock { $0 -= 1000 }
    #expect(!limiter.admits(a))
    // A clock that was set back takes nothing away.
    time.withLock { $0 += 1 }
    #expect((0..<3).map { _ in limiter.admits(a) } == [true, true, false])
    #expect((0..<100).allSatisfy { _ in limiter.admits(.machine) })
  }

  @Test func aRateMayBeSlowerThanOneInASecond() {
    let time = Locked<Int64>(100)
    let limiter = RateLimiter(Rate(10, per: 60, burst: 10), clock: { time.withLock { $0 } })
    let a = Visitor.address("a")
    let served = (0...600).filter { second in
      time.withLock { $0 = 100 + Int64(second) }
      return limiter.admits(a)
    }
    #expect(served.count == 10 + 100)
  }

  @Test func attemptsToGetAnAgentAreCountedApart() throws {
    let folder = try TemporaryFolder()
    var rules = Agency.Rules()
    rules.trustedProxy = "127.0.0.1"
    rules.provisioningsPerMinute = 2
    let time = Locked<Int64>(100)
    let server = try AgencyServer(dataFolder: folder.path, rules: rules, clock: { time.withLock { $0 } })
    let post = { (address: String) in
      let client = Client(server)
      let connect = client.request(Connect(fromDID: client.did, fromDIDVerKey: client.keys.verkey.text))
      let body = try Wrapping(connect, from: client.keys, to: client.agency).carried(by: client.agency).bytes
      return try HTTPClient().post(
        body, to: server.endpoint + "/agency/msg", contentType: "x/y", headers: ["X-Forwarded-For: \(address)"])
    }
    #expect(try (0..<3).map { _ in try post("1.2.3.4").status } == [200, 200, 429])
    #expect(WireRefusal(body: try post("1.2.3.4").body)?.statusCode == "GNR-123")
    #expect(try post("5.6.7.8").status == 200)
    #expect(try (0..<5).map { _ in try post("127.0.0.1").status } == [200, 200, 200, 200, 200])
    time.withLock { $0 += 30 }
    #expect(try (0..<2).map { _ in try post("1.2.3.4").status } == [200, 429])
    // Requests that are not about new accounts are served all the same.
    let client = Client(server)
    let agent = try client.provision()
    let fetch = client.request(GetMessagesByConnections(filter: WireMessageFilter()))
    let body = try Wrapping(fetch, from: client.keys, to: agent).carried(by: client.agency).bytes
    let response = try HTTPClient().post(
      body, to: server.endpoint + "/agency/msg", contentType: "x/y", headers: ["X-Forwarded-For: 1.2.3.4"])
    #expect(response.status == 200)
  }

  /// More addresses than are remembered make it forget, so that they take no more memory.
  @Test func addressesAreForgottenBeforeTheyAreTooMany() {
    let limiter = RateLimiter(Rate(1, burst: 1), clock: { 1 })
    #expect(limiter.admits(.address("first")))
    #expect(!limiter.admits(.address("first")))
    for number in 0..<50_000 { _ = limiter.admits(.address("\(number)")) }
    #expect(limiter.admits(.address("first")))
  }

  @Test(arguments: [
    ("127.0.0.1", true), ("127.8.9.1", true), ("::1", true), ("::ffff:127.0.0.1", true), ("10.0.0.1", true),
    ("10.0.0.2", false), ("128.0.0.1", false), ("2001:db8::1", false), ("", false),
  ])
  func manyClientsMayComeFromTheProxyAndTheMachine(address: String, isShared: Bool) {
    #expect(Routes.isShared(address, proxy: "10.0.0.1") == isShared)
    #expect(Routes.isShared("10.0.0.1", proxy: nil) == false)
  }

  @Test(arguments: [
    ("POST", "/agency/msg", false), ("GET", "/health", false), ("GET", "/agency", true), ("GET", "/agency/msg", true),
    ("GET", "/metrics", true), ("POST", "/agency", true), ("GET", "/nowhere", true),
  ])
  func onlyWhatNeedsTheStoreWaitsForIt(method: String, path: String, isQuick: Bool) {
    #expect(Routes.isQuick(method: method, path: path) == isQuick)
  }

  @Test func nobodyElsesWordIsTakenForAClientsAddress() throws {
    let requests = [["1.2.3.4"], ["1.2.3.4"], ["1.2.3.4"]]
    #expect(try statuses(burst: 1, proxy: "10.0.0.1", requests) == [400, 400, 400])
  }

  /// The answers to requests through a trusted proxy, each with these lines of `X-Forwarded-For`. `burst` at once are
  /// served from one address.
  func statuses(burst: Int, proxy: String = "127.0.0.1", _ requests: [[String]]) throws -> [Int] {
    let folder = try TemporaryFolder()
    var rules = Agency.Rules()
    rules.trustedProxy = proxy
    rules.rate = Rate(1, burst: burst)
    let server = try AgencyServer(dataFolder: folder.path, rules: rules, clock: { 1 })
    return try requests.map { lines in
      try HTTPClient().post(
        [], to: server.endpoint + "/agency/msg", contentType: "x/y", headers: lines.map { "X-Forwarded-For: \($0)" }
      ).status
    }
  }

  @Test func clientsBehindATrustedProxyAreToldApart() throws {
    let requests = [["1.2.3.4"], ["1.2.3.4"], ["9.9.9.9, 1.2.3.4"], ["1.2.3.4, 5.6.7.8"]]
    #expect(try statuses(burst: 2, requests) == [400, 400, 429, 400])
  }

  @Test func whatTheProxyAppendsInALineOfItsOwnCounts() throws {
    let requests = [["7.7.7.1", "1.2.3.4"], ["7.7.7.2", "1.2.3.4"], ["7.7.7.3", "x, 1.2.3.4"]]
    #expect(try statuses(burst: 1, requests) == [400, 429, 429])
  }

  /// Such an entry does not make a client: the connection's address counts, here the machine's own.
  @Test func anEntryThatIsNoAddressIsNobody() throws {
    let requests = [["unknown"], ["unknown"], ["1.2.3.4,"], ["1.2.3.4,"]]
    #expect(try statuses(burst: 1, requests) == [400, 400, 400, 400])
  }

  /// Writing is tried when the last success is old, and each time after a failure.
  @Test func healthIsLookedAtNowAndThen() throws {
    let folder = try TemporaryFolder()
    let time = Locked<Int64>(100)
    let path = folder.path + "/agency.db"
    let storage = try SQLiteStorage(path: path, clock: { 1 })
    let health = HealthCheck(storage, clock: { time.withLock { $0 } })
    let other = try Database(path: path)
    try health.check()
    try other.execute("CREATE TRIGGER full BEFORE INSERT ON writing_check BEGIN SELECT RAISE(ABORT, 'full'); END")
    time.withLock { $0 += 9 }
    try health.check()
    time.withLock { $0 += 1 }
    for _ in 0..<2 { #expect(throws: StorageError.self) { try health.check() } }
    try other.execute("DROP TRIGGER full")
    try health.check()
    try other.execute("DROP TABLE identity")
    #expect(throws: StorageError.self) { try health.check() }
  }

  // MARK: - Retention

  @Test func whatIsTooOldGoesAndTheRestStays() throws {
    let folder = try TemporaryFolder()
    let start: Int64 = 1_700_000_000
    let time = Locked(start)
    let clock: Clock = { time.withLock { $0 } }
    let storage = try SQLiteStorage(path: folder.path + "/agency.db", clock: clock)
    let agency = try Agency(
      storage: storage, masterKey: MasterKey(SecretBytes(random: MasterKey.length)), clock: clock)
    let owner = KeyPair().verkey
    let agent = try #require(try account(storage, owner))
    let mailbox = try #require(try mailbox(storage, agent))
    let deleted = try #require(try self.mailbox(storage, agent))
    try storage.delete(deleted)
    let unfinished = KeyPair().verkey
    _ = try storage.agent(of: unfinished, ownerDID: unfinished.did, orElse: agency.masterKey.newKey())
    for text in ["read", "unread"] { _ = try storage.deliver(mail(text, start), to: mailbox, quota: Quota()) }
    let read = WireConnectionUIDs(pairwiseDID: mailbox.forDID.text, uids: ["read"])
    _ = try storage.setStatus("MS-106", of: [read], of: agent)
    let kept = {
      try storage.messages(Selection(scope: .mailbox(mailbox), filter: WireMessageFilter(), budget: 1)).messages.count
    }

    time.withLock { $0 = start + 24 * 3600 - 1 }
    #expect(try agency.sweep() == 0)
    time.withLock { $0 = start + 24 * 3600 }
    #expect(try agency.sweep() == 2)  // the message that was read, the agent that was never finished
    #expect(try kept() == 1)
    time.withLock { $0 = start + 30 * 86_400 }
    #expect(try agency.sweep() == 1)  // the tombstone
    #expect(try storage.destination(of: #require(Address(deleted.party.did))) == nil)
    time.withLock { $0 = start + 90 * 86_400 }
    #expect(try agency.sweep() == 1)
    #expect(try kept() == 0)
    #expect(try storage.destination(of: #require(Address(mailbox.party.did))) == .mailbox(mailbox))
  }

  private func account(_ storage: any Storage, _ owner: VerKey) throws -> Account? {
    let provisioned = try storage.provision(owner, ownerDID: owner.did, nil, orElse: newKey())
    guard case .agent(let agent) = provisioned else { return nil }
    return agent
  }

  private func mailbox(_ storage: any Storage, _ agent: Account) throws -> Mailbox? {
    let verkey = KeyPair().verkey
    let creation = try storage.mailbox(of: agent, for: verkey.did, verkey, limit: 10, orElse: newKey())
    guard case .mailbox(let mailbox) = creation else { return nil }
    return mailbox
  }

  private func newKey() -> NewKey { NewKey(verkey: KeyPair().verkey, sealedKey: SealedKey([])) }

  private func mail(_ text: String, _ arrival: Int64) -> Mail {
    Mail(uid: text, payload: Array(text.utf8), digest: sha256(Array(text.utf8)), arrival: arrival)
  }
}
