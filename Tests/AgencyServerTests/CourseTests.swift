import AgencyServer
import AgencyWire
import DIDComm
import HTTP
import HTTPServing
import JSON
import Sodium
import TestSupport
import Testing

/// The protocol as it goes when everybody behaves.
@Suite struct CourseTests {
  let folder: TemporaryFolder
  let server: AgencyServer

  init() throws {
    folder = try TemporaryFolder()
    server = try AgencyServer(dataFolder: folder.path)
  }

  @Test func theAgencySaysWhoItIs() throws {
    let response = try HTTPClient().get(server.endpoint + "/agency")
    #expect(response.status == 200)
    let object = try JSON(parsing: response.body).requireObject()
    #expect(try object.string("DID") == server.identity.did)
    #expect(try object.string("verKey") == server.identity.verkey.text)
    #expect(server.identity.verkey.did.text == server.identity.did)
    #expect(Set(object.keys) == ["DID", "verKey"], "without a public endpoint it names none")
  }

  @Test(arguments: [
    "c_i", "oob",
  ])
  func aLinkWithAnInvitationGivesTheInvitation(parameter: String) throws {
    let invitation: JSON = ["@type": "https://didcomm.org/connections/1.0/invitation", "label": "Bank? Ja~>>", "n": 1]
    for alphabet in [Base64.Alphabet.url, .standard] {
      let value = Base64.encode(invitation.bytes, alphabet)
      let response = try HTTPClient().get(server.endpoint + "/agency/msg?x=1&\(parameter)=\(value)")
      #expect(response.status == 200)
      #expect(try JSON(parsing: response.body) == invitation)
    }
  }

  @Test(arguments: ["", "?", "?c_i", "?c_i=", "?c_i=%20", "?c_i=e30", "?c_i=WzFd", "?oob=%00", "?m=e30", "?c_i=\u{e4}"])
  func aLinkWithoutAnInvitationLeadsNowhere(query: String) throws {
    let response = try HTTPClient().get(server.endpoint + "/agency/msg" + query)
    #expect(response.status == 404)
    #expect(WireRefusal(body: response.body)?.statusCode == "GNR-113")
  }

  @Test(arguments: [(30, 200), (31, 404)]) func anInvitationInALinkIsNotTooDeep(depth: Int, status: Int) throws {
    let nested = (0..<depth).reduce(JSON.null) { inner, _ in [inner] }
    let value = Base64.encode((["@type": "x", "more": nested] as JSON).bytes, .url)
    #expect(try HTTPClient().get(server.endpoint + "/agency/msg?c_i=\(value)").status == status)
  }

  @Test(arguments: [("newer", "connecting/0.6"), ("older", "pairwise/1.0")])
  func provisioningGivesAnAgentAndAnswersInTheFamilyOfTheRequest(of age: String, family: String) throws {
    var client = Client(server)
    if age == "older" {
      client.type = { name in
        let isProvisioning = ["CONNECT", "SIGNUP", "CREATE_AGENT"].contains(name)
        return WireType.prefix + (isProvisioning ? "onboarding/1.0/" : "pairwise/1.0/") + name
      }
    }
    let agent = try client.provision()
    #expect(agent.verkey.did.text == agent.did)
    let request = client.request(CreateKey(forDID: client.did, forDIDVerKey: client.keys.verkey.text))
    let answer = try client.open(client.send(request, to: agent), from: agent)
    #expect(answer["@type"]?.string == "did:sov:123456789abcdefghi1234;spec/\(family)/KEY_CREATED")
  }

  @Test func aClientMayUseItsWholeVerkeyAsItsDID() throws {
    let client = Client(server)
    let verkey = client.keys.verkey.text
    let connected: Connected = try client.ask(Connect(fromDID: verkey, fromDIDVerKey: verkey), of: client.agency)
    let _: SignedUp = try client.ask(SignUp(), of: connected.agent)
  }

  @Test func aClientMayQualifyItsDIDs() throws {
    let client = Client(server)
    let connected: Connected = try client.ask(
      Connect(fromDID: "did:sov:" + client.did, fromDIDVerKey: client.keys.verkey.text), of: client.agency)
    let agent = try client.provision()
    #expect(connected.agent == agent)
    let mailbox = try client.createMailbox(agent)
    let again: KeyCreated = try client.ask(
      CreateKey(forDID: "did:sov:" + mailbox.forDID, forDIDVerKey: mailbox.keys.verkey.text), of: agent)
    #expect(again.agent == mailbox.party)
  }

  @Test func provisioningAgainGivesTheSameAgent() throws {
    let client = Client(server)
    #expect(try client.provision() == client.provision())
  }

  @Test func creatingAKeyAgainGivesTheSameMailbox() throws {
    let client = Client(server)
    let agent = try client.provision()
    let mailbox = try client.createMailbox(agent)
    #expect(try client.createMailbox(agent, keys: mailbox.keys).party == mailbox.party)
    #expect(try client.createMailbox(agent).party != mailbox.party)
  }

  @Test func forwardedMessagesArriveInOrderAndUnchanged() throws {
    let client = Client(server)
    let agent = try client.provision()
    let mailbox = try client.createMailbox(agent)
    for number in 1...5 {
      let response = try client.post(client.forward("message \(number)", to: mailbox))
      #expect(response.status == 200)
      #expect(response.body.isEmpty)
    }
    let expected = (1...5).map { "message \($0)" }
    let byAgent = try client.messages(agent)
    #expect(byAgent.map(\.pairwiseDID) == [mailbox.forDID])
    #expect(try client.texts(byAgent[0].messages, mailbox) == expected)
    #expect(byAgent[0].messages.allSatisfy { $0.statusCode == "MS-103" && $0.senderDID.isEmpty && $0.type == "aries" })
    let byMailbox: Messages = try client.ask(GetMessages(filter: WireMessageFilter()), of: mailbox, through: agent)
    #expect(byMailbox.messages == byAgent[0].messages)
  }

  @Test func aMailboxAnswersThroughTwoLayersToo() throws {
    let client = Client(server)
    let mailbox = try client.createMailbox(client.provision())
    _ = try client.post(client.forward("hello", to: mailbox))
    let request = client.request(GetMessages(filter: WireMessageFilter(statusCodes: ["MS-103"])))
    let response = try client.send(request, to: mailbox.party, from: mailbox.keys)
    let answer = try Messages(client.open(response, from: mailbox.party).requireObject())
    #expect(try client.texts(answer.messages, mailbox) == ["hello"])
    // The thief of the mailbox's key learns nothing: the answer is for the account's owner.
    #expect(throws: EnvelopeError.noRecipient) { try Envelope(parsing: response.body).open(with: mailbox.keys) }
  }

  @Test func aMailboxIsClosedThroughItsAccountOnly() throws {
    let client = Client(server)
    let agent = try client.provision()
    let mailbox = try client.createMailbox(agent)
    _ = try client.post(client.forward("hello", to: mailbox))
    let close = client.request(UpdateConnectionStatus(statusCode: UpdateConnectionStatus.deleted))
    let response = try client.send(close, to: mailbox.party, from: mailbox.keys)
    #expect(response.status == 404 && response.body == Client.notFound)
    #expect(try client.messages(agent).map(\.messages.count) == [1])
    #expect(try client.send(close, to: mailbox.party, of: mailbox.keys, through: agent).status == 200)
    #expect(try client.messages(agent).isEmpty)
  }

  @Test func anAgentAnswersThroughItself() throws {
    let client = Client(server)
    let agent = try client.provision()
    let request = client.request(GetMessages(filter: WireMessageFilter()))
    let response = try client.send(request, to: agent, of: client.keys, through: agent)
    #expect(try Messages(client.open(response, from: agent).requireObject()).messages.isEmpty)
  }

  @Test func sendersMayUseFewerRoutingKeys() throws {
    let client = Client(server)
    let agent = try client.provision()
    let mailbox = try client.createMailbox(agent)
    let service = Service(
      recipientKeys: [mailbox.keys.verkey], routingKeys: [client.agency.verkey], endpoint: client.endpoint)
    #expect(try client.post(service.pack(Array("direct".utf8), from: nil)).status == 200)
    let envelope = try Envelope.pack(Array("to the mailbox".utf8), for: [mailbox.keys.verkey])
    for address in [mailbox.party.did, mailbox.party.verkey.didKey, "did:sov:" + mailbox.forDID] {
      let forward: JSON = [
        "@type": .string(Forward.type.text), "to": .string(address),
        "msg": .string(String(decoding: envelope, as: UTF8.self)),
      ]
      #expect(try client.post(Envelope.pack(forward.bytes, for: [client.agency.verkey])).status == 200)
    }
    let texts = try client.texts(client.messages(agent).flatMap(\.messages), mailbox)
    #expect(texts == ["direct", "to the mailbox"])  // the three were the same payload
  }

  @Test func sendersMayWriteEitherForward() throws {
    let client = Client(server)
    let agent = try client.provision()
    let mailbox = try client.createMailbox(agent)
    func forward(_ envelope: [UInt8], to address: String, isOlder: Bool) throws -> [UInt8] {
      if isOlder { return AgencyForward(to: address, envelope: envelope).bytes }
      let type = JSON.string(Forward.type.text)
      return (["@type": type, "to": .string(address), "msg": try JSON(parsing: envelope)] as JSON).bytes
    }
    let forms = [(true, true), (true, false), (false, true), (false, false)]
    for (number, (isOuterOlder, isInnerOlder)) in forms.enumerated() {
      let envelope = try Envelope.pack(Array("\(number)".utf8), for: [mailbox.keys.verkey])
      let inner = try forward(envelope, to: mailbox.forDID, isOlder: isInnerOlder)
      let packed = try Envelope.pack(inner, for: [mailbox.party.verkey])
      let outer = try forward(packed, to: mailbox.party.did, isOlder: isOuterOlder)
      #expect(try client.post(Envelope.pack(outer, for: [client.agency.verkey])).status == 200)
    }
    let messages = try client.messages(agent).flatMap(\.messages)
    #expect(try client.texts(messages, mailbox) == ["0", "1", "2", "3"])
  }

  @Test func filtersAreCombined() throws {
    let client = Client(server)
    let agent = try client.provision()
    let first = try client.createMailbox(agent)
    let second = try client.createMailbox(agent)
    for mailbox in [first, second, first] { _ = try client.post(client.forward("x", to: mailbox)) }
    let all = try client.messages(agent)
    #expect(all.map(\.messages.count) == [2, 1])
    #expect(try client.messages(agent, dids: [second.forDID]).map(\.pairwiseDID) == [second.forDID])
    #expect(try client.messages(agent, dids: ["unknown"]).isEmpty)

    let uid = all[0].messages[1].uid
    let byUID = try client.messages(agent, WireMessageFilter(uids: [uid, "unknown"]))
    #expect(byUID.map(\.messages.count) == [1, 0])
    #expect(byUID[0].messages[0].uid == uid)
    let made = (0..<3).map { "MS-20\($0)" }
    #expect(try client.messages(agent, WireMessageFilter(statusCodes: made)).flatMap(\.messages).isEmpty)
    let noneLeft = try client.messages(agent, WireMessageFilter(uids: [uid], statusCodes: ["MS-106"]))
    #expect(noneLeft.map(\.messages.count) == [0, 0])
    let bare = try client.messages(agent, WireMessageFilter(excludesPayload: true))
    #expect(bare.flatMap(\.messages).allSatisfy { $0.payload == nil })
  }

  @Test func statusesAreSetAndFailuresNamed() throws {
    let client = Client(server)
    let agent = try client.provision()
    let mailbox = try client.createMailbox(agent)
    let other = try client.createMailbox(agent)
    for _ in 0..<2 { _ = try client.post(client.forward("x", to: mailbox)) }
    let uids = try client.messages(agent).flatMap(\.messages).map(\.uid)

    for _ in 0..<2 {  // repeating it succeeds
      let answer: MessageStatusUpdated = try client.ask(
        UpdateMessageStatus(
          statusCode: "MS-106",
          connections: [
            WireConnectionUIDs(pairwiseDID: mailbox.forDID, uids: [uids[0]]),
            WireConnectionUIDs(pairwiseDID: other.forDID, uids: [uids[1]]),
            WireConnectionUIDs(pairwiseDID: "unknown", uids: ["unknown"]),
          ]), of: agent)
      #expect(answer.updated == [WireConnectionUIDs(pairwiseDID: mailbox.forDID, uids: [uids[0]])])
      #expect(answer.failed.map(\.pairwiseDID) == [other.forDID, "unknown"])
    }
    let new = try client.messages(agent, WireMessageFilter(statusCodes: ["MS-103"]))
    #expect(new[0].messages.map(\.uid) == [uids[1]])
  }

  @Test func aRepeatedDeliveryIsKeptOnce() throws {
    let client = Client(server)
    let agent = try client.provision()
    let mailbox = try client.createMailbox(agent)
    let body = try client.forward("once", to: mailbox)
    for _ in 0..<3 { #expect(try client.post(body).status == 200) }
    #expect(try client.messages(agent).flatMap(\.messages).count == 1)
  }

  @Test func aDeletedMailboxIsGoneAndSaysSoAgain() throws {
    let client = Client(server)
    let agent = try client.provision()
    let mailbox = try client.createMailbox(agent)
    _ = try client.post(client.forward("x", to: mailbox))
    for _ in 0..<2 {
      let answer: ConnectionStatusUpdated = try client.ask(
        UpdateConnectionStatus(statusCode: "CS-103"), of: mailbox, through: agent)
      #expect(answer.statusCode == "CS-103")
    }
    #expect(try client.messages(agent).isEmpty)
    #expect(try client.post(client.forward("late", to: mailbox)).status == 404)
    let request = client.request(GetMessages(filter: WireMessageFilter()))
    let response = try client.send(request, to: mailbox.party, of: mailbox.keys, through: agent)
    #expect(response.status == 404)
    let again = client.request(CreateKey(forDID: mailbox.forDID, forDIDVerKey: mailbox.keys.verkey.text))
    #expect(WireRefusal(body: try client.send(again, to: agent).body)?.statusCode == "CS-104")
  }

  @Test func answersStayBelowTheirLimitButAreNeverEmpty() throws {
    let client = Client(server)
    let agent = try client.provision()
    let mailbox = try client.createMailbox(agent)
    let text = String(repeating: "0123456789", count: 9000)  // 120,000 bytes when it is packed
    for number in 0..<12 { #expect(try client.post(client.forward("\(number)" + text, to: mailbox)).status == 200) }
    var seen: [String] = []
    while true {
      let page = try client.messages(agent, WireMessageFilter(statusCodes: ["MS-103"]))[0].messages
      if page.isEmpty { break }
      #expect(page.compactMap { $0.payload?.bytes.count }.reduce(0, +) < 1_000_000)
      seen += try client.texts(page, mailbox)
      let read = WireConnectionUIDs(pairwiseDID: mailbox.forDID, uids: page.map(\.uid))
      let _: MessageStatusUpdated = try client.ask(
        UpdateMessageStatus(statusCode: "MS-106", connections: [read]), of: agent)
    }
    #expect(seen == (0..<12).map { "\($0)" + text })
  }
}
