import Aries
import Credentials
import Foundation
import JSON
import Sodium
import TestSupport
import Testing
import Wallet

@testable import MSDK

extension SDKTests {
  /// A holder with a real agency, a real engine and an issuer that does what the test tells it.
  @Suite(.serialized, .eachCloudAgent) struct CredentialTests {
    let scene: IssuingScene

    init() throws { scene = try IssuingScene() }

    // MARK: The whole way

    @Test func anArrayMayBeginWithAnOfferOfTheNewerForm() throws {
      let offer = try JSON.array([scene.offerText(), "a preview"])
      #expect(try Credential(sourceID: "degree", offer: offer.text).state == 3)
    }

    /// Programs fetch them while there is a network, so that their users can prove without one.
    @Test func publicObjectsAreFetchedInAdvance() throws {
      _ = try scene.issued(at: 1)
      let content = try #require(try CredentialStore(wallet: scene.session.wallet).all().first).content
      let objects = [
        ("schema_cache", content.schemaID), ("cred_def_cache", content.definitionID),
        ("msdk::rev_reg_def_cache", try #require(content.registryID)),
      ]
      for (type, id) in objects {
        try scene.session.wallet.make([LibraryRecords(of: type, in: scene.session.wallet).removing(id)])
      }
      try scene.restart()
      try scene.session.fetchPublicObjects()
      for (type, id) in objects {
        #expect(try LibraryRecords(of: type, in: scene.session.wallet).find(id) != nil, "\(type)")
      }
    }

    @Test(arguments: [1, 2])
    func anOfferedCredentialIsAskedForAndStored(version: Int) throws {
      let connection = try scene.world.completed()
      try scene.offer(version: version)
      #expect(try JSON(parsing: Credential.offers(of: connection, with: scene.session)).array?.count == 1)
      let (offered, offer) = try Credential.offered(
        by: scene.newMessage().uid, over: connection, sourceID: "degree", with: scene.session)
      #expect(try JSON(parsing: offer)["@id"] == "offer-1")
      var credential = offered
      #expect(credential.state == 3)
      try credential.sendRequest(over: connection, with: scene.session)
      #expect(credential.state == 2)
      try scene.issue(version: version)
      try credential.update(with: scene.session)
      #expect(credential.state == 4)
      let ack = try scene.last()
      #expect(ack["@type"]?.string?.hasSuffix("issue-credential/\(version).0/ack") == true)
      #expect(ack["~thread"]?["thid"] == "offer-1")
      let info = try JSON(parsing: credential.info(with: scene.session))
      #expect(info["referent"] == "offer-1" && info["attrs"]?["age"] == "28")
      #expect(try JSON(parsing: credential.message(asVersion3: false))["@id"] == "credential-1")
      #expect(credential.problemReport == "null")
    }

    @Test func theWalletKnowsWhenceACredentialCame() throws {
      let connection = try scene.world.completed()
      let before = Int64(Date().timeIntervalSince1970)
      let logo: JSON = ["@id": "logo", "mime-type": "image/png", "data": ["base64": "aGk="]]
      var offer = try scene.offerText()
      (offer["comment"], offer["~attach"]) = ("Well done", [logo])
      var credential = try Credential(sourceID: "degree", offer: offer.text)
      try credential.sendRequest(over: connection, with: scene.session)
      credential = try Credential(serialized: credential.serialized())
      try scene.issue()
      try credential.update(with: scene.session)
      let found = try scene.session.credentials.found(credential.threadID)
      #expect(found.held.id == "offer-1" && found.connection == connection.pairwiseDID)
      #expect(try (before...before + 600).contains(#require(found.received)))
      #expect(found.display == ["comment": "Well done", "attachments": [logo]])
    }

    @Test func aDeclinedOfferEndsTheExchange() throws {
      let connection = try scene.world.completed()
      var credential = try scene.offered()
      try credential.reject(comment: "no thanks", over: connection, with: scene.session)
      #expect(credential.state == 9)
      let report = try scene.last()
      #expect(report["description"]?["code"] == "rejection" && report["comment"] == "no thanks")
      try credential.sendRequest(over: connection, with: scene.session)
      #expect(try scene.last() == report)
      #expect(throws: ExchangeError.ended) { try credential.info(with: scene.session) }
    }

    @Test func messagesOfOtherThreadsStay() throws {
      var credential = try scene.requested()
      try scene.offer(version: 2, id: "offer-2")
      try scene.world.inviter.send([
        "@type": "https://didcomm.org/basicmessage/1.0/message", "@id": "b", "content": "x",
      ])
      try credential.update(with: scene.session)
      #expect(credential.state == 2)
      #expect(try scene.newMessages().count == 2)
      try scene.issue()
      try credential.update(with: scene.session)
      #expect(credential.state == 4)
      #expect(try scene.newMessages().count == 2)
    }

    @Test func aCredentialFromSomebodyElseIsLeft() throws {
      var credential = try scene.requested()
      try scene.issue(from: KeyPair())
      try credential.update(with: scene.session)
      #expect(credential.state == 2)
      #expect(try scene.stored().isEmpty)
    }

    // MARK: Deleting and revoking

    @Test func aDeletedCredentialIsGone() throws {
      let credential = try scene.issued()
      try credential.delete(with: scene.session)
      #expect(try scene.stored().isEmpty)
      #expect(throws: CredentialsError.notFound) { try credential.info(with: scene.session) }
    }

    @Test func theRegistryTellsWhoIsRevoked() throws {
      #expect(try scene.issued(at: 5).isRevoked(with: scene.session))
      #expect(try scene.session.credentials.credential("offer-1").held.isRevoked)
    }

    @Test(
      arguments: [
        ["@type": "https://didcomm.org/revocation_notification/1.0/revoke", "@id": "r", "thread_id": "offer-1"],
        [
          "@type": "https://didcomm.org/revocation_notification/2.0/revoke", "@id": "r",
          "revocation_format": "indy-anoncreds", "credential_id": .string("\(TestIssuer.registryID)::5"),
        ],
      ] as [JSON])
    func onlyTheIssuerRevokes(notification: JSON) throws {
      _ = try scene.issued(at: 5)
      let isMarked = { try scene.session.credentials.credential("offer-1").held.isRevoked }
      try scene.world.inviter.send(notification, from: KeyPair())
      _ = try scene.newMessages()
      #expect(try !isMarked())
      try scene.world.inviter.send(notification)
      #expect(try scene.newMessages().count == 2)
      #expect(try isMarked())
    }

    /// Polling acknowledges it, also in another process, and it stays for the application.
    @Test func aRevocationIsAcknowledgedOnceIfTheIssuerAsks() throws {
      let connection = try scene.world.completed()
      var credential = try scene.offered()
      try credential.sendRequest(over: connection, with: scene.session)
      try scene.issue(at: 5)
      try credential.update(with: scene.session)
      let notification: JSON = [
        "@type": "https://didcomm.org/revocation_notification/1.0/revoke", "@id": "r", "thread_id": "offer-1",
      ]
      try scene.world.inviter.send(notification)
      for (id, thread, sender) in [("q", "offer-1", KeyPair()), ("s", "offer-1", nil), ("t", "another", nil)] {
        var asking = notification
        asking["@id"] = .string(id)
        asking["thread_id"] = .string(thread)
        asking["~please_ack"] = ["on": ["RECEIPT"]]
        try scene.world.inviter.send(asking, from: sender)
      }
      for _ in 0..<4 {
        var restored = try Connection(serialized: connection.serialized(institutionDID: nil))
        try restored.poll(with: scene.session)
      }
      let acks = try scene.world.inviter.received().map(\.json).filter {
        $0["@type"] == "https://didcomm.org/revocation_notification/1.0/ack"
      }
      #expect(acks.map { $0["~thread"]?["thid"] } == ["s"])
      #expect(try scene.newMessages().count == 4)
      #expect(try scene.session.credentials.credential("offer-1").held.isRevoked)
    }

    // MARK: Without a connection

    @Test func aCredentialComesInTheAnswer() throws {
      let service = try ConnectionlessIssuer(scene.issuer)
      defer { service.server.stop() }
      var credential = try Credential(sourceID: "x", offer: service.offer.text)
      try credential.sendRequest(over: nil, with: scene.session)
      #expect(credential.state == 4)
      #expect(try scene.stored() == ["offer-1"])
      #expect(service.received.last?["@type"] == "https://didcomm.org/issue-credential/2.0/ack")
      #expect(service.received.allSatisfy { $0["~transport"]?["return_route"] == "all" })
    }

    @Test func aCredentialComesIntoAMailboxOfItsOwn() throws {
      let service = try ConnectionlessIssuer(scene.issuer, answersInResponse: false)
      defer { service.server.stop() }
      var credential = try Credential(sourceID: "x", offer: service.offer.text)
      let before = credential.serialized()
      try credential.sendRequest(over: nil, with: scene.session)
      #expect(credential.state == 2)
      // A process that has not noted that the request was sent names the same mailbox again.
      credential = try Credential(serialized: before)
      try credential.sendRequest(over: nil, with: scene.session)
      let named = service.received.map { $0["~service"] }
      #expect(named.count == 2 && named[0] == named[1] && named[0] != nil)
      try service.answer()
      credential = try Credential(serialized: credential.serialized())
      try credential.update(with: scene.session)
      #expect(credential.state == 4)
      #expect(try scene.stored() == ["offer-1"])
      let ack = try #require(service.received.last)
      #expect(ack["@type"] == "https://didcomm.org/issue-credential/2.0/ack" && ack["~service"] == named[0])
      #expect(service.senders.count == 1)
      try credential.delete(with: scene.session)
      #expect(throws: DeliveryError.self) { try service.answer() }
    }

    @Test func withoutACloudAgentTheAnswerComesInTheResponse() throws {
      try scene.restart(with: ["agency_endpoint": .null, "agency_did": .null, "agency_verkey": .null])
      let service = try ConnectionlessIssuer(scene.issuer)
      defer { service.server.stop() }
      var credential = try Credential(sourceID: "x", offer: service.offer.text)
      try credential.sendRequest(over: nil, with: scene.session)
      #expect(credential.state == 4)
      #expect(service.received.allSatisfy { $0["~service"] == nil })
    }

    @Test func aDeclinedCredentialClosesItsMailbox() throws {
      let service = try ConnectionlessIssuer(scene.issuer, answersInResponse: false)
      defer { service.server.stop() }
      var credential = try Credential(sourceID: "x", offer: service.offer.text)
      try credential.sendRequest(over: nil, with: scene.session)
      try credential.reject(comment: nil, over: nil, with: scene.session)
      #expect(credential.state == 9)
      #expect(throws: DeliveryError.self) { try service.answer() }
    }

    @Test func withoutAConnectionTheOfferNamesItsService() throws {
      var credential = try scene.offered()
      #expect(throws: ExchangeError.noService) { try credential.sendRequest(over: nil, with: scene.session) }
    }

    // MARK: Texts for applications

    @Test func theProposalNamesAllAttributes() throws {
      let text = try scene.issued().presentationProposal(with: scene.session)
      let preview = try #require(try JSON(parsing: text)["presentation_proposal"])
      #expect(preview["attributes"]?.array?.count == 4)
      #expect(preview["attributes"]?.array?.first?["cred_def_id"] == .string(TestIssuer.definitionID))
    }

    @Test func version3WrapsTheCredential() throws {
      let text = try scene.issued().message(asVersion3: true)
      let json = try JSON(parsing: text)
      #expect(json["credential_id"] == "offer-1")
      let inner = try JSON(parsing: #require(json["credential"]?.string))
      #expect(inner["cred_def_id"] == .string(TestIssuer.definitionID))
      #expect(try JSON(parsing: #require(inner["libindy_cred"]?.string))["values"]?["age"]?["raw"] == "28")
    }

    @Test func anOlderOfferIsTakenForTheMessageThatItStandsFor() throws {
      let message = try scene.offerText(version: 1)
      let older = JSON.array([try OlderOffer.json(of: message)])
      let credential = try Credential(sourceID: "x", offer: older.text)
      #expect(credential.state == 3)
      let offer = try #require(credential.machine.offer)
      #expect(try CredentialOffer(offer).summary == CredentialOffer(message).summary)
    }

    /// Some versions of the older library wrote each value as an array of one.
    @Test func theValuesOfAnOlderOfferMayBeArrays() throws {
      let message = try scene.offerText(version: 1)
      var older = try OlderOffer.json(of: message)
      let values = try #require(older["credential_attrs"]?.object)
      older["credential_attrs"] = .object(JSONObject(values.members.map { ($0.key, [$0.value]) }))
      let credential = try Credential(sourceID: "x", offer: JSON.array([older]).text)
      let offer = try #require(credential.machine.offer)
      #expect(try CredentialOffer(offer).summary == CredentialOffer(message).summary)
    }

    @Test func anOfferIsSummarized() throws {
      let summary = try JSON(parsing: Credential.summary(ofOffer: scene.offerText().text))
      #expect(summary["name"] == "degree" && summary["thid"] == "offer-1")
      #expect(summary["attributes"]?.array?.count == 4)
    }
  }
}
