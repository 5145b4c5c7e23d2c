import AgencyWire
import DIDComm
import JSON
import Sodium
import TestSupport
import Testing

/// Envelopes and forwards that the agency does not accept.
@Suite struct EnvelopeRefusalTests: AliceSuite {
  let scene: AliceScene

  init() throws { scene = try AliceScene() }

  @Test func aForwardForSomebodyElseInsideIsRefused() throws {
    let envelope = try Envelope.pack(Array("x".utf8), for: [mailbox.keys.verkey])
    let inner = Forward(to: KeyPair().verkey.text, envelope: envelope).bytes(id: "1")
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
    #expect(response.body == Client.notFound)
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

  @Test func onlyASoundForwardIsAccepted() throws {
    let messages: [JSON] = [
      ["@type": "https://didcomm.org/trust_ping/1.0/ping"], "text",
      ["@type": "https://didcomm.org/routing/1.0/forward", "to": .string(agent.did), "msg": "text"],
      ["@type": "https://didcomm.org/routing/1.0/forward", "to": .string(agent.did), "msg": ["protected": "x"]],
      [
        "@type": "https://didcomm.org/routing/1.0/forward", "to": .string(mailbox.forDID),
        "msg": ["protected": "x", "ciphertext": "x", "more": nested(40)],
      ],
      // The recipient reads all messages of an answer together, within limits.
      [
        "@type": "https://didcomm.org/routing/1.0/forward", "to": .string(mailbox.forDID),
        "msg": ["protected": "x", "ciphertext": "x", "more": .array([JSON](repeating: 1, count: 14))],
      ],
      [
        "@type": "https://didcomm.org/routing/1.0/forward", "to": .string(mailbox.forDID),
        "msg": .string(#"{"protected":"x","ciphertext":"x","more":[1,1,1,1,1,1,1,1,1,1,1,1,1,1]}"#),
      ],
    ]
    for message in messages {
      let response = try alice.post(Envelope.pack(message.bytes, for: [server.identity.verkey]))
      #expect(response.status == 400)
      #expect(WireRefusal(body: response.body)?.statusCode == "GNR-111")
    }
    let foreign = try alice.post(Envelope.pack(Array("x".utf8), for: [KeyPair().verkey]))
    #expect(foreign.status == 400)
    #expect(WireRefusal(body: foreign.body)?.statusMessage == "bad request: the envelope is not for this agency")
    let broken = try alice.post(Array("x".utf8))
    #expect(WireRefusal(body: broken.body)?.statusMessage != "bad request: the envelope is not for this agency")
  }

  /// The member with an escape keeps the agency from reading the forward as a plain one.
  @Test(arguments: ["", #","\u006dore":1"#]) func theFirstFaultOfAForwardIsNamed(more: String) throws {
    let envelope = #"{"protected":"x","ciphertext":"x"}"#
    let faults = [
      (#""msg":\#(envelope)"#, "missing member: to"), (#""to":"x""#, "missing member: msg"),
      (#""to":"../..""#, "missing member: msg"), (#""x":1"#, "missing member: to"),
      (#""to":"../..","msg":\#(envelope)"#, "not found"), (#""to":1,"msg":\#(envelope)"#, "not found"),
      (#""to":"\#(agent.did)","msg":{}"#, "bad request: what is to be handed on is no envelope"),
    ]
    for (members, text) in faults {
      let forward = #"{"@type":"x/forward",\#(members)\#(more)}"#
      let response = try alice.post(Envelope.pack(Array(forward.utf8), for: [server.identity.verkey]))
      #expect(WireRefusal(body: response.body)?.statusMessage == text, "\(members)")
    }
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
}
