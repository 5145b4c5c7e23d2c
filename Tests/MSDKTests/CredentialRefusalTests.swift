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
        with: CredentialFacts(source: nil))
      try scene.issue()
      #expect(throws: CredentialsError.exists) { try credential.update(with: scene.session) }
      #expect(credential.state == 2)
      #expect(try scene.last()["description"]?["code"] == "invalid-credential")
      #expect(try scene.newMessages().isEmpty)
    }

    private func expectRefusal(_ reason: String, _ credential: inout Credential) throws {
      #expect(throws: CredentialsError.malformedCredential(reason)) { try credential.update(with: scene.session) }
      #expect(credential.state == 2)
      #expect(try scene.last()["description"]?["code"] == "invalid-credential")
      #expect(try scene.stored().isEmpty)
    }

    @Test func anIssuerIsToldThatItHasSignedAnotherValue() throws {
      var credential = try scene.requested()
      try scene.issue { $0["values"]?["age"]?["encoded"] = "29" }
      try expectRefusal(#"the signed number of "age" is not that of its value"#, &credential)
    }

    @Test func anIssuerIsToldThatThePartsForTheRevocationAreMissing() throws {
      var credential = try scene.requested()
      try scene.issue(at: nil)
      try expectRefusal(#"its definition has revocation, and the credential has no "rev_reg_id""#, &credential)
    }

    /// The holder makes no request with such a key.
    @Test func anIssuerIsToldThatItsKeyCannotBeUsed() throws {
      let connection = try scene.world.completed()
      var content = try JSON(parsing: scene.issuer.offer())
      content["key_correctness_proof"]?["xr_cap"] = []
      var credential = try Credential(sourceID: "x", offer: IssuingScene.offer(content.text).text)
      let reason = "the proof of its key does not name each part of the key once"
      #expect(throws: CredentialsError.malformedOffer(reason)) {
        try credential.sendRequest(over: connection, with: scene.session)
      }
      #expect(credential.state == 3)
      let report = try scene.last()
      #expect(report["description"]?["code"] == "invalid-credential-offer" && report["comment"] == .string(reason))
    }

    // MARK: Exchanges that the issuer ends

    static let report: JSON = [
      "@type": "https://didcomm.org/issue-credential/2.0/problem-report", "@id": "report",
      "~thread": ["thid": "offer-1"], "description": ["code": "issuance-abandoned", "en": "no"],
    ]

    /// The wallet's note of the request has the secret part of the blinded link secret.
    @Test func theIssuerMayEndTheExchange() throws {
      var credential = try scene.requested()
      let requests = LibraryRecords(of: "msdk.credential_request", in: try scene.session.wallet)
      #expect(try requests.find("offer-1") != nil)
      try scene.world.inviter.send(Self.report)
      try credential.update(with: scene.session)
      #expect(credential.state == 0)
      #expect(try JSON(parsing: credential.problemReport)["@id"] == "report")
      #expect(try requests.find("offer-1") == nil)
    }

    /// A process that ends before it has stored the object finds the report again.
    @Test func theMailboxOfADeclinedRequestIsClosedWithItsObject() throws {
      let issuer = try ConnectionlessIssuer(scene.issuer, answersInResponse: false)
      var credential = try Credential(sourceID: "x", offer: issuer.offer.text)
      try credential.sendRequest(over: nil, with: scene.session)
      let stored = credential.serialized()
      try issuer.answer(with: Self.report)
      for _ in 0..<2 {
        credential = try Credential(serialized: stored)
        try credential.update(with: scene.session)
        #expect(credential.state == 0)
      }
      let records = LibraryRecords(of: "msdk.answers", in: try scene.session.wallet)
      #expect(try records.find(issuer.note) != nil)
      #expect(throws: ExchangeError.ended) { try credential.delete(with: scene.session) }
      #expect(try records.find(issuer.note) == nil)
      #expect(throws: DeliveryError.self) { try issuer.answer(with: Self.report) }
    }

    /// Anybody can repeat the thread of an offer that many have seen.
    @Test func anotherOfferOnTheSameThreadHasAMailboxOfItsOwn() throws {
      let faber = try ConnectionlessIssuer(scene.issuer, answersInResponse: false)
      let mallory = try ConnectionlessIssuer(scene.issuer, answersInResponse: false)
      var (credential, other) = (
        try Credential(sourceID: "f", offer: faber.offer.text), try Credential(sourceID: "m", offer: mallory.offer.text)
      )
      try credential.sendRequest(over: nil, with: scene.session)
      try other.sendRequest(over: nil, with: scene.session)
      #expect(faber.senders.isDisjoint(with: mallory.senders))
      try other.reject(comment: nil, over: nil, with: scene.session)
      try faber.answer()
      try credential.update(with: scene.session)
      #expect(credential.state == 4)
    }

    // MARK: Notifications

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
