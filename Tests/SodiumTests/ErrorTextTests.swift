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

  @Test(arguments: [
    (KeyFileError.unreadable, "the key file cannot be read"), (.unwritable, "the key file cannot be written"),
    (.readableByOthers, "the key file is open to others than its owner (it should have mode 0600)"),
    (.wrongLength, "the key file has a wrong length"), (.exists, "the key file exists already"),
  ])
  func anErrorOfAKeyFileHasItsSentence(error: KeyFileError, text: String) { #expect("\(error)" == text) }
}
