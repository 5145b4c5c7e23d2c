import AnonCreds
import JSON
import Sodium
import Testing

@testable import Credentials

@Suite struct AttributeTests {
  @Test func valuesAreEncodedAsTheEngineDoesIt() throws {
    for sample in try Vectors.json("encoding").requireArray() {
      let raw = try sample.requireObject().string("raw")
      #expect(try AttributeEncoding.encode(raw) == sample.requireObject().string("encoded"), "\(raw)")
    }
  }

  @Test(arguments: ["Issue Date", "issue date", " ISSUEDATE", "issueDate"])
  func namesCompareWithoutSpacesAndCase(spelling: String) {
    #expect(AttributeName(spelling) == AttributeName("issuedate"))
    #expect(AttributeName(spelling).marker == "attr::issuedate::marker")
  }

  @Test func aTagNamesAnAttribute() {
    #expect(AttributeName.of(valueTag: "attr::age::value")?.text == "age")
    #expect(AttributeName.of(marker: "attr::age::marker")?.text == "age")
    for tag in ["attr::value", "attr::::value", "attr:: ::value", "attr::age", "age::value", "value"] {
      #expect(AttributeName.of(valueTag: tag) == nil, "\(tag)")
    }
  }

  @Test func namesInOtherScriptsLoseTheirCaseToo() {
    #expect(AttributeName("Straße ÄÖÜ").text == "straßeäöü")
    #expect(AttributeName("ÄÖÜ").text == "äöü" && AttributeName("é").text == "é")
  }

  /// The keys that the engine 0.2.3 gives a definition with these attributes.
  @Test(arguments: [
    ("ΟΔΟΣ", "οδος"), ("ΣΑ", "σα"), ("Σ", "σ"), ("ΑΣ Β", "ασβ"), ("A.Σ", "a.ς"), ("aΣ'b", "aσ'b"), ("aΣ.", "aς."),
    ("aΣ 1", "aς1"), ("abcdefghijklmnopqrstuvwxΣ", "abcdefghijklmnopqrstuvwxς"),
    ("abcdefghijklmnopΣb", "abcdefghijklmnopσb"), ("İd", "i\u{307}d"), ("\u{2167}", "\u{2177}"), ("\u{1c5}", "\u{1c6}"),
    ("K\u{212a}", "kk"), ("\u{c9}", "\u{e9}"), ("E\u{301}", "e\u{301}"),
  ])
  func theNamesMatchTheEngine(spelling: String, common: String) {
    #expect(Array(AttributeName(spelling).text.utf8) == Array(common.utf8))
  }

  @Test func namesThatOnlyLookTheSameDiffer() {
    let (one, other) = (AttributeName("\u{e9}"), AttributeName("e\u{301}"))
    #expect(one != other && Set([one, other]).count == 2)
    #expect(AttributeName("ΟΔΟΣ") != AttributeName("οδοσ"))
  }

  @Test func anIDOfIndyTellsTheFactsAboutASchema() {
    #expect(SchemaName(id: "V4SGRU86Z58d6TV7PBUe6f:2:degree:1.0") == Vectors.schema)
    let issuer = "did:indy:sov:V4SGRU86Z58d6TV7PBUe6f"
    let schema = SchemaName(issuer: issuer, name: "degree", version: "1.0")
    #expect(SchemaName(id: "\(issuer)/anoncreds/v0/SCHEMA/degree/1.0") == schema)
    #expect(SchemaName(id: Vectors.definitionID) == nil)
    #expect(SchemaName(id: "did:web:example.com/schema/1") == nil)
  }

  @Test(arguments: [
    ("creddef:sov:did:sov:NcY:3:CL:12:tag", "NcY:3:CL:12:tag"), ("did:sov:NcY", "NcY"), ("NcY:2:a:1", "NcY:2:a:1"),
    ("creddef:sov:did:sov:NcY:3:CL:schema:sov:did:sov:NcY:2:gvt:1.0:tag", "NcY:3:CL:NcY:2:gvt:1.0:tag"), ("", ""),
    ("did", "did"), ("did:sov", "did:sov"), ("schema:sov:did:sov:NcY:2:gvt:1.0", "NcY:2:gvt:1.0"),
    ("revreg:sov:did:sov:NcY:4:x", "NcY:4:x"), ("NcY:2:schema:1.0", "NcY:2:schema:1.0"),
    ("NcY:2:did:1.0", "NcY:2:did:1.0"), ("NcY:2:x:did", "NcY:2:x:did"), ("NcY:3:x:did:12:t", nil), ("did:web:NcY", nil),
    ("creddef:web:did:web:NcY:3:CL:12:tag", nil), ("creddef:sov:did:web:NcY:3:CL:12:tag", nil),
    ("creddef:sov:did:sov:NcY:3:CL:schema:web:did:web:NcY:2:gvt:1.0:tag", nil),
  ])
  func aPrefixedIDOfSovHasAShortForm(id: String, short: String?) { #expect(PrefixedID.short(id) == short) }

  @Test func aProverIsNamedAsTheDefinitionDemands() throws {
    guard case .proverDID(let did) = RequestIdentity(forDefinition: Vectors.definitionID) else {
      Issue.record("no DID")
      return
    }
    #expect(try Base58.decode(did).count == 16)
    #expect(RequestIdentity(forDefinition: Vectors.definitionID) != .proverDID(did))
    for id in ["did:web:example.com/def/1", "creddef:sov:did:sov:NcY:3:CL:12:tag", "https://example.com/1"] {
      guard case .entropy = RequestIdentity(forDefinition: id) else {
        Issue.record("\(id): no entropy")
        return
      }
    }
  }

  // MARK: libindy's names

  @Test func metadataHasTheNamesOfItsReader() throws {
    let engine = #"{"link_secret_blinding_data":{"v_prime":"1"},"nonce":"2","link_secret_name":"main"}"#
    let indy = IndyForm.metadata(engine)
    #expect(
      try JSON(parsing: indy) == [
        "master_secret_blinding_data": ["v_prime": "1"], "nonce": "2", "master_secret_name": "main",
      ])
    for text in [engine, indy] {
      #expect(try JSON(parsing: IndyForm.engineMetadata(text)) == JSON(parsing: engine))
    }
    #expect(IndyForm.engineMetadata("no JSON") == "no JSON")
  }

  @Test func aDefinitionOfIndyGetsItsIssuer() throws {
    let engine = try Vectors.json("cred_def")
    let indy = try JSON(parsing: IndyForm.definition(engine.text, id: Vectors.definitionID))
    #expect(indy["id"] == .string(Vectors.definitionID) && indy["ver"] == "1.0")
    var older = indy
    older["issuerId"] = nil
    for json in [indy, older, engine] { #expect(try JSON(parsing: IndyForm.engineDefinition(json.text)) == engine) }
  }
}
