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
  @Suite(.eachCloudAgent) struct CredentialTests {
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

    // MARK: Deleting

    @Test func aDeletedCredentialIsGone() throws {
      let credential = try scene.issued()
      try credential.delete(with: scene.session)
      #expect(try scene.stored().isEmpty)
      #expect(throws: CredentialsError.notFound) { try credential.info(with: scene.session) }
    }

    /// The user deletes a credential, and the issuer gives another one on its thread. An older text must not show or delete that.
    @Test func anotherCredentialOfTheThreadIsNotThisObjects() throws {
      let credential = try scene.issued()
      let records = LibraryRecords(of: "Indy::Credential", in: try scene.session.wallet)
      let id = try #require(try scene.stored().first)
      let stored = try JSON(parsing: #require(try records.find(id)).value)
      let other = stored.replacing(["signature", "p_credential", "a"], with: "29")
      try scene.session.wallet.make([records.putting(id, value: other.text)])
      #expect(throws: CredentialsError.notFound) { try credential.info(with: scene.session) }
      #expect(throws: CredentialsError.notFound) { try credential.isRevoked(with: scene.session) }
      #expect(throws: CredentialsError.notFound) { try credential.presentationProposal(with: scene.session) }
      #expect(throws: CredentialsError.notFound) { try credential.delete(with: scene.session) }
      #expect(try scene.stored() == [id])
    }

    // MARK: Texts for applications

    @Test func theProposalNamesAllAttributes() throws {
      let text = try scene.issued().presentationProposal(with: scene.session)
      let preview = try #require(try JSON(parsing: text)["presentation_proposal"])
      #expect(preview["attributes"]?.array?.count == 4)
      #expect(preview["attributes"]?.array?.first?["cred_def_id"] == .string(TestIssuer.definitionID))
    }

    @Test func aProposalRepeatsTheCommentOfTheOffer() throws {
      let text = try scene.issued().presentationProposal(with: scene.session)
      #expect(try JSON(parsing: text)["comment"] == "yours")
    }

    @Test func version3WrapsTheCredential() throws {
      let text = try scene.issued().message(asVersion3: true)
      let json = try JSON(parsing: text)
      #expect(json["credential_id"] == "offer-1")
      let inner = try JSON(parsing: #require(json["credential"]?.string))
      #expect(inner["cred_def_id"] == .string(TestIssuer.definitionID))
      #expect(try JSON(parsing: #require(inner["libindy_cred"]?.string))["values"]?["age"]?["raw"] == "28")
    }

    /// The issuer sends another object beside the credential, which a program could show in its place.
    @Test(arguments: ["offers~attach", "requests~attach", "filters~attach", "did_doc~attach", "proposal~attach"])
    func theMessageOfAStoredCredentialHasThatCredentialOnly(member: String) throws {
      var credential = try scene.requested()
      let request = try scene.last()
      let content = try scene.issuer.credential(
        answering: Attachment(firstOf: request).content, to: scene.offer(ofThread: "offer-1"))
      var message = IssuingScene.credential(content)
      message[member] = [["@id": "x", "data": ["json": ["values": ["name": ["raw": "Mallory"]]]]]]
      try scene.world.inviter.send(message)
      try credential.update(with: scene.session)
      let shown = try JSON(parsing: credential.message(asVersion3: false))
      #expect(shown[member] == nil && shown["credentials~attach"]?.array?.count == 1)
      #expect(try JSON(parsing: Attachment(firstOf: shown).content) == JSON(parsing: content))
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
