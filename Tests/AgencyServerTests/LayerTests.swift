import AgencyServer
import AgencyWire
import DIDComm
import Foundation
import HTTP
import JSON
import Sodium
import TestSupport
import Testing
import Threading

/// Which layers may stand around what, and who may carry whose.
@Suite struct LayerTests: AliceSuite {
  let scene: AliceScene

  init() throws { scene = try AliceScene() }

  private func code(_ response: HTTPClient.Response) -> String? { WireRefusal(body: response.body)?.statusCode }

  private var fetch: JSON { alice.request(GetMessagesByConnections(filter: WireMessageFilter())) }

  /// Alice's own request, in a layer that Mallory's agent takes off: an agent carries for its owner only.
  @Test func anAgentCarriesNothingToAnotherAgent() throws {
    let mallory = Client(server)
    let other = try mallory.provision()
    let wrapping = try Wrapping(fetch, from: alice.keys, to: agent).carried(by: other, from: mallory.keys)
    #expect(try code(mallory.post(wrapping.carried(by: server.identity).bytes)) == "GNR-113")
    let own = try Wrapping(fetch, from: alice.keys, to: agent).carried(by: agent, from: alice.keys)
    #expect(try alice.post(own.carried(by: server.identity).bytes).status == 200)
  }

  @Test func anAgentCarriesNothingToAnotherAccountsMailbox() throws {
    let mallory = Client(server)
    let other = try mallory.provision()
    let request = alice.request(GetMessages(filter: WireMessageFilter()))
    let response = try mallory.send(request, to: mailbox.party, of: mailbox.keys, through: other)
    #expect(code(response) == "GNR-113")
  }

  @Test func anAgentCarriesNothingToTheAgency() throws {
    let connect = alice.request(Connect(fromDID: alice.did, fromDIDVerKey: alice.keys.verkey.text))
    let wrapping = try Wrapping(connect, from: alice.keys, to: server.identity).carried(by: agent, from: alice.keys)
    #expect(try code(alice.post(wrapping.carried(by: server.identity).bytes)) == "GNR-120")
  }

  @Test func anAgentThatIsNotCreatedYetCarriesNothing() throws {
    let client = Client(server)
    let connected: Connected = try client.ask(
      Connect(fromDID: client.did, fromDIDVerKey: client.keys.verkey.text), of: client.agency)
    let wrapping = try Wrapping(fetch, from: alice.keys, to: agent)
      .carried(by: connected.agent, from: client.keys)
    #expect(try code(client.post(wrapping.carried(by: server.identity).bytes)) == "ACS-102")
  }

  /// Requests through the owner's agent are for the mailbox itself; others deliver their messages without it.
  @Test func theOwnersAgentDeliversNothing() throws {
    let envelope = try Envelope.pack(Array("x".utf8), for: [mailbox.keys.verkey])
    func forward(_ envelope: [UInt8], to party: Party, from sender: KeyPair? = nil, in layer: Party) throws -> [UInt8] {
      let message = AgencyForward(to: party.did, envelope: envelope)
      return try Envelope.pack(message.bytes, for: [layer.verkey], from: sender)
    }
    let direct = try forward(envelope, to: mailbox.party, in: server.identity)
    #expect(try alice.post(direct).status == 200)
    let inner = try forward(envelope, to: mailbox.party, from: alice.keys, in: agent)
    #expect(try code(alice.post(forward(inner, to: agent, in: server.identity))) == "GNR-113")
    #expect(try alice.messages(agent).map(\.messages.count) == [1])
  }

  @Test func theAgencyIsAddressedByItsVerkeyToo() throws {
    let client = Client(server)
    let connect = client.request(Connect(fromDID: client.did, fromDIDVerKey: client.keys.verkey.text))
    let envelope = try Envelope.pack(connect.bytes, for: [server.identity.verkey], from: client.keys)
    for address in [server.identity.did, server.identity.verkey.text, server.identity.verkey.didKey] {
      let forward = AgencyForward(to: address, envelope: envelope)
      #expect(try client.post(Envelope.pack(forward.bytes, for: [server.identity.verkey])).status == 200)
    }
  }

  @Test(
    arguments: [
      ["protected": "x"], ["ciphertext": "x"], ["protected": 1, "ciphertext": "x"], #"{"protected":"x"}"#,
      #"{"ciphertext":"x"}"#, #"{"protected":"x","ciphertext":1}"#,
    ] as [JSON])
  func aCarriedMessageHasTheMembersOfAnEnvelope(envelope: JSON) throws {
    let forward: JSON = [
      "@type": "https://didcomm.org/routing/1.0/forward", "to": .string(mailbox.forDID), "msg": envelope,
    ]
    let response = try alice.post(Envelope.pack(forward.bytes, for: [server.identity.verkey]))
    #expect(code(response) == "GNR-111")
    #expect(try alice.messages(agent).map(\.messages.count) == [0])
  }

  @Test func aForwardNamesItsAddress() throws {
    let forward: JSON = [
      "@type": "https://didcomm.org/routing/1.0/forward", "msg": ["protected": "", "ciphertext": ""],
    ]
    #expect(try code(alice.post(Envelope.pack(forward.bytes, for: [server.identity.verkey]))) == "GNR-117")
  }

  /// An envelope with more than sixteen values is refused, however they are nested.
  @Test(arguments: [(13, 200), (14, 400)])
  func aCarriedMessageHasFewValues(depth: Int, status: Int) throws {
    let nested = (0..<depth).reduce(JSON.null) { inner, _ in [inner] }
    let forward: JSON = [
      "@type": "https://didcomm.org/routing/1.0/forward", "to": .string(mailbox.forDID),
      "msg": ["protected": "x", "ciphertext": "x", "more": nested],
    ]
    #expect(try alice.post(Envelope.pack(forward.bytes, for: [server.identity.verkey])).status == status)
  }

  // MARK: - Keys and settings

  @Test func nobodyGetsAMailboxForTheAgencysOwnKey() throws {
    let key = server.identity.verkey
    let request = alice.request(CreateKey(forDID: key.did.text, forDIDVerKey: key.text))
    #expect(try code(alice.send(request, to: agent)) == "CS-104")
  }

  @Test func signingUpAgainTakesNothingFromAnAgent() throws {
    let _: SignedUp = try alice.ask(SignUp(), of: agent)
    #expect(
      try alice.send(alice.request(GetMessagesByConnections(filter: WireMessageFilter())), to: agent).status == 200)
  }

  @Test func settingsAreShort() throws {
    let (name, value) = (String(repeating: "n", count: 256), String(repeating: "v", count: 4096))
    let url = "http://bank.example/" + String(repeating: "v", count: 4076)
    func set(_ id: String, _ url: String) throws -> Int {
      try alice.send(
        alice.request(UpdateComMethod(method: WireComMethod(id: id, kind: .webhook, value: url))), to: agent
      ).status
    }
    func set(_ config: Config) throws -> Int {
      try alice.send(alice.request(UpdateConfigs(configs: [config])), to: agent).status
    }
    #expect(try set(name, url) == 200)
    #expect(try set(name + "n", url) == 400)
    #expect(try set(name, url + "v") == 400)
    #expect(try set(Config(name: name, value: value)) == 200)
    #expect(try set(Config(name: name + "n", value: value)) == 400)
    #expect(try set(Config(name: name, value: value + "v")) == 400)
  }

  /// A recorded request is known again when somebody writes it otherwise: what is not authenticated does not count.
  @Test func aRecordedSettingIsKnownInAnotherSpelling() throws {
    let time = Locked<Int64>(1_715_938_200)
    let folder = try TemporaryFolder()
    let server = try AgencyServer(dataFolder: folder.path, clock: { time.withLock { $0 } })
    let client = Client(server)
    let agent = try client.provision()
    let setting = client.request(UpdateConfigs(configs: [Config(name: "name", value: "Alice")]))
    var envelope = try JSON(parsing: Envelope.pack(setting.bytes, for: [agent.verkey], from: client.keys))
    func post() throws -> Int {
      let forward = AgencyForward(to: agent.did, envelope: envelope.bytes)
      return try client.post(Envelope.pack(forward.bytes, for: [client.agency.verkey])).status
    }
    #expect(try post() == 200)
    time.withLock { $0 += 61 }
    envelope["more"] = "x"
    #expect(try post() == 400)
  }
}
