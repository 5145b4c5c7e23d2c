import AnonCreds
import JSON
import TestSupport
import Testing
import Wallet

@testable import Credentials

/// The sentences of errors, and the names in stored texts, which earlier versions have written.
@Suite struct ErrorTextTests {
  @Test(arguments: [
    (CredentialsError.malformedRequest("x"), "proof request: x"),
    (.malformedRequestedAttributes("x"), "requested attributes: x"),
    (.malformedRequestedPredicates("x"), "requested predicates: x"), (.malformedInterval("x"), "interval: x"),
    (.unsupportedRestriction("x"), "restriction: x"), (.malformedSelection("x"), "selected credentials: x"),
    (.malformedSelfAttested("x"), "self-attested attributes: x"), (.malformedOffer("x"), "credential offer: x"),
    (.malformedCredential("x"), "credential: x"), (.notFound, "the wallet has no such credential"),
    (.exists, "the wallet has another credential of this exchange"), (.revoked, "the credential is revoked"),
    (.malformedQuery("x"), "search for credentials: x"),
    (.absentObject, "there is no such public object"), (.unusableObject("x"), "public object: x"),
    (.malformedRegistry("x"), "revocation registry: x"),
  ])
  func anErrorOfAHolderHasItsSentence(error: CredentialsError, text: String) { #expect("\(error)" == text) }

  @Test(arguments: [
    (IssuingError.malformedNames("x"), "attributes of the schema: x"), (.invalidSchema("x"), "schema: x"),
    (.invalidTag("x"), "tag of the definition: x"),
    (.invalidIssuer("x"), "x is no DID of did:sov, did:indy or did:webvh"),
    (.malformedValues("x"), "values of the credential: x"), (.malformedRevocation("x"), "revocation: x"),
    (.noKeys("x"), "the wallet does not have the keys of x"), (.malformedRequest("x"), "credential request: x"),
    (
      .otherTerms,
      "the exchange has an offer with other values, or of another credential definition or revocation registry"
    ),
    (.registryFull, "revocation registry is full"),
  ])
  func anErrorOfAnIssuerHasItsSentence(error: IssuingError, text: String) { #expect("\(error)" == text) }

  /// Applications compare the codes.
  @Test func theDocumentsListTheCodesOfVerdicts() {
    #expect(
      Verdict.Reason.allCases.map(\.rawValue) == [
        "malformed", "ambiguous", "missing", "repeated", "unrequested", "self-attested", "unknown-object",
        "unusable-object", "other-object", "attribute", "value", "predicate", "restriction", "revocation-unproved",
        "time", "proof",
      ])
    #expect(Verdict.Warning.allCases.map(\.rawValue) == ["withheld", "not-revocable", "self-attested"])
  }

  // MARK: Stored texts

  @Test func theStoredTextsHaveTheirNames() {
    var facts = CredentialFacts(source: CredentialSource(connection: "d", issuerKeys: ["k"]), format: "indy")
    facts.isRevoked = true
    #expect(facts.text == #"{"revoked":true,"connection":"d","issuer_keys":["k"],"format":"indy"}"#)
    #expect(CredentialFacts(source: nil).text == #"{"revoked":false}"#)
    var issuance = Issuance()
    (issuance.offer, issuance.index, issuance.credential, issuance.isOver) = (["a": 1], 7, "c", true)
    #expect(issuance.text == #"{"offer":{"a":1},"index":7,"credential":"c","over":true}"#)
    #expect(Issuance().text == "{}")
    let pending = PendingStatus(previousAccumulator: "1", accumulator: "2", issued: [5, 4], revoked: [3, 2])
    #expect(pending.text == #"{"prevAccum":"1","accum":"2","issued":[4,5],"revoked":[2,3]}"#)
    #expect(CredentialRequest(text: "r", metadata: "m").json == ["request": "r", "metadata": "m"])
    let hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    #expect(AnsweredOffer("abc", on: "t", from: "i").requestID == "t i \(hash)")
  }

  @Test func theRecordsHaveTheirTypes() throws {
    let wallet = try TestWallet()
    let issuer = CredentialIssuer(
      wallet: wallet.wallet, engine: try Engine.open(at: CredentialLibraries.anonCreds), now: { 0 })
    let pending = PendingStatus(previousAccumulator: "1", accumulator: "2", issued: [], revoked: [3])
    try wallet.wallet.make(
      [issuer.issuances.putting("t", value: "{}")] + issuer.registries.noting(pending, insteadOf: nil, of: "r"))
    let offer = AnsweredOffer("o", on: "t", from: "issuer")
    try wallet.store.keep(CredentialRequest(text: "r", metadata: "m"), answering: offer)
    try wallet.store.mark("c", revoked: true)
    for (type, id) in [
      ("msdk.issuance", "t"), ("msdk::rev_pending", "r"), ("msdk.credential_request", offer.requestID),
      ("msdk.credential", "c"),
    ] {
      #expect(try wallet.records(type).find(id) != nil, "\(type)")
    }
    #expect(try wallet.records("msdk.credential").search(#"{"revoked":"1"}"#).next(.max).records.map(\.id) == ["c"])
    try wallet.wallet.make(issuer.registries.noting(nil, insteadOf: pending, of: "r"))
    #expect(try wallet.records("msdk::rev_pending").find("r") == nil)
  }
}
