import Testing

@testable import Indy

private let bare = "V4SGRU86Z58d6TV7PBUe6f"
private let qualified = "did:indy:sovrin:staging:\(bare)"

@Suite struct IndyIDTests {
  @Test(arguments: [
    (bare, ["\(bare):2:degree:1.0", "\(bare):3:CL:12:t", "\(bare):4:\(bare):3:CL:12:t:CL_ACCUM:r"]),
    (
      qualified,
      [
        "\(qualified)/anoncreds/v0/SCHEMA/degree/1.0", "\(qualified)/anoncreds/v0/CLAIM_DEF/12/t",
        "\(qualified)/anoncreds/v0/REV_REG_DEF/12/t/r",
      ]
    ),
  ])
  func theDIDOfTheIssuerDecidesTheForm(did: String, texts: [String]) throws {
    let issuer = try #require(IndyDID(did))
    let ids = [
      IndyID(issuer, .schema(name: "degree", version: "1.0")), IndyID(issuer, .definition(schema: "12", tag: "t")),
      IndyID(issuer, .revocationRegistry(definition: texts[1], tag: "r")),
    ]
    #expect(ids.map(\.text) == texts)
    #expect(texts.map { IndyID($0) } == ids)
    #expect(ids.map(\.tag) == [nil, "t", "r"])
  }

  @Test func aDefinitionMayNameItsSchemaByID() throws {
    let id = try #require(IndyID("\(bare):3:CL:\(bare):2:degree:1.0:t"))
    #expect(id.object == .definition(schema: "\(bare):2:degree:1.0", tag: "t"))
    let registry = try #require(IndyID("\(bare):4:\(id.text):CL_ACCUM:r"))
    #expect(registry.object == .revocationRegistry(definition: id.text, tag: "r"))
  }

  @Test func ledgersKnowTheOlderFormOnly() {
    #expect("\(qualified)/anoncreds/v0/SCHEMA/degree/1.0".onLedger == "\(bare):2:degree:1.0")
    #expect("\(qualified)/anoncreds/v0/REV_REG_DEF/12/t/r".onLedger == "\(bare):4:\(bare):3:CL:12:t:CL_ACCUM:r")
    #expect("did:sov:\(bare)".onLedger == bare && qualified.onLedger == bare && bare.onLedger == bare)
    #expect("did:web:example.com".onLedger == "did:web:example.com")
  }

  @Test(arguments: [
    (bare, "a b", true), (bare, "a/b", true), (bare, "a:b", false), (bare, "", false), (qualified, "a b", true),
    (qualified, "a/b", false), (qualified, "a:b", false), (qualified, "a:b:c:d", false), (qualified, "", false),
  ])
  func anIDIsReadableWithoutSeparatorsInItsNames(did: String, name: String, isReadable: Bool) throws {
    let issuer = try #require(IndyDID(did))
    #expect(IndyID(issuer, .schema(name: name, version: "1.0")).isReadable == isReadable)
    #expect(IndyID(issuer, .definition(schema: "12", tag: name)).isReadable == isReadable)
    let definition = IndyID(issuer, .definition(schema: "12", tag: "t")).text
    #expect(IndyID(issuer, .revocationRegistry(definition: definition, tag: name)).isReadable == isReadable)
  }

  @Test(arguments: [
    "", ":::", "did:web:example.com/schema", "short:2:name:1.0", "\(bare):2:degree", "\(bare):9:degree:1.0",
    "did:indy:sovrin/anoncreds/v0/SCHEMA/a/1", "did:indy:sovrin:\(bare)/anoncreds/v1/SCHEMA/a/1",
    "did:indy:sovrin:\(bare)/anoncred/v0/SCHEMA/a/1", "V4SGRU86Z58d6TV7PBUe60:2:degree:1.0",
    "\(bare):2:degree:1.0:x", "\(bare):3:RSA:12:t", "\(bare):3:CL:12", "\(bare):3:CL:12:t:x",
    "\(bare):3:RSA:\(bare):2:degree:1.0:t", "\(bare):4:\(bare):3:CL:12:t:OTHER:r", "\(bare):4:12:CL_ACCUM:r",
    "\(qualified)/anoncreds/v0/SCHEMA/a/1/x", "\(qualified)/anoncreds/v0/CLAIM_DEF/12/t/x",
    "\(bare):3:CL:01:t", "\(bare):3:CL:+1:t", "\(bare):3:CL:-1:t", "\(bare):3:CL::t", "\(bare):3:CL:x:t",
    "\(bare):4:\(qualified)/anoncreds/v0/CLAIM_DEF/1/t:CL_ACCUM:r", "\(bare):3:CL:\u{661}:t",
    "\(bare):4:\(bare):3:CL:01:t:CL_ACCUM:r", "\(qualified)/anoncreds/v0/CLAIM_DEF/+1/t",
    "\(qualified)/anoncreds/v0/CLAIM_DEF/00/t", "\(qualified)/anoncreds/v0/REV_REG_DEF/01/t/r",
    "\(qualified)/anoncreds/v0/REV_REG_DEF/12/t", "\(qualified)/anoncreds/v0/OTHER/12/t",
  ])
  func otherTextsAreNoIDs(text: String) { #expect(IndyID(text) == nil) }
}

extension IndyIDTests {
  @Test(arguments: [
    ("\(bare):3:CL:12:t", "\(qualified)/anoncreds/v0/CLAIM_DEF/12/t", true), (bare, qualified, true),
    (bare, "did:sov:\(bare)", true), ("\(bare):3:CL:13:t", "\(qualified)/anoncreds/v0/CLAIM_DEF/12/t", false),
    (qualified, "did:indy:other:\(bare)", false), (bare, "did:web:x", false),
  ])
  func anOlderIDMayBeAnObjectOfAnyNetwork(one: String, other: String, isPossible: Bool) {
    #expect(one.mayBeSameObject(as: other) == isPossible && other.mayBeSameObject(as: one) == isPossible)
  }

  @Test(
    arguments: [
      ("did:web:example.com/defs/1", ["did:web:example.com"]), ("did:web:a:b?x=1", ["did:web:a:b"]),
      ("did:web:a:b", ["did:web:a", "did:web:a:b"]), ("DID:web:a#1", ["DID:web:a"]),
      ("creddef:web:did:web:a:3:CL:1:t", ["did:web:a"]),
      ("schema:sov:did:sov:\(bare):2:n:1", ["did:sov:\(bare)", bare]),
      ("https://example.com/1", nil), ("x", nil), ("did:x", nil),
    ] as [(String, [String]?)])
  func anIDOfAnotherMethodMayNameItsIssuer(id: String, issuers: [String]?) { #expect(id.namedIssuers == issuers) }
}

@Suite struct IndyDIDTests {
  @Test(arguments: [
    (bare, nil, bare), ("did:sov:\(bare)", nil, bare), (qualified, "sovrin:staging", qualified),
    ("did:indy:sovrin:\(bare)", "sovrin", "did:indy:sovrin:\(bare)"),
  ])
  func aDIDHasABareFormAndPerhapsANetwork(text: String, network: String?, inIDs: String) throws {
    let did = try #require(IndyDID(text))
    #expect(did.bare == bare && did.network == network && did.text == inIDs)
  }

  /// Three of a hundred DIDs have 21 characters.
  @Test(arguments: ["FMSNsMEwPiubgWv9179w4", "1111111111111111", "16cp3gdGHqM4amKLrwC6jf"])
  func aDIDHas16Bytes(text: String) {
    #expect(IndyDID(text)?.bare == text && IndyDID("did:sov:\(text)")?.bare == text)
    #expect(IndyID("\(text):2:degree:1.0")?.issuer.bare == text)
  }

  @Test(arguments: [
    "", "did:web:\(bare)", "did:indy:\(bare)", "did:sov:x:\(bare)", "x:\(bare)", "did:sov:", "short",
    "111111111111111", "11111111111111111", "did:indy::\(bare)", "did:indy:sovrin::\(bare)",
  ])
  func otherTextsAreNoDIDs(text: String) { #expect(IndyDID(text) == nil) }
}
