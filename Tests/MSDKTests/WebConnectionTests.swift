import Aries
import DIDComm
import JSON
import Sodium
import TestSupport
import Testing
import WebVH

@testable import MSDK

extension SDKTests {
  /// Inviters whose keys and endpoints are in documents on the web.
  @Suite struct WebConnectionTests {
    let world: World
    let host: WebHost

    init() throws {
      world = try World()
      host = try WebHost()
    }

    /// The members of a document that lead to the inviter.
    private func reachable(_ did: String) -> [String: JSON] {
      let key = world.inviter.invitationKey.verkey
      return [
        "verificationMethod": [
          ["id": .string("\(did)#key-1"), "type": "Multikey", "publicKeyMultibase": .string(key.multibase)]
        ],
        "service": [
          [
            "id": .string("\(did)#didcomm"), "type": "did-communication", "priority": 0,
            "recipientKeys": [.string("\(did)#key-1")], "routingKeys": [],
            "serviceEndpoint": .string(world.inviter.server.endpoint),
          ]
        ],
      ]
    }

    /// The inviter's DID of the method, published.
    private func publish(method: String) throws -> String {
      if method == "web" {
        let did = "did:web:\(host.location())"
        host.put(JSON.object(["id": .string(did)]).with(reachable(did)).bytes, at: "/.well-known/did.json")
        return did
      }
      let controller = try DIDController(
        host.location(), document: reachable("did:webvh:{SCID}:\(host.location())"))
      host.put(controller.log, at: "/.well-known/did.jsonl")
      return controller.did
    }

    private func requested(from did: String) throws -> Connection {
      let invitation: JSON = [
        "@type": "https://didcomm.org/out-of-band/1.1/invitation", "@id": "invitation-1",
        "handshake_protocols": ["https://didcomm.org/didexchange/1.0"], "services": [.string(did)],
      ]
      var connection = try Connection(sourceID: "acme", outOfBandInvitation: invitation.text)
      try connection.connect(ConnectionOptions(parsing: nil), with: world.session)
      return connection
    }

    /// The inviter answers with a public DID, which the key in its document proves.
    private func respond(as did: String, with key: KeyPair? = nil) throws {
      let request = try #require(try world.inviter.received().last).json
      let text = try #require(request["did_doc~attach"]?["data"]?["base64"]?.string)
      let service = try DIDDocument(JSON(parsing: Base64.decodeAny(text))).service
      let response: JSON = [
        "@type": "https://didcomm.org/didexchange/1.0/response", "@id": "response",
        "~thread": ["thid": request["@id"] ?? .null], "did": .string(did),
      ]
      let envelope = try service.pack(response.bytes, from: key ?? world.inviter.invitationKey)
      _ = try world.session.post(envelope, to: service.endpoint)
    }

    @Test(arguments: ["webvh", "web"]) func theDocumentGivesTheServiceOfAPublicDID(method: String) throws {
      let did = try publish(method: method)
      var connection = try requested(from: did)
      #expect(connection.state.number == 3)
      #expect(try world.inviter.received().last?.json["~thread"]?["pthid"] == "invitation-1")
      try respond(as: did)
      try connection.poll(with: world.session)
      #expect(connection.state.number == 4)
      #expect(try connection.theirDID() == did)
      #expect(try world.inviter.received().last?.json["@type"]?.string?.hasSuffix("/complete") == true)
    }

    /// The DID is an invitation by itself.
    @Test func aPublicDIDIsAnInvitation() throws {
      let did = try publish(method: "webvh")
      var connection = try Connection(sourceID: "acme", outOfBandInvitation: did)
      try connection.connect(ConnectionOptions(parsing: nil), with: world.session)
      #expect(connection.state.number == 3)
      #expect(try world.inviter.received().last?.json["~thread"]?["pthid"] == .string(did))
    }

    /// Another party presents the DID, whose document does not have its key.
    @Test func aResponseUnderAnotherPartysDIDIsRefused() throws {
      let did = try publish(method: "webvh")
      var connection = try requested(from: did)
      let other = try DIDController(host.location(":other"))
      host.put(other.log, at: "/other/did.jsonl")
      try respond(as: other.did)
      try? connection.poll(with: world.session)
      #expect(connection.state.number == 3)
      try respond(as: did, with: KeyPair())
      try? connection.poll(with: world.session)
      #expect(connection.state.number == 3)
    }

    @Test func theReasonForAMissingServiceIsNamed() throws {
      let did = try publish(method: "webvh")
      host.put(nil, at: "/.well-known/did.jsonl")
      #expect(throws: PublicDIDError.notFound(did)) { try requested(from: did) }
      host.put(Array("{}".utf8), at: "/.well-known/did.jsonl")
      #expect {
        try requested(from: did)
      } throws: { error in
        if case .invalid(did, _)? = error as? PublicDIDError { true } else { false }
      }
      let silent = try DIDController(host.location())
      host.put(silent.log, at: "/.well-known/did.jsonl")
      #expect(throws: PublicDIDError.noEndpoint(silent.did)) { try requested(from: silent.did) }
    }

    /// A server that takes versions back is noticed by the next session too: the wallet keeps the newest version.
    @Test func theWalletKeepsTheNewestVersion() throws {
      var controller = try DIDController(host.location())
      let short = controller.log
      try controller.update()
      let records = try SeenVersionRecords(wallet: world.session.wallet)
      #expect(records.latest(of: controller.scid) == nil)
      host.put(controller.log, at: "/.well-known/did.jsonl")
      _ = try world.session.resolver.document(of: controller.did)
      #expect(records.latest(of: controller.scid) == controller.versions[1])
      host.put(short, at: "/.well-known/did.jsonl")
      let resolver = WebResolver(reach: .anywhere, seen: records)
      #expect(throws: DIDLogError.shortened(seen: controller.versions[1])) {
        try resolver.document(of: controller.did)
      }
    }

    @Test func aVersionOfAnotherProcessIsNotReplaced() throws {
      let records = try SeenVersionRecords(wallet: world.session.wallet)
      #expect(records.keep("1-a", of: "scid", insteadOf: nil, at: 1))
      #expect(!records.keep("1-b", of: "scid", insteadOf: nil, at: 1))
      #expect(!records.keep("2-b", of: "scid", insteadOf: "1-b", at: 1))
      #expect(records.latest(of: "scid") == "1-a")
      #expect(records.keep("2-a", of: "scid", insteadOf: "1-a", at: 1))
      #expect(records.latest(of: "scid") == "2-a")
    }
  }
}
