import Aries
import IndyVDR
import JSON
import Registry
import TestSupport
import Testing

@testable import MSDK

extension SDKTests {
  /// Revocations that cannot be published at once, and issued credentials of a process that has ended.
  @Suite struct RevocationFaultTests {
    private func issued(_ scene: RegistrarScene) throws -> IssuerCredential {
      var credential = try scene.offered()
      _ = try scene.request()
      try credential.update(with: scene.session)
      try credential.sendCredential(with: scene.session)
      return credential
    }

    /// Until others can read of the revocation, neither the state nor the holder says that the credential is revoked.
    @Test func aRevocationThatCouldNotBePublishedIsPublishedByTheNextCall() throws {
      let scene = try RegistrarScene()
      var credential = try issued(scene)
      try scene.blockLists(true)
      #expect(throws: PublicationFailure.self) { try credential.revoke(with: scene.session) }
      #expect(try credential.machine.delivery?.revoked == nil && scene.sent("/revoke").isEmpty)
      try scene.blockLists(false)
      credential = try IssuerCredential(serialized: credential.serialized())
      try credential.revoke(with: scene.session)
      #expect(try scene.lists().last?["revocationList"]?.array?[3] == 1)
      #expect(try credential.machine.delivery?.revoked != nil && scene.sent("/revoke").count == 1)
    }

    @Test func aHolderThatIsToldNothingIsRevokedAllTheSame() throws {
      let scene = try RegistrarScene()
      var credential = try issued(scene)
      try scene.restart(with: ["revocation_notification": "none"])
      try credential.revoke(with: scene.session)
      #expect(try scene.sent("/revoke").isEmpty)
      #expect(try scene.lists().last?["revocationList"]?.array?[3] == 1)
      let restored = try IssuerCredential(serialized: credential.serialized())
      #expect(restored.machine.delivery?.revoked != nil)
    }

    /// The process ended before it had stored that the credential was sent, and the holder has answered since.
    @Test func anExchangeThatIsOverSendsNothingAgain() throws {
      let scene = try RegistrarScene()
      var credential = try scene.offered()
      _ = try scene.request()
      try credential.update(with: scene.session)
      let before = credential.serialized()
      try credential.sendCredential(with: scene.session)
      try scene.ack()
      try credential.update(with: scene.session)
      var restored = try IssuerCredential(serialized: before)
      try restored.sendCredential(with: scene.session)
      #expect(try restored.state == 4 && scene.sent("issue-credential").count == 1)
      try restored.revoke(with: scene.session)
      #expect(try scene.lists().last?["revocationList"]?.array?[3] == 1)
    }

    @Test func theOlderFormOfAnOfferIsWrapped() throws {
      let scene = try RegistrarScene()
      try scene.restart(with: ["protocol_type": "3.0"])
      var credential = try scene.planned()
      let offer = try JSON(parsing: credential.offer(with: scene.session))["credential_offer"]
      #expect(offer?["msg_type"] == "credential-offer" && offer?["thread_id"] == .string(credential.thread))
    }

    @Test func anExchangeThatFailedBeforeItsOfferHasNone() throws {
      let scene = try RegistrarScene()
      var json = try #require(Fixtures.json("issuer/issuer_states.json")["states"]?["0 Finished Failed"])
      json["data"]?["issuer_sm"]?["state"]?["Finished"]?["offer"] = .null
      var credential = try IssuerCredential(serialized: json.text)
      #expect(throws: ExchangeError.ended) { try credential.offer(with: scene.session) }
    }

    /// Holders fetch the file from there, and know nothing of the issuer's folders.
    @Test func aPublicRegistryNamesThePublicPlaceOfItsTails() throws {
      let scene = try RegistrarScene()
      try scene.restart(registry: ["tails_base_url": "http://tails.example/files/"])
      _ = try scene.definition()
      let found = try scene.session.registries.revocationRegistry(RegistrarScene.registryID)
      let place = try JSON(parsing: found.text)["value"]?["tailsLocation"]?.string
      #expect(place?.hasPrefix("http://tails.example/files/") == true)
    }

    /// A program may have a ledger for its partners' objects, and a registry of its own.
    @Test func aRegistryForWritingComesBeforeTheLedgers() throws {
      let scene = try RegistrarScene()
      let node: JSON = [
        "txn": ["data": ["dest": "x", "data": ["alias": "a", "client_ip": "127.0.0.1", "client_port": 1]]]
      ]
      Agent.ofTest.ledgers.connect([
        LedgerConnection(try Genesis(node.text), names: ["other"], library: "/nowhere/libindy_vdr.so")
      ])
      var schema = try Schema(
        sourceID: "s", name: "n", version: "1.0", attributes: #"["a"]"#, issuer: "V4SGRU86Z58d6TV7PBUe6f")
      try schema.publish(with: scene.session)
      #expect(schema.state == 1)
    }
  }
}
