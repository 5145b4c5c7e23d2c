import DIDComm
import JSON
import Sodium
import Testing

/// The sentences of errors.
@Suite struct ErrorTextTests {
  @Test(arguments: [
    (DIDDocumentError.malformed("x"), "malformed DID document: x"),
    (.noService(.unsupported), "the DID document has no service with an http or WebSocket endpoint"),
    (.needsLedger("x"), "the DID cannot be resolved: its document is on a ledger or on the web"),
    (.unresolvable("x"), "the DID cannot be resolved: it is x"),
  ])
  func anErrorOfADocumentHasItsSentence(error: DIDDocumentError, text: String) { #expect("\(error)" == text) }

  @Test(arguments: [
    (EnvelopeError.malformed("x"), "malformed envelope: x"), (.unsupported("x"), "unsupported envelope: x"),
    (.noRecipient, "the envelope is for none of our keys"), (.notAuthentic, "the envelope does not open"),
    (.malformedRoutingKey, "one of the peer's routing keys is no key"),
    (.tooManyKeys, "there are too many recipients or routing keys"),
  ])
  func anErrorOfAnEnvelopeHasItsSentence(error: EnvelopeError, text: String) { #expect("\(error)" == text) }

  @Test func anErrorOfAKeyHasItsSentence() {
    let key = KeyPair().verkey
    #expect("\(EnvelopeError.unusableKey(key))" == "the key \(key.text) of a recipient cannot be used")
    #expect("\(IdentifierError.malformedVerKey)" == "a key is not 32 bytes in base58, nor a did:key")
    #expect("\(IdentifierError.malformedDID)" == "not a DID")
    #expect("\(IdentifierError.unsupportedKeyType)" == "a key is not of the type Ed25519")
    #expect("\(SignatureError.malformed("x"))" == "malformed signature: x")
    #expect("\(SignatureError.notAuthentic)" == "the signature does not verify")
    #expect("\(EndpointError.unsupported)" == "its endpoint is neither an http nor a WebSocket one")
  }

  @Test func identifiersAreWrittenAsTheyAre() throws {
    let key = KeyPair().verkey
    #expect("\(key)" == key.text && "\(key.did)" == key.did.text)
    #expect(key.didKey == "did:key:" + key.multibase && key.didURL == key.didKey + "#" + key.multibase)
    #expect(MessageType("a", 1, 2, "b").text == "https://didcomm.org/a/1.2/b")
    #expect(MessageType("a", 1, 2, "b").text(minor: 0) == "https://didcomm.org/a/1.0/b")
    #expect(MessageType("a", 1, 2, "b").path == "a/1.2/b")
  }
}
