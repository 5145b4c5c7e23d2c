import Aries
import Credentials
import JSON
import TestSupport
import Testing
import Wallet

@testable import MSDK

extension SDKTests {
  /// Credentials and notifications that a holder must not take, and exchanges that the holder ends.
  @Suite(.serialized) struct CredentialRefusalTests {
    let scene: IssuingScene

    init() throws { scene = try IssuingScene() }

    @Test func anExchangeThatHasAnotherCredentialRefusesThisOne() throws {
      var credential = try scene.requested()
      let other: JSON = ["schema_id": "schema", "cred_def_id": "other", "values": [:]]
      try scene.session.credentials.store(
        other.text, as: "offer-1", schema: SchemaName(issuer: "issuer", name: "name", version: "1"), issuer: "issuer",
        from: nil)
      try scene.issue()
      #expect(throws: CredentialsError.exists) { try credential.update(with: scene.session) }
      #expect(credential.state == 2)
      #expect(try scene.last()["description"]?["code"] == "invalid-credential")
      #expect(try scene.newMessages().isEmpty)
    }

    /// One peer, who has the same key in both connections.
    @Test func onlyTheConnectionThatBroughtACredentialRevokesIt() throws {
      _ = try scene.issued(at: 5)
      let isMarked = { try scene.session.credentials.credential("offer-1").held.isRevoked }
      var other = try scene.world.completed()
      try scene.world.inviter.send([
        "@type": "https://didcomm.org/revocation_notification/1.0/revoke", "@id": "r", "thread_id": "offer-1",
      ])
      try other.poll(with: scene.session)
      #expect(try scene.newMessages().count == 1)
      #expect(try !isMarked())
    }

    @Test func aPollOfTheConnectionFindsARevocation() throws {
      var connection = try scene.world.completed()
      var credential = try scene.offered()
      try credential.sendRequest(over: connection, with: scene.session)
      try scene.issue(at: 5)
      try credential.update(with: scene.session)
      try scene.world.inviter.send([
        "@type": "https://didcomm.org/revocation_notification/1.0/revoke", "@id": "r", "thread_id": "offer-1",
      ])
      try connection.poll(with: scene.session)
      #expect(try scene.session.credentials.credential("offer-1").held.isRevoked)
    }

    @Test func aRevocationThatNobodyVouchesForIsIgnored() throws {
      _ = try scene.issued(at: 5)
      try scene.world.inviter.sendUnsigned([
        "@type": "https://didcomm.org/revocation_notification/1.0/revoke", "@id": "r", "thread_id": "offer-1",
      ])
      #expect(try scene.newMessages().count == 1)
      #expect(try !scene.session.credentials.credential("offer-1").held.isRevoked)
    }

    @Test func anIssuerIsToldThatItsCredentialCannotBeRead() throws {
      var credential = try scene.requested()
      var message = IssuingScene.credential("{}")
      message["credentials~attach"] = []
      try scene.world.inviter.send(message)
      #expect(throws: CredentialsError.self) { try credential.update(with: scene.session) }
      #expect(credential.state == 2)
      #expect(try scene.last()["description"]?["code"] == "invalid-credential")
      #expect(try scene.newMessages().isEmpty)
    }

    @Test func anExchangeThatTheHolderEndsForgetsItsRequest() throws {
      var credential = try scene.requested()
      let kept = { try scene.session.wallet.record(type: "msdk.credential_request", id: "offer-1") }
      _ = try kept()
      try credential.reject(comment: nil, over: nil, with: scene.session)
      #expect(credential.state == 9)
      #expect(throws: WalletError.recordNotFound) { try kept() }
    }
  }
}
