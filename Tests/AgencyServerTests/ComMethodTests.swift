import AgencyServer
import AgencyWire
import DIDComm
import JSON
import TestSupport
import Testing
import Threading
import Time

/// Com methods and other settings that users register.
@Suite struct ComMethodTests {
  let scene: NotificationScene

  init() throws { scene = try NotificationScene() }

  @Test(arguments: [
    "http://127.0.0.1:8080/", "http://10.1.2.3", "https://[::1]/", "http://[::ffff:192.168.0.1]/",
    "http://localhost:8080", "http://a.LOCALHOST./",
  ])
  func aWebhookThatWouldNeverBeCalledIsRefusedWithTheReason(url: String) throws {
    let client = Client(try AgencyServer(dataFolder: scene.folder.path))
    let agent = try client.provision()
    let refusal = try refusal(of: WireComMethod(id: "1", kind: .webhook, value: url), client, agent)
    #expect(refusal?.statusMessage.contains("no webhooks at private addresses") == true)
    try scene.set(.webhook, "https://bank.example/", client, agent)
  }

  @Test(arguments: [WireComMethod.Kind.push, .sponsor, .sponsorPush])
  func aSponsorWithoutAnAddressCannotBeTold(kind: WireComMethod.Kind) throws {
    let client = Client(try scene.server())
    let agent = try scene.sponsored(client)
    let refusal = try refusal(of: WireComMethod(id: "1", kind: kind, value: "FCM:token"), client, agent)
    #expect(refusal?.statusMessage.contains("takes no such notifications") == true)
    // A user who registered in better times can still sign off.
    try scene.set(kind, "", client, agent)
  }

  private func refusal(of method: WireComMethod, _ client: Client, _ agent: Party) throws -> WireRefusal? {
    WireRefusal(body: try client.send(client.request(UpdateComMethod(method: method)), to: agent).body)
  }

  @Test(arguments: [
    (WireComMethod.Kind.push, "token without prefix"), (.push, "FCM:no sponsor"), (.webhook, "file:///etc/passwd"),
    (.sponsor, "no sponsor"),
    (.sponsorPush, "no sponsor"), (.push, "too long"), (.webhook, "http://user@bank.example/"),
    (.webhook, "http://u1:p@127.0.0.1:80/"), (.webhook, "http://1.2.3.256/"), (.webhook, "not a URL"),
  ])
  func badComMethodsAreRefused(kind: WireComMethod.Kind, value: String) throws {
    let client = Client(try scene.server())
    let agent = try client.provision()
    let value = value == "too long" ? "FCM:" + String(repeating: "x", count: 4096) : value
    let request = client.request(UpdateComMethod(method: WireComMethod(id: "1", kind: kind, value: value)))
    #expect(WireRefusal(body: try client.send(request, to: agent).body)?.statusCode == "GNR-115")
  }

  @Test func comMethodsHaveALimitAndTypesMayBeText() throws {
    let client = Client(try scene.server())
    let agent = try client.provision()
    for number in 0..<16 { try scene.set(.webhook, "http://example.com/\(number)", id: "\(number)", client, agent) }
    try scene.set(.webhook, "http://example.com/again", id: "3", client, agent)
    let text: JSON = [
      "@type": "x/UPDATE_COM_METHOD", "comMethod": ["id": "17", "type": "2", "value": "http://example.com"],
    ]
    #expect(try client.send(text, to: agent).status == 429)
    try scene.set(.webhook, "", id: "3", client, agent)
    #expect(try client.send(text, to: agent).status == 200)
  }

  @Test func configsAreStoredWithinTheirLimit() throws {
    let client = Client(try scene.server())
    let agent = try client.provision()
    for _ in 0..<2 {
      let configs = (0..<32).map { Config(name: "name\($0)", value: .randomUUID()) }
      let _: ConfigsUpdated = try client.ask(UpdateConfigs(configs: configs), of: agent)
    }
    let oneMore = client.request(UpdateConfigs(configs: [Config(name: "one more", value: "x")]))
    #expect(try client.send(oneMore, to: agent).status == 429)
    let upgrade: UpgradeInfo = try client.ask(GetUpgradeInfo(pairwiseDIDs: ["x"]), of: agent)
    #expect(upgrade.data.isEmpty)
  }

  /// Requests that change settings, as somebody may have recorded them.
  private static func settingRequests(_ client: Client) -> [JSON] {
    [
      client.request(UpdateComMethod(method: WireComMethod(id: "1", kind: .webhook, value: "http://example.com"))),
      client.request(UpdateConfigs(configs: [Config(name: "name", value: "Alice")])),
      client.request(UpdateComMethod(method: WireComMethod(id: "1", kind: .webhook, value: ""))),
    ]
  }

  @Test(arguments: [0, 1, 2])
  func aRecordedSettingCannotBeSentAgainLater(number: Int) throws {
    let time = Locked<Int64>(1_715_938_200)
    let clock: Clock = { time.withLock { $0 } }
    let server = try AgencyServer(dataFolder: scene.folder.path, clock: clock)
    let client = Client(server)
    let agent = try client.provision()
    let recorded = try Wrapping(Self.settingRequests(client)[number], from: client.keys, to: agent)
    for seconds: Int64 in [0, 60] {
      time.withLock { $0 += seconds }
      #expect(try client.post(recorded.carried(by: client.agency).bytes).status == 200)
    }
    time.withLock { $0 += 1 }
    let response = try client.post(recorded.carried(by: client.agency).bytes)
    #expect(response.status == 400)
    #expect(WireRefusal(body: response.body)?.statusCode == "GNR-115")
    server.stop()
    time.withLock { $0 += 23 * 3600 }
    let restarted = Client(try AgencyServer(dataFolder: scene.folder.path, clock: clock), keys: client.keys)
    #expect(try restarted.post(recorded.carried(by: client.agency).bytes).status == 400)
    // The same wish once more is another request.
    #expect(try restarted.send(Self.settingRequests(client)[number], to: agent).status == 200)
  }
}
