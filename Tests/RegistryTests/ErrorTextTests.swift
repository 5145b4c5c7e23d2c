import JSON
import Testing

@testable import Registry

/// The sentences of errors, and a limit.
@Suite struct ErrorTextTests {
  @Test(arguments: [
    (RegistryError.notConfigured, "no registry is configured that could have it"), (.notFound, "it is not there"),
    (.unreachable("x"), "no answer: x"), (.invalid("x"), "the answer is wrong: x"),
  ])
  func anErrorOfAReaderHasItsSentence(error: RegistryError, text: String) {
    #expect("\(error)" == text)
    #expect("\(RegistryFailure(.schema, "id", error))" == "schema id: \(text)")
    #expect("\(RegistryFailure(.definition, "id", error))" == "credential definition id: \(text)")
    #expect("\(RegistryFailure(.revocationRegistry, "id", error))" == "revocation registry id: \(text)")
  }

  @Test(arguments: [
    (PublicationError.notConfigured, "no registry is configured for writing"),
    (.exists("x"), "another one is published under this id: x"), (.refused("x"), "refused: x"),
    (.notAccepted("x"), "the request was not accepted: x"), (.unreachable("x"), "no answer: x"),
    (.noKey("x"), "the wallet does not have the key of x"),
    (.unknownAuthor("x"), "the ledger has no key of its author x"),
    (.forged(author: "x"), "the signature is not that of its author x"),
  ])
  func anErrorOfAWriterHasItsSentence(error: PublicationError, text: String) {
    #expect("\(error)" == text)
    #expect("\(PublicationFailure(.object(.schema), "id", error))" == "schema id is not published: \(text)")
    #expect(
      "\(PublicationFailure(.statusList, "id", error))"
        == "status list of revocation registry id is not published: \(text)")
    #expect("\(PublicationFailure(.transaction, "id", error))" == "transaction of id is not published: \(text)")
  }

  @Test func anErrorOfAnAgreementHasItsSentence() {
    let unnamed = "the agreement is given neither by its digest nor by its text and version"
    #expect("\(AgreementError.unnamed)" == unnamed)
    #expect("\(AgreementError.otherDigest)" == "the digest is not that of the agreement's version and text")
  }

  /// Writers and readers of one folder must agree on it.
  @Test func theFileOfStatusListsHas64MebibytesAtMost() { #expect(StatusLists.limit == 67_108_864) }
}
