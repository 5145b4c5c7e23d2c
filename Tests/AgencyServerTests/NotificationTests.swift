import AgencyServer
import AgencyWire
import DIDComm
import HTTPServing
import JSON
import Sodium
import TestSupport
import Testing
import Threading

/// Notifications of new messages, to sponsors and to webhooks.
@Suite struct NotificationTests {
  let scene: NotificationScene

  init() throws { scene = try NotificationScene() }

  @Test func onlyNotificationsForThePushAccountGoToTheRelay() throws {
    let (listener, relay) = (try Listener(), try Listener())
    let secret = SecretBytes(copying: Array("shared".utf8))
    let client = Client(try scene.server(listener, relay: relay, secret: secret))
    let agent = try scene.sponsored(client)
    let mailbox = try client.createMailbox(agent)
    try scene.set(.sponsorPush, "FCM:token", id: "1", client, agent)
    try scene.set(.sponsor, "user-42", id: "2", client, agent)
    #expect(try client.post(client.forward("content", to: mailbox)).status == 200)
    let relayed = try #require(relay.waitForCalls(1).first)
    #expect(relayed.path == "/push")
    #expect(isSigned(relayed, with: secret))
    #expect(try JSON(parsing: relayed.body)["sponseeDetails"] == "FCM:token")
    let told = try #require(listener.waitForCalls(1).first)
    #expect(try JSON(parsing: told.body)["sponseeDetails"] == "user-42")
  }

  @Test(arguments: [(WireComMethod.Kind.sponsor, "user-42"), (.sponsorPush, "FCM:token"), (.push, "FCM:token")])
  func theSponsorIsToldWithoutContent(kind: WireComMethod.Kind, value: String) throws {
    let listener = try Listener()
    let secret = SecretBytes(copying: Array("shared".utf8))
    let server = try scene.server(listener, secret: secret)
    let client = Client(server)
    let agent = try scene.sponsored(client)
    let mailbox = try client.createMailbox(agent)
    try scene.set(kind, value, client, agent)
    #expect(try client.post(client.forward("secret content", to: mailbox)).status == 200)

    let call = try #require(listener.waitForCalls(1).first)
    #expect(call.method == "POST")
    #expect(call.path == "/notify")
    #expect(call.header("content-type") == "application/json")
    #expect(call.header("x-request-id")?.count == 36)
    #expect(isSigned(call, with: secret))
    let uid = try #require(client.messages(agent).flatMap(\.messages).first?.uid)
    let expected: JSON = [
      "msgId": .string(uid), "msgType": "aries", "sponseeDetails": .string(value),
      "relationshipDid": .string(mailbox.forDID), "metaData": ["msgType": "aries", "msgSenderName": ""],
    ]
    #expect(try JSON(parsing: call.body) == expected)
  }

  /// The operator has chosen the address, unlike that of a webhook.
  @Test func aSponsorMayHaveAPrivateAddress() throws {
    let listener = try Listener()
    var sponsor = Sponsor(id: "sponsor")
    sponsor.keys = [scene.sponsorKeys.verkey]
    sponsor.endpoint = listener.server.endpoint
    var rules = Agency.Rules()
    rules.admission = try Admission(mode: .open, sponsors: [sponsor])
    let client = Client(
      try AgencyServer(dataFolder: scene.folder.path, rules: rules, clock: { 1_715_938_200 }))
    let agent = try scene.sponsored(client)
    let mailbox = try client.createMailbox(agent)
    try scene.set(.sponsor, "user-42", client, agent)
    #expect(try client.post(client.forward("x", to: mailbox)).status == 200)
    #expect(listener.waitForCalls(1).count == 1)
  }

  private static let offer = "did:sov:BzCbsNYhMrjHiqZDTUASHg;spec/issue-credential/1.0/offer-credential"

  /// The hint waits in the store: the first attempt fails, and another agency makes the second one.
  @Test func theSendersWordAboutAMessageIsHandedOn() throws {
    let listener = try Listener(failing: 1)
    let first = try scene.server(listener)
    let client = Client(first)
    let agent = try scene.sponsored(client)
    let mailbox = try client.createMailbox(agent)
    try scene.set(.sponsor, "user-42", client, agent)
    let hint = MessageHint(type: Self.offer, sender: "Faber & Söhne")
    #expect(try client.post(client.forward("x", to: mailbox, hint: hint)).status == 200)
    #expect(listener.waitForCalls(1).count == 1)
    first.stop()
    scene.elapsed.withLock { $0 += 100 }
    let second = try scene.server(listener)
    defer { second.stop() }
    for call in listener.waitForCalls(2) {
      let body = try JSON(parsing: call.body)
      #expect(body["msgType"] == .string(Self.offer))
      let details: JSON = ["msgType": "issue-credential/1.0/offer-credential", "msgSenderName": "Faber & Söhne"]
      #expect(body["metaData"] == details)
    }
    #expect(listener.calls.withLock { $0.count } == 2)
  }

  /// A recorded request is old at the receiver. The id lets it recognise the repetition of one that it has handled.
  @Test func eachAttemptIsSignedWithItsTimeUnderTheSameID() throws {
    let listener = try Listener(failing: 1)
    let secret = SecretBytes(copying: Array("shared".utf8))
    let first = try scene.server(listener, secret: secret)
    let client = Client(first)
    let agent = try scene.sponsored(client)
    let mailbox = try client.createMailbox(agent)
    try scene.set(.sponsor, "user-42", client, agent)
    #expect(try client.post(client.forward("x", to: mailbox)).status == 200)
    #expect(listener.waitForCalls(1).count == 1)
    first.stop()
    scene.elapsed.withLock { $0 += 100 }
    let second = try scene.server(listener, secret: secret)
    defer { second.stop() }
    let calls = listener.waitForCalls(2)
    #expect(calls.map { $0.header("webhook-timestamp") } == ["1715938200", "1715938300"])
    #expect(calls.allSatisfy { isSigned($0, with: secret) })
    #expect(Set(calls.map { $0.header("webhook-id") }).count == 1 && calls[0].body == calls[1].body)
  }

  /// Some senders put a message in by the user's own key, in one forward to the agency.
  @Test func theHintMayStandInTheOnlyForward() throws {
    let listener = try Listener()
    let client = Client(try scene.server())
    let agent = try client.provision()
    let mailbox = try client.createMailbox(agent)
    try scene.set(.webhook, listener.server.endpoint, client, agent)
    let service = Service(
      recipientKeys: [mailbox.keys.verkey], routingKeys: [client.agency.verkey], endpoint: client.endpoint)
    let packed = try service.pack(Array("x".utf8), from: nil, hint: MessageHint(type: Self.offer))
    #expect(try client.post(packed).status == 200)
    #expect(try JSON(parsing: #require(listener.waitForCalls(1).first).body)["msgType"] == .string(Self.offer))
  }

  @Test(arguments: [#""fwdMsgType":1,"fwdMsgSender":["x"]"#, #""fwdMsgType":"a b","fwdMsgSender":"\u0007\u202e""#])
  func aMalformedHintDelaysNoNotification(members: String) throws {
    let listener = try Listener()
    let client = Client(try scene.server(listener))
    let agent = try scene.sponsored(client)
    let mailbox = try client.createMailbox(agent)
    try scene.set(.sponsor, "user-42", client, agent)
    let envelope = try String(decoding: Envelope.pack([1], for: [mailbox.keys.verkey]), as: UTF8.self)
    let forward = #"{"@type":"x/forward","to":"\#(mailbox.forDID)","msg":\#(envelope),\#(members)}"#
    #expect(try client.post(Envelope.pack(Array(forward.utf8), for: [client.agency.verkey], from: nil)).status == 200)
    let body = try JSON(parsing: #require(listener.waitForCalls(1).first).body)
    #expect(body["msgType"] == "aries")
    #expect(body["metaData"] == ["msgType": "aries", "msgSenderName": ""])
  }

  @Test func aWebhookIsTold() throws {
    let listener = try Listener()
    let server = try scene.server()
    let client = Client(server)
    let agent = try client.provision()
    let mailbox = try client.createMailbox(agent)
    try scene.set(.webhook, listener.server.endpoint + "/hook", client, agent)
    _ = try client.post(client.forward("x", to: mailbox))
    let call = try #require(listener.waitForCalls(1).first)
    let body = try JSON(parsing: call.body).requireObject()
    #expect(try body.string("pwDid") == mailbox.forDID)
    #expect(try body.string("msgUid") == client.messages(agent).flatMap(\.messages).first?.uid)
    #expect(try body.string("msgStatusCode") == "MS-103")
    #expect(call.header("x-msdk-signature") == nil && call.header("x-request-id")?.count == 36)

    try scene.set(.webhook, "", client, agent)
    _ = try client.post(client.forward("y", to: mailbox))
    #expect(listener.calls.wait(milliseconds: 300) { $0.count > 1 ? true : nil } == nil)
  }

  @Test func aReceiverThatDoesNotAnswerIsNotifiedAgain() throws {
    let listener = try Listener(failing: 2)
    let time = Locked<Int64>(1_715_938_200)
    var rules = Agency.Rules()
    rules.callsPrivateWebhooks = true
    let server = try AgencyServer(
      dataFolder: scene.folder.path, rules: rules,
      clock: {
        time.withLock { time in
          time += 5
          return time
        }
      })
    let client = Client(server)
    let agent = try client.provision()
    let mailbox = try client.createMailbox(agent)
    try scene.set(.webhook, listener.server.endpoint, client, agent)
    _ = try client.post(client.forward("x", to: mailbox))
    let calls = listener.waitForCalls(3)
    #expect(calls.count == 3)
    #expect(Set(try calls.map { try JSON(parsing: $0.body).requireObject().string("msgUid") }).count == 1)
  }

  @Test func notificationsSurviveARestart() throws {
    let listener = try Listener(failing: 1)
    let first = try scene.server()
    let client = Client(first)
    let agent = try client.provision()
    let mailbox = try client.createMailbox(agent)
    try scene.set(.webhook, listener.server.endpoint, client, agent)
    _ = try client.post(client.forward("x", to: mailbox))
    #expect(listener.waitForCalls(1).count == 1)
    first.stop()
    scene.elapsed.withLock { $0 += 100 }
    let second = try scene.server()
    #expect(listener.waitForCalls(2).count == 2)
    second.stop()
  }

  /// A hundred notifications for somebody who takes connections and never answers; then one for somebody else.
  @Test func aReceiverThatDoesNotAnswerDelaysNobodyElse() throws {
    let hole = Locked((now: 0, most: 0))
    let isOver = Monitor(false)
    let silent = try HTTPServer(address: "127.0.0.9") { _ in
      hole.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
      _ = isOver.wait(milliseconds: 20_000) { $0 ? true : nil }
      hole.withLock { $0.now -= 1 }
      return HTTPServer.Response()
    }
    defer { isOver.withLock { $0 = true } }
    let listener = try Listener()
    let server = try scene.server(listener)
    let (victim, other) = (Client(server), Client(server))
    let (agent, otherAgent) = (try victim.provision(), try scene.sponsored(other))
    let (mailbox, otherMailbox) = (try victim.createMailbox(agent), try other.createMailbox(otherAgent))
    try scene.set(.webhook, silent.endpoint, victim, agent)
    try scene.set(.sponsor, "user-42", other, otherAgent)
    for number in 0..<100 { _ = try victim.post(victim.forward("\(number)", to: mailbox)) }
    let clock = ContinuousClock()
    let start = clock.now
    _ = try other.post(other.forward("x", to: otherMailbox))
    #expect(listener.waitForCalls(1).count == 1)
    #expect(clock.now - start < .seconds(2))
    // The same among users: another one's webhook is called too.
    let second = try Listener()
    try scene.set(.webhook, second.server.endpoint, id: "2", other, otherAgent)
    _ = try other.post(other.forward("y", to: otherMailbox))
    #expect(second.waitForCalls(1).count == 1)
    #expect(clock.now - start < .seconds(4))
    #expect(hole.withLock { $0.most } == 4)
    isOver.withLock { $0 = true }
  }

  /// Hosts differ by their ports here. An account that names many gets a share of the threads.
  @Test func anAccountsWebhooksAreCalledAFewAtATime() throws {
    let calls = Monitor((now: 0, most: 0, isOver: false))
    let silent = try (0..<4).map { _ in
      try HTTPServer { _ in
        calls.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1), $0.isOver) }
        _ = calls.wait(milliseconds: 20_000) { $0.isOver ? true : nil }
        calls.withLock { $0.now -= 1 }
        return HTTPServer.Response()
      }
    }
    defer { calls.withLock { $0.isOver = true } }
    let client = Client(try scene.server())
    let agent = try client.provision()
    let mailbox = try client.createMailbox(agent)
    for (number, host) in silent.enumerated() { try scene.set(.webhook, host.endpoint, id: "\(number)", client, agent) }
    for number in 0..<8 { _ = try client.post(client.forward("\(number)", to: mailbox)) }
    #expect(calls.wait(milliseconds: 20_000) { $0.now == 8 ? true : nil } == true)
    #expect(calls.wait(milliseconds: 500) { $0.now > 8 ? true : nil } == nil)
    calls.withLock { $0.isOver = true }
  }

  @Test func aBurstForSomebodyWhoAnswersArrivesAtOnce() throws {
    let listener = try Listener()
    let client = Client(try scene.server(listener))
    let agent = try scene.sponsored(client)
    let mailbox = try client.createMailbox(agent)
    try scene.set(.sponsor, "user-42", client, agent)
    for number in 0..<700 { _ = try client.post(client.forward("\(number)", to: mailbox)) }
    let calls = listener.waitForCalls(700)
    #expect(Set(try calls.map { try JSON(parsing: $0.body).requireObject().string("msgId") }).count == 700)
    #expect(calls.count == 700)
  }

  @Test func privateAddressesAreNotCalledForUsers() throws {
    let listener = try Listener()
    let generous = try scene.server()
    let client = Client(generous)
    let agent = try client.provision()
    let mailbox = try client.createMailbox(agent)
    try scene.set(.webhook, listener.server.endpoint, client, agent)
    try scene.set(.webhook, "http://localhost:\(listener.server.port)", id: "2", client, agent)
    generous.stop()
    let strict = Client(try AgencyServer(dataFolder: scene.folder.path), keys: client.keys)
    #expect(try strict.post(strict.forward("x", to: mailbox)).status == 200)
    #expect(listener.calls.wait(milliseconds: 1500) { $0.isEmpty ? nil : true } == nil)
  }
}
