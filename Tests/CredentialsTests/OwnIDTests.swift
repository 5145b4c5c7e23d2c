import Testing

@testable import Credentials

/// The ids under which this program publishes.
@Suite struct OwnIDTests {
  @Test(arguments: [
    (
      "V4SGRU86Z58d6TV7PBUe6f", "V4SGRU86Z58d6TV7PBUe6f:2:degree:1.0", "V4SGRU86Z58d6TV7PBUe6f:3:CL:12:t",
      "V4SGRU86Z58d6TV7PBUe6f:4:V4SGRU86Z58d6TV7PBUe6f:3:CL:12:t:CL_ACCUM:r"
    ),
    (
      "did:indy:sov:test:V4SGRU86Z58d6TV7PBUe6f",
      "did:indy:sov:test:V4SGRU86Z58d6TV7PBUe6f/anoncreds/v0/SCHEMA/degree/1.0",
      "did:indy:sov:test:V4SGRU86Z58d6TV7PBUe6f/anoncreds/v0/CLAIM_DEF/12/t",
      "did:indy:sov:test:V4SGRU86Z58d6TV7PBUe6f/anoncreds/v0/REV_REG_DEF/12/t/r"
    ),
  ])
  func theDIDOfTheIssuerDecidesTheForm(issuer: String, schema: String, definition: String, registry: String) {
    #expect(OwnID.schema(of: issuer, name: "degree", version: "1.0") == schema)
    #expect(OwnID.definition(of: issuer, schema: 12, tag: "t") == definition)
    #expect(OwnID.registry(of: definition, tag: "r") == registry)
    #expect(OwnID.issuer(of: schema) == issuer && OwnID.issuer(of: definition) == issuer)
    #expect(OwnID.tag(of: definition) == "t")
  }
}
