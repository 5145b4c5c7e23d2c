import Sodium
import Testing

/// The sentences of errors.
@Suite struct ErrorTextTests {
  @Test(arguments: [
    (SodiumError.wrongLength(of: "x"), "x has a wrong length"), (.notAuthentic, "authentication failed"),
    (.unusableKey, "the key cannot be used"), (.notBase58, "not base58"), (.notBase64, "not base64"),
    (.outOfMemory, "out of memory"),
  ])
  func anErrorOfAnOperationHasItsSentence(error: SodiumError, text: String) { #expect("\(error)" == text) }
}
