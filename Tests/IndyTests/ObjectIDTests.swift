import Indy
import Testing

/// The forms of the ids of public objects.
@Suite struct ObjectIDTests {
  @Test(
    arguments: [
      ("did:web:x/def", true), ("a1+.-:x", true), ("https://x", true), ("NcYxiDXkpYi6ov5FcYDi1e:2:a:1", false),
      ("1a:x", false), ("a_b:x", false), ("a b:x", false), ("a/b:x", false), (":x", false), ("did", false), ("", false),
      (String(repeating: "a", count: 20) + ":x", true), (String(repeating: "a", count: 21) + ":x", false),
    ])
  func aQualifiedIDBeginsWithAScheme(id: String, isQualified: Bool) { #expect(id.isQualifiedID == isQualified) }

  @Test(
    arguments: [
      ("V4SGRU86Z58d6TV7PBUe6f:2:my degree:1.0", true), ("V4SGRU86Z58d6TV7PBUe6f:3:CL:12:tag", true),
      ("did:indy:sovrin:V4SGRU86Z58d6TV7PBUe6f/anoncreds/v0/SCHEMA/a/1", true), ("did:web:x/def", true),
      ("https://x/y", true), ("creddef:sov:did:sov:NcY:3:CL:12:t", true), ("", false), ("x", false),
      ("V4SGRU86Z58d6TV7PBUe6f", false), ("V4SGRU86Z58d6TV7PBUe6f:9:a:1", false), ("NcY:2:a:1.0", true),
      ("V4SGRU86Z58d6TV7PBUe0f:2:a:1.0", false), ("did:indy:sovrin:short/anoncreds/v0/SCHEMA/a/1", false),
      ("did:indy:sovrin:V4SGRU86Z58d6TV7PBUe6f/other", false), ("did:web:x y", false), ("did:web:caf\u{e9}", false),
      ("did:web:x\n", false),
    ])
  func anObjectIDIsOneOfIndyOrAURI(id: String, isObjectID: Bool) { #expect(id.isObjectID == isObjectID) }
}
