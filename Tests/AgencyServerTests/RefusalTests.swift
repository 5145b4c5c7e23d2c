import AgencyServer
import AgencyWire
import DIDComm
import Foundation
import HTTP
import HTTPServing
import JSON
import Sodium
import TestSupport
import Testing

/// An agency refuses forbidden requests, and does not give the reason.
@Suite struct RefusalTests {
  let folder: TemporaryFolder
  let server: AgencyServer

  /// A user with a mailbox that holds one message, and somebody else with the same.
  let alice: Client
  let agent: Party
  let mailbox: Client.Mailbox
  let mallory: Client
  let otherAgent: Party
  let otherMailbox: Client.Mailbox

  init() throws {
    folder = try TemporaryFolder()
    server = try AgencyServer(dataFolder: folder.path)
    alice = Client(server)
    agent = try alice.provision()
    mailbox = try alice.createMailbox(agent)
    mallory = Client(server)
    otherAgent = try mallory.provision()
    otherMailbox = try mallory.createMailbox(otherAgent)
    for (client, mailbox) in [(alice, mailbox), (mallory, otherMailbox)] {
      guard try client.post(client.forward("private", to: mailbox)).status == 200 else { throw Client.WrongSender() }
    }
  }

  // MARK: - One identical answer

  /// Requests of senders without permission, by their fault.
  private static let intrusions = [
    "unknown address", "malformed address", "foreign owner", "anonymous", "another agent's key", "unopenable",
    "foreign sign-up", "foreign key creation", "foreign fetch", "foreign status", "foreign message",
    "message through own agent", "deletion by another", "deletion by the peer's side", "anonymous fetch",
    "connect with another's key", "anonymous connect", "no message", "unknown mailbox through agent",
    "claimed sender", "claimed sender of a mailbox",
  ]

  private func intrude(_ kind: String) throws -> HTTPClient.Response {
    let get = mallory.request(GetMessages(filter: WireMessageFilter()))
    let getAll = mallory.request(GetMessagesByConnections(filter: WireMessageFilter()))
    let stranger = KeyPair()
    let nobody = Party(did: stranger.verkey.did.text, verkey: stranger.verkey)
    switch kind {
    case "unknown address": return try mallory.send(getAll, to: nobody)
    case "malformed address": return try mallory.send(getAll, to: Party(did: "../../etc", verkey: agent.verkey))
    case "foreign owner": return try mallory.send(getAll, to: agent)
    case "anonymous": return try anonymous(getAll, to: agent)
    case "another agent's key": return try mallory.send(getAll, to: Party(did: agent.did, verkey: otherAgent.verkey))
    case "unopenable": return try mallory.post(damaged(getAll))
    case "foreign sign-up": return try mallory.send(mallory.request(SignUp()), to: agent)
    case "foreign key creation":
      let key = KeyPair().verkey
      return try mallory.send(
        mallory.request(CreateKey(forDID: key.did.text, forDIDVerKey: key.text)), to: agent)
    case "foreign fetch": return try mallory.send(get, to: mailbox.party, of: otherMailbox.keys, through: otherAgent)
    case "foreign status":
      return try mallory.send(
        mallory.request(UpdateMessageStatus(statusCode: "MS-106", connections: [])), to: agent)
    case "foreign message": return try mallory.send(get, to: mailbox.party, from: mallory.keys)
    case "message through own agent":
      return try mallory.send(get, to: mailbox.party, of: mailbox.keys, through: otherAgent)
    case "deletion by another":
      let delete = mallory.request(UpdateConnectionStatus(statusCode: "CS-103"))
      return try mallory.send(delete, to: mailbox.party, of: mallory.keys, through: agent)
    case "deletion by the peer's side":
      let delete = mallory.request(UpdateConnectionStatus(statusCode: "CS-103"))
      return try mallory.send(delete, to: mailbox.party, from: KeyPair())
    case "anonymous fetch": return try anonymous(get, to: mailbox.party)
    case "connect with another's key":
      let connect = Connect(fromDID: alice.did, fromDIDVerKey: alice.keys.verkey.text)
      return try mallory.send(mallory.request(connect), to: server.identity)
    case "anonymous connect":
      let connect = Connect(fromDID: alice.did, fromDIDVerKey: alice.keys.verkey.text)
      return try anonymous(mallory.request(connect), to: server.identity)
    case "no message": return try mallory.send("not an object", to: agent)
    case "claimed sender": return try mallory.post(claiming(alice.keys.verkey, getAll, to: agent))
    case "claimed sender of a mailbox":
      return try mallory.post(claiming(mailbox.keys.verkey, get, to: mailbox.party))
    default: return try mallory.send(get, to: nobody, of: otherMailbox.keys, through: otherAgent)
    }
  }

  private func anonymous(_ message: JSON, to party: Party) throws -> HTTPClient.Response {
    let envelope = try Envelope.pack(message.bytes, for: [party.verkey])
    let forward = AgencyForward(to: party.did, envelope: envelope)
    return try mallory.post(Envelope.pack(forward.bytes, for: [server.identity.verkey]))
  }

  /// An envelope that is as it should be and names `sender`, who did not write it: the key's box comes from another.
  private func claiming(_ sender: VerKey, _ message: JSON, to party: Party) throws -> [UInt8] {
    let (key, nonce, iv) = (randomBytes(AEAD.keyLength), randomBytes(Box.nonceLength), randomBytes(AEAD.nonceLength))
    let encoded = { (bytes: [UInt8]) in JSON.string(Base64.encode(bytes, .url)) }
    let box = try Box.seal(key, from: mallory.keys, to: party.verkey.publicKey, nonce: nonce)
    let claim = try Box.sealAnonymously(Array(sender.text.utf8), to: party.verkey.publicKey, random: randomBytes)
    let recipient: JSON = [
      "encrypted_key": encoded(box),
      "header": ["kid": .string(party.verkey.text), "iv": encoded(nonce), "sender": encoded(claim)],
    ]
    let header: JSON = [
      "enc": "xchacha20poly1305_ietf", "typ": "JWM/1.0", "alg": "Authcrypt", "recipients": [recipient],
    ]
    let protected = Base64.encode(header.bytes, .url)
    let sealed = AEAD.seal(
      message.bytes, key: SecretBytes(copying: key), nonce: iv, additionalData: Array(protected.utf8))
    let envelope: JSON = [
      "protected": .string(protected), "iv": encoded(iv), "ciphertext": encoded(sealed.dropLast(AEAD.tagLength)),
      "tag": encoded(sealed.suffix(AEAD.tagLength)),
    ]
    let forward = AgencyForward(to: party.did, envelope: envelope.bytes)
    return try Envelope.pack(forward.bytes, for: [server.identity.verkey])
  }

  /// For the agent, but changed on the way.
  private func damaged(_ message: JSON) throws -> [UInt8] {
    var envelope = try JSON(parsing: Envelope.pack(message.bytes, for: [agent.verkey], from: alice.keys))
    envelope["tag"] = .string(Base64.encode([UInt8](repeating: 0, count: 16), .url))
    let forward = AgencyForward(to: agent.did, envelope: envelope.bytes)
    return try Envelope.pack(forward.bytes, for: [server.identity.verkey])
  }

  @Test(arguments: intrusions)
  func whoMayNotAskLearnsNothing(kind: String) throws {
    let response = try intrude(kind)
    #expect(response.status == 404)
    #expect(response.body == Self.notFound)
    let kept = try alice.messages(agent)
    #expect(kept.map(\.messages.count) == [1])
    #expect(kept.flatMap(\.messages).map(\.statusCode) == ["MS-103"])
  }

  private static let notFound = Array(#"{"statusCode":"GNR-113","statusMsg":"not found"}"#.utf8)

  @Test(arguments: ["/", "/agency/", "/agency/msg", "/agency/msg/../..", "/agency/msg%00"])
  func unknownRoutesLookLikeUnknownAddresses(path: String) throws {
    let response = try HTTPClient().get(server.endpoint + path)
    #expect(response.status == 404)
    #expect(response.body == Self.notFound)
  }

  // MARK: - Another's messages

  @Test func nobodyReadsAnothersMessagesByNamingThem() throws {
    let uid = try #require(alice.messages(agent).first?.messages.first?.uid)
    let mine = try mallory.messages(otherAgent, dids: [mailbox.forDID, otherMailbox.forDID])
    #expect(mine.map(\.pairwiseDID) == [otherMailbox.forDID])
    #expect(try mallory.messages(otherAgent, WireMessageFilter(uids: [uid])).map(\.messages.count) == [0])
  }

  @Test func nobodyChangesAnothersMessagesByNamingThem() throws {
    let uid = try #require(alice.messages(agent).first?.messages.first?.uid)
    let connections = [mailbox.forDID, otherMailbox.forDID].map { WireConnectionUIDs(pairwiseDID: $0, uids: [uid]) }
    let answer: MessageStatusUpdated = try mallory.ask(
      UpdateMessageStatus(statusCode: "MS-106", connections: connections), of: otherAgent)
    #expect(answer.updated.isEmpty)
    #expect(answer.failed.count == 2)
    #expect(try alice.messages(agent).flatMap(\.messages).map(\.statusCode) == ["MS-103"])
  }

  @Test func nobodyTakesAnothersPairwiseDID() throws {
    let request = mallory.request(CreateKey(forDID: mailbox.forDID, forDIDVerKey: mailbox.keys.verkey.text))
    let response = try mallory.send(request, to: otherAgent)
    #expect(response.status == 400)
    #expect(WireRefusal(body: response.body)?.statusCode == "CS-104")
  }

  @Test func aMailboxForAnAgentsKeyDoesNotCatchItsMessages() throws {
    let keys = KeyPair()
    let request = CreateKey(forDID: agent.did, forDIDVerKey: agent.verkey.text)
    let _: KeyCreated = try mallory.ask(request, of: otherAgent)
    #expect(try alice.messages(agent).count == 1)
    #expect(try alice.createMailbox(agent, keys: keys).forDID == keys.verkey.did.text)
  }

  // MARK: - Mistakes of permitted senders

  @Test(arguments: [
    (#"{"@type":"x;spec/connecting/0.6/CREATE_KEY","forDID":"WRfXPg8dantKVubE3HX8pw"}"#, "GNR-117"),
    (#"{"@type":"x;spec/connecting/0.6/CREATE_KEY","forDID":1,"forDIDVerKey":"x"}"#, "GNR-115"),
    (#"{"@type":"x;spec/connecting/0.6/CREATE_KEY","forDID":"x","forDIDVerKey":"x"}"#, "GNR-115"),
    (
      #"{"@type":"x/CREATE_KEY","forDID":"WRfXPg8dantKVubE3HX8pw","#
        + #""forDIDVerKey":"5VwLKnZuyaBnYHVzEQqcBiCfhcutCvUQb55XQqbtkXiS"}"#, "GNR-115"
    ),
    (#"{"@type":"x/UPDATE_MSG_STATUS_BY_CONNS","statusCode":"MS-103","uidsByConns":[]}"#, "GNR-115"),
    (#"{"@type":"x/UPDATE_MSG_STATUS_BY_CONNS","statusCode":"MS-106","uidsByConns":[{}]}"#, "GNR-117"),
    (#"{"@type":"x/GET_MSGS_BY_CONNS","uids":"x"}"#, "GNR-115"),
    (#"{"@type":"x/NO_SUCH_MESSAGE"}"#, "GNR-120"),
    (#"{"@type":{"name":"CREATE_KEY","ver":"1.0"}}"#, "GNR-120"),
    (#"{"no":"type"}"#, "GNR-117"),
    (#"[]"#, "GNR-111"),
  ])
  func theOwnerLearnsWhatIsWrong(text: String, code: String) throws {
    let response = try alice.send(JSON(parsing: text), to: agent)
    #expect(response.status == 400)
    #expect(WireRefusal(body: response.body)?.statusCode == code)
  }

  @Test func moreConnectionsThanAnAgentHasAreRefused() throws {
    let none = WireConnectionUIDs(pairwiseDID: mailbox.forDID, uids: [])
    for (count, status) in [(500, 200), (501, 400)] {
      let request = UpdateMessageStatus(statusCode: "MS-106", connections: Array(repeating: none, count: count))
      #expect(try alice.send(alice.request(request), to: agent).status == status)
    }
  }

  @Test func onlyDeletionIsAStatusOfAConnection() throws {
    let request = alice.request(UpdateConnectionStatus(statusCode: "CS-101"))
    let response = try alice.send(request, to: mailbox.party, of: mailbox.keys, through: agent)
    #expect(WireRefusal(body: response.body)?.statusCode == "GNR-115")
  }

  @Test func connectingNeedsTheKeysOwnDID() throws {
    let connect = Connect(fromDID: alice.did, fromDIDVerKey: mallory.keys.verkey.text)
    let response = try mallory.send(mallory.request(connect), to: server.identity)
    #expect(WireRefusal(body: response.body)?.statusCode == "GNR-115")
  }

  @Test func anAgentThatIsNotCreatedYetServesNothing() throws {
    let client = Client(server)
    let connected: Connected = try client.ask(
      Connect(fromDID: client.did, fromDIDVerKey: client.keys.verkey.text), of: client.agency)
    let requests = [
      client.request(CreateAgent()), client.request(GetMessagesByConnections(filter: WireMessageFilter())),
    ]
    for request in requests {
      #expect(WireRefusal(body: try client.send(request, to: connected.agent).body)?.statusCode == "ACS-102")
    }
  }

  // MARK: - Outsiders

  @Test func aForwardForSomebodyElseInsideIsRefused() throws {
    let envelope = try Envelope.pack(Array("x".utf8), for: [mailbox.keys.verkey])
    let inner = Forward(to: otherMailbox.keys.verkey.text, envelope: envelope).bytes(id: "1")
    let middle = try Envelope.pack(inner, for: [mailbox.party.verkey])
    let outer = Forward(to: mailbox.party.verkey.text, envelope: middle).bytes(id: "2")
    let response = try alice.post(Envelope.pack(outer, for: [server.identity.verkey]))
    #expect(response.status == 400)
    #expect(WireRefusal(body: response.body)?.statusCode == "GNR-115")
  }

  @Test func aForwardForAnUnknownKeyIsRefused() throws {
    let service = Service(
      recipientKeys: [KeyPair().verkey], routingKeys: [server.identity.verkey], endpoint: server.endpoint)
    let response = try alice.post(service.pack(Array("x".utf8), from: nil))
    #expect(response.status == 404)
    #expect(response.body == Self.notFound)
  }

  @Test(arguments: [
    "", "{}", "[]", "null", "\u{0}\u{1}\u{2}", #"{"protected":"","ciphertext":""}"#,
    #"{"protected":1,"iv":"","ciphertext":"","tag":""}"#, String(repeating: "[", count: 5000),
    String(repeating: #"{"a":"#, count: 1500),
  ])
  func bodiesThatAreNoEnvelopeAreRefused(body: String) throws {
    let response = try alice.post(Array(body.utf8))
    #expect(response.status == 400)
    #expect(WireRefusal(body: response.body)?.statusCode == "GNR-111")
  }

  @Test func whatTheAgencyIsNotToForwardIsRefused() throws {
    let messages: [JSON] = [
      ["@type": "https://didcomm.org/trust_ping/1.0/ping"], "text",
      ["@type": "https://didcomm.org/routing/1.0/forward", "to": .string(agent.did), "msg": "text"],
      ["@type": "https://didcomm.org/routing/1.0/forward", "to": .string(agent.did), "msg": ["protected": "x"]],
      [
        "@type": "https://didcomm.org/routing/1.0/forward", "to": .string(mailbox.forDID),
        "msg": ["protected": "x", "ciphertext": "x", "more": nested(40)],
      ],
    ]
    for message in messages {
      let response = try alice.post(Envelope.pack(message.bytes, for: [server.identity.verkey]))
      #expect(response.status == 400)
      #expect(WireRefusal(body: response.body)?.statusCode == "GNR-111")
    }
    #expect(try alice.post(Envelope.pack(Array("x".utf8), for: [KeyPair().verkey])).status == 400)
  }

  private func nested(_ depth: Int) -> JSON { (0..<depth).reduce(JSON.null) { inner, _ in [inner] } }

  @Test func layersAreCounted() throws {
    let request = alice.request(GetMessagesByConnections(filter: WireMessageFilter()))
    let three = try Wrapping(request, from: alice.keys, to: agent).carried(by: agent, from: alice.keys)
    let four = try three.carried(by: agent, from: alice.keys)
    let five = try four.carried(by: agent, from: alice.keys)
    #expect(try alice.post(three.carried(by: server.identity).bytes).status == 200)
    #expect(try alice.post(four.carried(by: server.identity).bytes).status == 200)
    #expect(try alice.post(five.carried(by: server.identity).bytes).status == 400)
  }

  /// A place is sealed: it tells no client how many messages the agency has, and is made by nobody else.
  @Test func onlyTheAgencysOwnPlacesAreGoneOnFrom() throws {
    let folder = try TemporaryFolder()
    var rules = Agency.Rules()
    rules.answerBytes = 300
    let server = try AgencyServer(dataFolder: folder.path, rules: rules)
    let client = Client(server)
    let agent = try client.provision()
    let mailbox = try client.createMailbox(agent)
    for text in ["one", "two"] { #expect(try client.post(client.forward(text, to: mailbox)).status == 200) }
    let first: Messages = try client.ask(GetMessages(filter: WireMessageFilter()), of: mailbox, through: agent)
    guard case .cut(let next) = first.end else {
      Issue.record("\(first.end)")
      return
    }
    #expect(try Base64.decode(next, .url).count > 30)
    var filter = WireMessageFilter()
    filter.after = next
    let second: Messages = try client.ask(GetMessages(filter: filter), of: mailbox, through: agent)
    #expect(second.end == .complete && second.messages.count == 1 && second.messages != first.messages)
    for place in ["", "1", String(next.dropLast(4)), "A" + next.dropFirst()] {
      filter.after = place
      let refused = try client.send(client.request(GetMessagesByConnections(filter: filter)), to: agent)
      #expect(WireRefusal(body: refused.body)?.statusCode == "GNR-115", "\(place)")
    }
  }

  @Test func aFullMailboxSaysSoToTheSender() throws {
    let folder = try TemporaryFolder()
    var rules = Agency.Rules()
    rules.quota.messages = 3
    rules.mailboxesPerAgent = 1
    let server = try AgencyServer(dataFolder: folder.path, rules: rules)
    let client = Client(server)
    let agent = try client.provision()
    let mailbox = try client.createMailbox(agent)
    for number in 0..<3 { #expect(try client.post(client.forward("\(number)", to: mailbox)).status == 200) }
    let response = try client.post(client.forward("one too many", to: mailbox))
    #expect(response.status == 429)
    #expect(WireRefusal(body: response.body)?.statusCode == "GNR-123")

    let uid = try #require(client.messages(agent).first?.messages.first?.uid)
    let read = WireConnectionUIDs(pairwiseDID: mailbox.forDID, uids: [uid])
    let _: MessageStatusUpdated = try client.ask(
      UpdateMessageStatus(statusCode: "MS-106", connections: [read]), of: agent)
    #expect(try client.post(client.forward("there is room again", to: mailbox)).status == 200)

    let key = KeyPair().verkey
    let second = try client.send(
      client.request(CreateKey(forDID: key.did.text, forDIDVerKey: key.text)), to: agent)
    #expect(second.status == 429)
    #expect(second.retryAfter == 3600)

    let twice = try client.send(
      client.request(UpdateMessageStatus(statusCode: "MS-106", connections: [read, read])), to: agent)
    #expect(WireRefusal(body: twice.body)?.statusCode == "GNR-115")
  }

  @Test(arguments: ["/agency/msg", "/agency", "/", "/metrics"])
  func bodiesThatAreTooLongAreRefusedOnEveryRoute(path: String) throws {
    let body = [UInt8](repeating: 0x20, count: (1 << 20) + 1)
    let response = try HTTPClient().post(body, to: server.endpoint + path, contentType: "application/json")
    #expect(response.status == 413)
    #expect(WireRefusal(body: response.body)?.statusCode == "GNR-101")
  }

  private static let routes = ["/agency/msg", "/agency", "/health", "/metrics", "/accounts", "/"]

  @Test(arguments: routes)
  func garbageIsRefusedOnEveryRoute(path: String) throws {
    var random = SplitMix64(seed: 7)
    for size in [1, 100, 10_000] {
      let response = try HTTPClient().post(random.bytes(size), to: server.endpoint + path, contentType: "x/y")
      #expect((400..<500).contains(response.status))
    }
    #expect(try alice.messages(agent).map(\.messages.count) == [1])
  }

  @Test(arguments: routes, ["PUT", "DELETE", "PATCH", "OPTIONS", "NONSENSE"])
  func otherMethodsAreRefusedOnEveryRoute(path: String, method: String) throws {
    let connection = try RawConnection(port: port)
    connection.send("\(method) \(path) HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
    let answer = try #require(connection.readToEnd())
    #expect(answer.hasPrefix("HTTP/1.1 4"))
    #expect(!answer.contains(server.identity.did))
  }

  private var port: UInt16 { UInt16(server.endpoint.split(separator: ":").last ?? "") ?? 0 }

  /// Clients that send a byte now and then, for ever: cut off after a time, and nobody waits for them.
  @Test func slowBodiesAreCutOffAndDelayNobody() throws {
    let folder = try TemporaryFolder()
    var limits = HTTPServer.Limits()
    limits.bodySeconds = 1
    let server = try AgencyServer(dataFolder: folder.path, limits: limits)
    let client = Client(server)
    let agent = try client.provision()
    let mailbox = try client.createMailbox(agent)
    let port = UInt16(server.endpoint.split(separator: ":").last ?? "") ?? 0
    let slow = try (0..<80).map { _ in try RawConnection(port: port) }
    for connection in slow {
      connection.send("POST /agency/msg HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{")
    }
    #expect(try client.post(client.forward("quick", to: mailbox)).status == 200)
    var waiting = slow
    for _ in 0..<100 where !waiting.isEmpty {
      waiting = waiting.filter { $0.send("x") }
      usleep(100_000)
    }
    #expect(waiting.isEmpty)
    #expect(try client.texts(client.messages(agent).flatMap(\.messages), mailbox) == ["quick"])
  }

  @Test func whatIsTooMuchSaysWhenToComeAgain() throws {
    let folder = try TemporaryFolder()
    var rules = Agency.Rules()
    rules.trustedProxy = "127.0.0.1"
    rules.rate = Rate(2, per: 3, burst: 1)
    let server = try AgencyServer(dataFolder: folder.path, rules: rules, clock: { 1 })
    let port = UInt16(server.endpoint.split(separator: ":").last ?? "") ?? 0
    let answers = try ["2001:db8::1", "2001:db8::2", "2001:db8:0:1::1"].map { address in
      let connection = try RawConnection(port: port)
      connection.send("GET /agency HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Forwarded-For: \(address)\r\n\r\n")
      return try #require(connection.readToEnd())
    }
    #expect(answers.map { $0.hasPrefix("HTTP/1.1 200") } == [true, false, true])
    let refused = try #require(answers.dropFirst().first)
    #expect(refused.hasPrefix("HTTP/1.1 429"))
    #expect(refused.contains("\r\nRetry-After: 2\r\n"))
  }
}
