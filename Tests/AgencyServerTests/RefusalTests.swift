import AgencyServer
import AgencyWire
import DIDComm
import HTTP
import HTTPServing
import JSON
import Sodium
import TestSupport
import Testing

/// An agency refuses forbidden requests, and does not give the reason.
@Suite struct RefusalTests: AliceSuite {
  let scene: AliceScene

  /// Another user with a mailbox. Both mailboxes hold one message.
  let mallory: Client
  let otherAgent: Party
  let otherMailbox: Client.Mailbox

  init() throws {
    let scene = try AliceScene()
    self.scene = scene
    mallory = Client(scene.server)
    otherAgent = try mallory.provision()
    otherMailbox = try mallory.createMailbox(otherAgent)
    for (client, mailbox) in [(scene.alice, scene.mailbox), (mallory, otherMailbox)] {
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
    "claimed sender", "claimed sender of a mailbox", "anonymous and unknown to the agency",
    "account for another's key", "no message for a mailbox", "anonymous and no message for a mailbox",
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
    case "account for another's key":
      let key = stranger.verkey
      let request = CreateSponsoredAgent(token: nil, fromDID: key.did.text, fromVerKey: key.text, thread: "t")
      return try mallory.send(request.json(type: CreateSponsoredAgent.type), to: server.identity)
    case "anonymous and unknown to the agency": return try anonymous(getAll, to: server.identity)
    case "no message for a mailbox": return try mallory.send("not an object", to: mailbox.party)
    case "anonymous and no message for a mailbox": return try anonymous("not an object", to: mailbox.party)
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
  func aStrangerLearnsNothing(kind: String) throws {
    let response = try intrude(kind)
    #expect(response.status == 404)
    #expect(response.body == Client.notFound)
    let kept = try alice.messages(agent)
    #expect(kept.map(\.messages.count) == [1])
    #expect(kept.flatMap(\.messages).map(\.statusCode) == ["MS-103"])
  }

  @Test(arguments: ["/", "/agency/", "/agency/msg", "/agency/msg/../..", "/agency/msg%00"])
  func unknownRoutesLookLikeUnknownAddresses(path: String) throws {
    let response = try HTTPClient().get(server.endpoint + path)
    #expect(response.status == 404)
    #expect(response.body == Client.notFound)
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
  func theOwnerLearnsTheFault(text: String, code: String) throws {
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
    let fetch = client.request(GetMessagesByConnections(filter: WireMessageFilter()))
    func code(_ request: JSON) throws -> String? {
      WireRefusal(body: try client.send(request, to: connected.agent).body)?.statusCode
    }
    #expect(try code(client.request(CreateAgent())) == "ACS-102" && code(fetch) == "ACS-102")
    let _: SignedUp = try client.ask(SignUp(), of: connected.agent)
    #expect(try code(fetch) == "ACS-102")
    let carried = try Wrapping(fetch, from: alice.keys, to: agent)
      .carried(by: connected.agent, from: client.keys).carried(by: client.agency)
    #expect(try WireRefusal(body: client.post(carried.bytes).body)?.statusCode == "ACS-102")
  }
}
