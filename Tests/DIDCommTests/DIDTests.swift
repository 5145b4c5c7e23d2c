import DIDComm
import Testing

@Suite struct DIDTests {
  @Test(arguments: [
    "9FkgqkGoJ9yoLUCdr22XCx", "5VwLKnZuyaBnYHVzEQqcBiCfhcutCvUQb55XQqbtkXiS", "did:sov:9FkgqkGoJ9yoLUCdr22XCx",
    "did:peer:2.Vz6Mk", "did:web:a.b",
  ])
  func didsAreAccepted(text: String) throws {
    #expect(try DID(text).text == text)
  }

  @Test(arguments: [
    "", "x", "did:", "did:sov:", "did::x", "9FkgqkGoJ9yoLUCdr22XC0", "did:sov:a b", "hello world", "did:x", "die:x:y",
    "did:x:\u{7f}", "did:x:\u{e9}", "did:x:\u{1f}", ":x:y", "did:x:",
  ])
  func otherTextsAreRefused(text: String) {
    #expect(throws: IdentifierError.malformedDID) { try DID(text) }
  }

  @Test func twoSpellingsOfAnIndyDIDMeet() throws {
    #expect(try DID("did:sov:9FkgqkGoJ9yoLUCdr22XCx").unqualified == DID("9FkgqkGoJ9yoLUCdr22XCx"))
  }
}
