import AgencyWire
import DIDComm
import JSON
import Logging
import Sodium
import TestSupport
import Testing
import Threading

@testable import AgencyServer

/// An agency that sends push messages itself.
@Suite struct PushTests {
  let folder: TemporaryFolder
  let google: Google
  private let elapsed = Locked<Int64>(0)
  private let events = Monitor<[String]>([])
  private let sponsorKeys = KeyPair()

  init() throws {
    folder = try TemporaryFolder()
    google = try Google()
  }

  private func server(push: Firebase? = nil) throws -> AgencyServer {
    var sponsor = Sponsor(id: "sponsor")
    sponsor.keys = [sponsorKeys.verkey]
    var rules = Agency.Rules()
    rules.admission = try Admission(mode: .open, sponsors: [sponsor])
    rules.push = push
    return try AgencyServer(
      dataFolder: folder.path, rules: rules, clock: { [elapsed] in 1_715_938_200 + elapsed.withLock { $0 } },
      log: LogChannel { [events] event in events.withLock { $0.append(event.line(at: 0)) } })
  }

  private func register(
    _ kind: WireComMethod.Kind, _ value: String, _ client: Client, _ agent: Party
  ) throws -> WireRefusal? {
    let method = WireComMethod(id: "phone", kind: kind, value: value)
    let response = try client.send(client.request(UpdateComMethod(method: method)), to: agent)
    return response.status == 200 ? nil : WireRefusal(body: response.body)
  }

  @Test(arguments: [(WireComMethod.Kind.push, "FCM:token-7"), (.sponsorPush, "FCM:token-7"), (.sponsorPush, "token-7")])
  func theAgencySendsThePush(kind: WireComMethod.Kind, value: String) throws {
    let client = Client(try server(push: google.firebase()))
    let agent = try client.provision()
    let mailbox = try client.createMailbox(agent)
    #expect(try register(kind, value, client, agent) == nil)
    let offer = "did:sov:BzCbsNYhMrjHiqZDTUASHg;spec/issue-credential/1.0/offer-credential"
    let hint = MessageHint(type: offer, sender: "Faber")
    #expect(try client.post(client.forward("x", to: mailbox, hint: hint)).status == 200)
    let push = try #require(google.waitForPushes(1).first)
    let message = try JSON(parsing: push.body)["message"] ?? .null
    #expect(message["token"] == "token-7")
    #expect(message["notification"] == nil)
    let data = try #require(message["data"]?.object)
    #expect(data["msgId"]?.string == (try client.messages(agent).flatMap(\.messages).first?.uid))
    #expect(data["msgType"] == .string(offer))
    #expect(data["relationshipDid"] == .string(mailbox.forDID))
    let details: JSON = ["msgType": "issue-credential/1.0/offer-credential", "msgSenderName": "Faber"]
    #expect(try JSON(parsing: #require(data["metaData"]?.string)) == details)
  }

  @Test func anAppThatIsGoneIsForgottenUntilItRegistersAgain() throws {
    let client = Client(try server(push: google.firebase()))
    let agent = try client.provision()
    let mailbox = try client.createMailbox(agent)
    #expect(try register(.sponsorPush, "old", client, agent) == nil)
    google.answer(Google.error(404, "UNREGISTERED"))
    #expect(try client.post(client.forward("1", to: mailbox)).status == 200)
    #expect(waitForEvent("registration removed"))
    #expect(try client.post(client.forward("2", to: mailbox)).status == 200)
    #expect(try register(.sponsorPush, "new", client, agent) == nil)
    #expect(try client.post(client.forward("3", to: mailbox)).status == 200)
    let tokens = try google.waitForPushes(2).map { try JSON(parsing: $0.body)["message"]?["token"]?.string }
    #expect(tokens == ["old", "new"])
  }

  /// Firebase refuses the old token after the user has registered the new one.
  @Test func aNewTokenHearsOfTheMessageThatTheOldOneMissed() throws {
    let client = Client(try server(push: google.firebase()))
    let agent = try client.provision()
    let mailbox = try client.createMailbox(agent)
    #expect(try register(.sponsorPush, "old", client, agent) == nil)
    google.answer(Google.error(404, "UNREGISTERED"))
    google.hold(true)
    #expect(try client.post(client.forward("1", to: mailbox)).status == 200)
    #expect(google.waitForPushes(1).count == 1)
    #expect(try register(.sponsorPush, "new", client, agent) == nil)
    google.hold(false)
    let tokens = try google.waitForPushes(2).map { try JSON(parsing: $0.body)["message"]?["token"]?.string }
    #expect(tokens == ["old", "new"])
  }

  @Test func aBusyFirebaseIsAskedAgainWhenItWantsToBe() throws {
    let client = Client(try server(push: google.firebase()))
    let agent = try client.provision()
    let mailbox = try client.createMailbox(agent)
    #expect(try register(.sponsorPush, "the device", client, agent) == nil)
    google.answer(Google.error(503, "UNAVAILABLE", retryAfter: "100"))
    #expect(try client.post(client.forward("1", to: mailbox)).status == 200)
    #expect(waitForEvent("notification failed"))
    elapsed.withLock { $0 += 90 }
    // A later message is sent: the agency has looked at the clock since.
    #expect(try client.post(client.forward("2", to: mailbox)).status == 200)
    #expect(google.waitForPushes(2).count == 2)
    elapsed.withLock { $0 += 20 }
    let ids = try google.waitForPushes(3).map { try JSON(parsing: $0.body)["message"]?["data"]?["msgId"]?.string }
    #expect(ids.count == 3 && ids[0] == ids[2] && ids[0] != ids[1])
  }

  @Test func theLogTellsNeitherTheDeviceNorASecret() throws {
    let client = Client(try server(push: google.firebase()))
    let agent = try client.provision()
    let mailbox = try client.createMailbox(agent)
    #expect(try register(.sponsorPush, "the-device", client, agent) == nil)
    google.answer(Google.error(400, "INVALID_ARGUMENT"))
    #expect(try client.post(client.forward("1", to: mailbox)).status == 200)
    #expect(waitForEvent("notification given up"))
    let log = events.withLock { $0.joined() }
    #expect(log.contains("status 400 INVALID_ARGUMENT"))
    for secret in ["the-device", "access-1", "Bearer", "PRIVATE KEY"] { #expect(!log.contains(secret)) }
  }

  private func waitForEvent(_ name: String) -> Bool {
    events.wait(milliseconds: 20_000) { $0.contains { $0.contains("\"\(name)\"") } ? true : nil } ?? false
  }

  // MARK: - Who is told

  /// The places to which the push messages of a sponsor's users may go.
  private struct Places: OptionSet, CustomTestStringConvertible {
    let rawValue: Int
    static let sponsorsAccount = Places(rawValue: 1)
    static let relay = Places(rawValue: 2)
    static let agencysAccount = Places(rawValue: 4)
    static let endpoint = Places(rawValue: 8)
    static let inactive = Places(rawValue: 16)
    /// The operator has removed the sponsor from the settings.
    static let removed = Places(rawValue: 32)

    var testDescription: String { String(rawValue, radix: 2) }
  }

  @Test(
    arguments: [
      (.sponsorPush, [.sponsorsAccount, .relay, .agencysAccount, .endpoint], "fcm.sponsor"),
      (.sponsorPush, [.relay, .agencysAccount, .endpoint], "relay"),
      (.sponsorPush, [.agencysAccount, .endpoint], "fcm.agency"), (.sponsorPush, [.endpoint], "endpoint"),
      (.sponsorPush, [], nil),
      (.push, [.sponsorsAccount, .relay, .agencysAccount, .endpoint], "fcm.agency"),
      (.push, [.sponsorsAccount, .relay, .endpoint], "endpoint"), (.push, [.sponsorsAccount, .relay], nil),
      (.sponsor, [.sponsorsAccount, .relay, .agencysAccount, .endpoint], "endpoint"),
      (.sponsor, [.sponsorsAccount, .relay, .agencysAccount], nil),
      (.sponsorPush, [.sponsorsAccount, .relay, .agencysAccount, .endpoint, .inactive], nil),
      (.push, [.agencysAccount, .inactive], nil),
      (.push, [.sponsorsAccount, .relay, .agencysAccount, .endpoint, .removed], nil),
      (.sponsorPush, [.sponsorsAccount, .relay, .agencysAccount, .endpoint, .removed], nil),
      (.sponsor, [.sponsorsAccount, .relay, .agencysAccount, .endpoint, .removed], nil),
    ] as [(WireComMethod.Kind, Places, String?)])
  private func aMethodLeadsToTheFirstPlaceThatThereIs(kind: WireComMethod.Kind, places: Places, host: String?) throws {
    let account = try ServiceAccount(google.accountFile)
    var sponsor = Sponsor(id: "sponsor")
    sponsor.isActive = !places.contains(.inactive)
    if places.contains(.sponsorsAccount) { sponsor.push = Firebase(account, endpoint: "https://fcm.sponsor") }
    if places.contains(.relay) { sponsor.pushRelay = "https://relay/" }
    if places.contains(.endpoint) { sponsor.endpoint = "https://endpoint/" }
    var rules = Agency.Rules()
    rules.admission = try Admission(mode: .open, sponsors: places.contains(.removed) ? [] : [sponsor])
    if places.contains(.agencysAccount) { rules.push = Firebase(account, endpoint: "https://fcm.agency") }
    let method = WireComMethod(id: "1", kind: kind, value: "FCM:token")
    let receiver = rules.receiver(of: method, sponsorID: "sponsor")
    #expect(receiver?.target == host.map { "https://\($0):443" })
  }

  @Test(arguments: [
    (WireComMethod.Kind.push, "FCM:token", "sends no push messages itself, and the agent has no sponsor"),
    (.sponsorPush, "FCM:token", "sends no push messages itself, and the agent has no sponsor"),
    (.sponsor, "user-42", "the agent has no sponsor"), (.push, "token", "a push token begins with FCM:"),
    (.push, "FCM:", "no push token behind FCM:"), (.sponsorPush, "FCM:", "no push token behind FCM:"),
  ])
  func aDeviceThatNobodyWouldWakeIsRefusedWithTheReason(
    kind: WireComMethod.Kind, value: String, reason: String
  ) throws {
    let client = Client(try server())
    let refusal = try register(kind, value, client, client.provision())
    #expect(refusal?.statusMessage.contains(reason) == true)
  }

  @Test(arguments: [WireComMethod.Kind.push, .sponsorPush])
  func aSponsorWithoutAPlaceForPushesIsNamedInTheRefusal(kind: WireComMethod.Kind) throws {
    let client = Client(try server())
    let refusal = try register(kind, "FCM:token", client, client.sponsored(by: sponsorKeys))
    #expect(refusal?.statusMessage.contains("itself, and the agent's sponsor takes no such notifications") == true)
  }
}
