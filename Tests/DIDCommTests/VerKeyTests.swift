import DIDComm
import Testing

@Suite struct VerKeyTests {
  let text = "5VwLKnZuyaBnYHVzEQqcBiCfhcutCvUQb55XQqbtkXiS"

  @Test func everyFormOfAKeyIsTheSameKey() throws {
    let key = try VerKey(text)
    #expect(key.text == text)
    #expect(key.didKey.hasPrefix("did:key:z6Mk"))
    #expect(try VerKey(anyForm: key.didKey) == key)
    #expect(try VerKey(anyForm: key.didKey + "#" + key.multibase) == key)
    #expect(try VerKey(anyForm: text) == key)
    #expect(try VerKey(text + ":ed25519") == key)
    #expect(key.did.text == "9FkgqkGoJ9yoLUCdr22XCx")
  }

  @Test(arguments: [
    "", "x", "0OIl", "5VwLKnZuyaBnYHVzEQqcBiCfhcutCvUQb55XQqbt", "thX6LZfHDZZKUs92febYZhYRcXddmzfzF2NvTkPNE",
    "did:key:", "did:key:x6Mk", "did:sov:x", "5VwLKnZuyaBnYHVzEQqcBiCfhcutCvUQb55XQqbtkXiS:x25519",
  ])
  func otherTextsAreRefused(text: String) {
    #expect(throws: IdentifierError.malformedVerKey) { try VerKey(anyForm: text) }
  }

  @Test func keysOfOtherTypesAreNamedAsSuch() {
    // An X25519 key.
    #expect(throws: IdentifierError.unsupportedKeyType) {
      try VerKey(anyForm: "did:key:z6LSbysY2xFMRpGMhb7tFTLMpeuPRaqaWM1yECx2AtzE3KCc")
    }
  }
}
