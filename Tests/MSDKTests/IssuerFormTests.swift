import Aries
import Credentials
import JSON
import Registry
import TestSupport
import Testing
import Wallet

@testable import MSDK

extension SDKTests {
  /// The form of an issuer's messages, which the id of the definition decides.
  @Suite struct IssuerFormTests {
    static let qualified = "did:indy:sovrin:V4SGRU86Z58d6TV7PBUe6f/anoncreds/v0/CLAIM_DEF/12/tag1"

    /// Such a state has no offer that names the version: the older one is known to more holders.
    @Test func aRevocationWithoutAnOfferIsToldInTheOlderVersion() throws {
      let scene = try RegistrarScene(version: "2.0")
      var credential = try scene.offered()
      _ = try scene.request()
      try credential.update(with: scene.session)
      try credential.sendCredential(with: scene.session)
      try scene.ack()
      try credential.update(with: scene.session)
      var json = try JSON(parsing: credential.serialized())
      json["data"]?["issuer_sm"]?["state"]?["Finished"]?["offer"] = .null
      credential = try IssuerCredential(serialized: json.text)
      try credential.revoke(with: scene.session)
      #expect(try scene.last()["@type"] == "https://didcomm.org/revocation_notification/1.0/revoke")
    }

    /// A registry whose places are valid from the beginning needs no list before a credential, even while one waits.
    @Test func aCredentialDoesNotWaitForTheRevocationOfAnother() throws {
      let scene = try RegistrarScene()
      var credential = try scene.offered()
      _ = try scene.request()
      try credential.update(with: scene.session)
      try scene.session.learnPlaces(of: RegistrarScene.registryID)
      try scene.session.credentialIssuer().revoke(1, in: RegistrarScene.registryID)
      try scene.blockLists(true)
      try credential.sendCredential(with: scene.session)
      #expect(credential.state == 4)
    }

    @Test func theSettingsDecideTheFormatOfAnOffer() throws {
      let scene = try RegistrarScene()
      for (setting, expected) in [("anoncreds", "anoncreds/"), ("hlindy", "hlindy/"), ("auto", "hlindy/")] {
        try scene.restart(with: ["anoncreds_format": .string(setting)])
        var credential = try scene.planned()
        let offer = try JSON(parsing: credential.offer(with: scene.session))
        #expect(offer["formats"]?.array?.first?["format"]?.string?.hasPrefix(expected) == true)
      }
    }

    @Test func anOfferOverAConnectionNamesNoService() throws {
      let scene = try RegistrarScene()
      var credential = try scene.offered()
      let offer = try JSON(parsing: credential.offer(with: scene.session))
      #expect(offer["~service"] == nil && offer["@id"] == .string(credential.thread))
    }

    /// Two spellings are one name.
    @Test func eachAttributeHasOneValue() throws {
      let scene = try RegistrarScene()
      let definition = try scene.definition()
      let values = #"{"name":"Alice","Name":"Bob","age":"28"}"#
      #expect(throws: IssuingError.self) {
        try IssuerCredential(sourceID: "s", definition: definition, values: values, name: "n", with: scene.session)
      }
    }

    /// Until its endorser has published it, nobody could read the list.
    @Test func aDefinitionThatIsNotPublishedPublishesNoRevocations() throws {
      let scene = try RegistrarScene()
      var text = try #require(try Fixtures.json("issuer/public_objects.json")["credentialdef"])
      text["data"]?["state"] = 0
      text["data"]?["msdk"] = ["for_endorser": true]
      var definition = try CredentialDefinition(serialized: text.text)
      try scene.session.credentialIssuer().revoke(1, in: RegistrarScene.registryID)
      try definition.update(with: scene.session)
      #expect(definition.state == 0)
      #expect(throws: (any Error).self) { try scene.lists() }
    }

    /// Its registry may be read only by then.
    @Test func aPublishedDefinitionIsNotPublishedAgain() throws {
      let scene = try RegistrarScene(writes: false)
      let text = try #require(try Fixtures.json("issuer/public_objects.json")["credentialdef_not_revocable"])
      var json = text
      json["data"]?["state"] = 1
      var definition = try CredentialDefinition(serialized: json.text)
      try definition.update(with: scene.session)
      #expect(definition.state == 1)
      json["data"]?["state"] = 0
      definition = try CredentialDefinition(serialized: json.text)
      #expect(throws: PublicationFailure.self) { try definition.update(with: scene.session) }
      #expect(definition.state == 0)
    }

    /// Holders of credentials with newer ids read the newer format only.
    @Test(arguments: [
      (RegistrarScene.definitionID, "hlindy/cred-abstract@v2.0"), (qualified, "anoncreds/credential-offer@v1.0"),
    ])
    func anOfferHasTheFormatOfItsDefinition(definitionID: String, format: String) throws {
      let scene = try RegistrarScene()
      let wallet = try scene.session.wallet
      for record in try Fixtures.json("issuer/wallet_records.json").requireObject().array("records") {
        let record = try record.requireObject()
        guard try record.string("id") == RegistrarScene.definitionID else { continue }
        let (type, text) = (try record.string("type"), try record.string("value"))
        var value = text.replacing(RegistrarScene.definitionID, with: definitionID)
        if type == "Indy::CredentialDefinition" {
          var json = try JSON(parsing: value)
          json["value"]?["revocation"] = nil
          value = json.text
        }
        try wallet.make([LibraryRecords(of: type, in: wallet).putting(definitionID, value: value)])
      }
      let definition = try CredentialDefinition(
        sourceID: "d", id: definitionID, issuer: "V4SGRU86Z58d6TV7PBUe6f", revocation: nil)
      var credential = try IssuerCredential(
        sourceID: "s", definition: definition, values: #"{"name":"Alice","age":"28"}"#, name: "Degree",
        with: scene.session)
      let offer = try JSON(parsing: credential.offer(with: scene.session))
      #expect(offer["formats"]?.array?.map { $0["format"] } == [.string(format)])
      let content = try JSON(parsing: Attachment(firstOf: offer).content)
      #expect(content["cred_def_id"] == .string(definitionID))
    }
  }
}
