import Credentials
import JSON
import Registry
import TestSupport
import Testing

@testable import MSDK

/// Schemas and credential definitions between the wallet, their serialized form and the registry.
extension SDKTests {
  @Suite struct PublishingTests {
    private static let did = "V4SGRU86Z58d6TV7PBUe6f"

    private func schema(
      _ attributes: String = #"["name","age"]"#, name: String = "degree", version: String = "1.0"
    ) throws -> Schema {
      try Schema(sourceID: "s", name: name, version: version, attributes: attributes, issuer: Self.did)
    }

    @Test func aSchemaIsPublishedOnce() throws {
      let scene = try RegistrarScene()
      var schema = try schema()
      #expect(schema.state == 0)
      let text = schema.serialized()
      var restored = try Schema(serialized: text)
      #expect(restored.state == 0 && restored.serialized() == text)
      try schema.publish(with: scene.session)
      #expect(schema.state == 1)
      #expect(try Schema(serialized: schema.serialized()).state == 1)
      try restored.update(with: scene.session)
      #expect(restored.state == 1)
      let found = try Schema(sourceID: "f", fetching: schema.id, with: scene.session)
      #expect(found.attributes == ["name", "age"] && found.name == "degree" && found.version == "1.0")
      #expect(found.state == 1)
      let described = try JSON(parsing: found.description)
      #expect(described["data"] == ["name", "age"] && described["name"] == "degree" && described["version"] == "1.0")
      #expect(described["schema_id"] == .string(schema.id) && described["source_id"] == "f")
      try restored.publish(with: scene.session)
      var other = try self.schema(#"["name"]"#)
      #expect(throws: PublicationFailure.self) { try other.publish(with: scene.session) }
      #expect(other.state == 0)
    }

    /// Libraries before msdk wrote no state for published objects.
    @Test func theStoredFormSaysWhetherAnObjectIsPublished() throws {
      let text = try JSON(parsing: schema().serialized())
      for (state, isPublished) in [(nil, 1), (0, 0), (1, 1)] as [(JSON?, UInt32)] {
        var stored = text
        stored["data"]?["state"] = state
        #expect(try Schema(serialized: stored.text).state == isPublished)
      }
      for (version, state): (JSON, JSON) in [("1.0", 2), ("1.0", -1), ("2.0", 1)] {
        var stored = text
        stored["version"] = version
        stored["data"]?["state"] = state
        #expect(throws: (any Error).self) { try Schema(serialized: stored.text) }
      }
    }

    @Test func aDefinitionForAnEndorserStaysOne() throws {
      var definition = try CredentialDefinition(sourceID: "d", id: "i", issuer: Self.did, revocation: nil)
      #expect(try !CredentialDefinition(serialized: definition.serialized()).isForEndorser)
      #expect(try JSON(parsing: definition.serialized())["data"]?["msdk"] == nil)
      definition.isForEndorser = true
      #expect(try CredentialDefinition(serialized: definition.serialized()).isForEndorser)
    }

    /// As when its registry is away.
    @Test func aPublishedSchemaStaysPublished() throws {
      let scene = try RegistrarScene()
      var text = try JSON(parsing: schema().serialized())
      text["data"]?["state"] = 1
      var schema = try Schema(serialized: text.text)
      try schema.update(with: scene.session)
      #expect(schema.state == 1)
    }

    @Test func aSchemaThatNobodyPublishedStaysSo() throws {
      let scene = try RegistrarScene()
      var schema = try schema()
      try schema.update(with: scene.session)
      #expect(schema.state == 0)
    }

    @Test(arguments: [
      ("", "1.0", #"["a"]"#), ("a:b", "1.0", #"["a"]"#), ("n", "", #"["a"]"#), ("n", "..", #"["a"]"#),
      ("n", "1.0a", #"["a"]"#), ("n", "1.0", "[]"), ("n", "1.0", #"["a",""]"#), ("n", "1.0", #"[" "]"#),
      ("n", "1.0", #"["given name","GivenName"]"#), ("n", "1.0", #"["a","master_secret"]"#),
      ("n", "1.0", #"["a","Link_Secret"]"#), ("n", "1.0", #"["Master _Secret"]"#),
      // One letter in two normal forms of Unicode.
      ("n", "1.0", "[\"\u{e9}\",\"e\u{301}\"]"),
    ])
    func anImpossibleSchemaIsRefused(name: String, version: String, attributes: String) {
      #expect { try schema(attributes, name: name, version: version) } throws: { error in
        if case .invalidSchema? = error as? IssuingError { true } else { false }
      }
    }

    @Test(arguments: ["did:web:example.com", "short", "did:key:z6MkpTHR8VNsBxYAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH"])
    func anIssuerHasADIDOfIndy(did: String) {
      #expect(throws: IssuingError.invalidIssuer(did)) {
        try Schema(sourceID: "s", name: "n", version: "1.0", attributes: #"["a"]"#, issuer: did)
      }
    }

    @Test func aSchemaHasAtMost125Attributes() throws {
      let names = (1...126).map { "a\($0)" }
      #expect(try schema(JSON(Array(names.dropLast())).text).attributes.count == 125)
      #expect(throws: IssuingError.self) { try schema(JSON(names).text) }
    }

    @Test(arguments: ["", "{}", #"["a",1]"#]) func namesAreAnArrayOfTexts(attributes: String) {
      #expect { try schema(attributes) } throws: { error in
        if case .malformedNames? = error as? IssuingError { true } else { false }
      }
    }

    @Test(arguments: [
      #"{"support_revocation":true,"tails_file":"/t","max_creds":0}"#,
      #"{"support_revocation":true,"tails_file":"/t","max_creds":1048577}"#,
      #"{"support_revocation":true,"tails_file":"/t"}"#, #"{"support_revocation":true,"max_creds":5}"#,
      #"{"support_revocation":true,"tails_file":"","max_creds":5}"#, #"{"support_revocation":1}"#, "[]", "",
    ])
    func impossibleRevocationDetailsAreRefused(text: String) {
      #expect { try RevocationDetails(parsing: text) } throws: { error in
        if case .malformedRevocation? = error as? IssuingError { true } else { false }
      }
    }

    @Test func revocationIsAChoice() throws {
      for text in ["{}", #"{"support_revocation":false,"tails_file":"/t","max_creds":5}"#] {
        #expect(try RevocationDetails(parsing: text).registry == nil)
      }
      for size: Int64 in [1, 1 << 20] {
        let text = #"{"support_revocation":true,"tails_file":"/t","max_creds":\#(size)}"#
        let registry = try RevocationDetails(parsing: text).registry
        #expect(registry?.folder == "/t" && registry?.size == size)
      }
    }

    /// An endorser may have published it, so that its issuer learns of it only by looking.
    @Test func aDefinitionThatSomebodyElsePublishedIsNoticed() throws {
      let scene = try RegistrarScene()
      let own = try scene.session.credentialIssuer().definition(RegistrarScene.definitionID)
      var json = try JSON(parsing: own.text)
      json["tag"] = "other"
      let id = "\(Self.did):3:CL:12:other"
      try scene.session.registries.publish(json, .definition, id)
      for (id, state) in [(id, 1), ("\(Self.did):3:CL:12:unknown", 0)] {
        var definition = try CredentialDefinition(sourceID: "d", id: id, issuer: Self.did, revocation: nil)
        #expect(definition.state == 0)
        try definition.update(with: scene.session)
        #expect(definition.state == state)
      }
    }

    /// Holders need the registry and its status, too.
    @Test(arguments: [[0, 1, 2], [0, 2, 1]]) func aDefinitionIsPublishedOnceAllItsPartsAre(order: [Int]) throws {
      let scene = try RegistrarScene()
      var text = try #require(try Fixtures.json("issuer/public_objects.json")["credentialdef"])
      text["data"]?["state"] = 0
      var definition = try CredentialDefinition(serialized: text.text)
      definition.isForEndorser = true
      let (keys, registries) = (try scene.session.credentialIssuer(), try scene.session.registries)
      let (id, registry) = (definition.id, RegistrarScene.registryID)
      let steps: [() throws -> Void] = [
        { try registries.publish(JSON(parsing: keys.definition(id).text), .definition, id) },
        { try registries.publish(JSON(parsing: keys.registry(registry).text), .revocationRegistry, registry) },
        {
          let list = try keys.firstStatus(of: registry).list
          try registries.publish(
            StatusUpdate(registryID: registry, list: list, previousAccumulator: nil, issued: [], revoked: []))
        },
      ]
      for index in order {
        try definition.update(with: scene.session)
        #expect(definition.state == 0)
        try steps[index]()
      }
      try definition.update(with: scene.session)
      #expect(definition.state == 1)
    }

    @Test func revocationsThatWaitArePublishedByTheNextUpdate() throws {
      let scene = try RegistrarScene()
      var definition = try scene.definition()
      let before = try scene.lists()
      try scene.session.credentialIssuer().revoke(1, in: RegistrarScene.registryID)
      #expect(try scene.lists() == before)
      try definition.update(with: scene.session)
      #expect(try scene.lists().count == before.count + 1)
      #expect(try scene.lists().last?["revocationList"]?.array?[1] == 1)
      try definition.update(with: scene.session)
      #expect(try scene.lists().count == before.count + 1)
    }

    @Test func anEndorserMayBeConfiguredByItsWholeDID() throws {
      let scene = try RegistrarScene()
      try scene.restart(with: ["institution_did": .string("did:sov:\(Self.did)")])
      let text =
        #"{"identifier":"Th7MpTaRZVRYnPiabds81Y","endorser":"\#(Self.did)","operation":{"type":"101"},"signature":"x"}"#
      // A folder takes no transactions: the refusal is the registry's.
      #expect(throws: PublicationFailure.self) { try scene.session.endorse(text) }
    }

    @Test func onlyTheNamedEndorserEndorses() throws {
      let scene = try RegistrarScene()
      let transaction = { (endorser: String) -> String in
        #"{"identifier":"Th7MpTaRZVRYnPiabds81Y","endorser":"\#(endorser)","operation":{"type":"101"},"signature":"x"}"#
      }
      #expect(throws: JSONError.self) { try scene.session.endorse(transaction("Th7MpTaRZVRYnPiabds81Y")) }
      // A folder takes no transactions: the refusal is the registry's.
      #expect(throws: PublicationFailure.self) { try scene.session.endorse(transaction(Self.did)) }
    }
  }
}
