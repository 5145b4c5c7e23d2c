import JSON
import Testing
import Wallet

@testable import Credentials

@Suite struct CredentialSearchTests {
  private let wallet: TestWallet
  private static let badge = "5f3e2b0a-0000-4000-8000-000000000003"

  /// Two credentials of one definition, the second revocable, and one of another; all without facts.
  init() throws { wallet = try TestWallet.sample() }

  private func found(_ query: String) throws -> [String] {
    let search = try wallet.store.search(CredentialQuery(parsing: query))
    defer { search.close() }
    return try search.next(10).map(\.held.id)
  }

  private func store(_ id: String, _ facts: CredentialFacts) throws {
    try wallet.store.store(
      Vectors.text("credential_processed"), as: id, schema: Vectors.schema, issuer: Vectors.schema.issuer, with: facts)
  }

  // MARK: Conditions

  @Test func withoutAConditionAllAreFoundInTheOrderOfTheirStorage() throws {
    #expect(try found("{}") == [Vectors.first, Vectors.revocable, Self.badge])
  }

  @Test(arguments: [
    #"{"schema_id":"V4SGRU86Z58d6TV7PBUe6f:2:degree:1.0"}"#, #"{"schema_name":"degree","schema_version":"1.0"}"#,
    #"{"cred_def_id":"V4SGRU86Z58d6TV7PBUe6f:3:CL:12:default"}"#, #"{"issuer_did":"V4SGRU86Z58d6TV7PBUe6f"}"#,
    #"{"schema_issuer_did":"V4SGRU86Z58d6TV7PBUe6f"}"#, #"{"attributes":{"ISSUE date":null}}"#,
  ]) func theCredentialsOfAnIssuerAreFound(query: String) throws {
    #expect(try found(query) == [Vectors.first, Vectors.revocable])
  }

  @Test func allConditionsHold() throws {
    #expect(try found(#"{"schema_name":"degree","attributes":{"Age":"28"},"revoked":false}"#).first == Vectors.first)
    #expect(try found(#"{"schema_name":"badge","attributes":{"ISSUE date":null}}"#) == [])
    #expect(try found(#"{"attributes":{"name":"Alice Andersen","age":"29"}}"#) == [])
    #expect(try found(#"{"schema_name":"degree","schema_version":"2.1"}"#) == [])
  }

  @Test func aPlaceAndARevocationAreConditions() throws {
    #expect(
      try found(#"{"rev_reg_id":"V4SGRU86Z58d6TV7PBUe6f:4:V4SGRU86Z58d6TV7PBUe6f:3:CL:12:default:CL_ACCUM:r1"}"#)
        == [Vectors.revocable])
    try wallet.store.mark(Vectors.revocable, revoked: true)
    #expect(try found(#"{"revoked":true}"#) == [Vectors.revocable])
    #expect(try found(#"{"revoked":false}"#) == [Vectors.first, Self.badge])
  }

  /// The value has no tag, so that the wallet's query alone would not find it.
  @Test func aLongValueIsFound() throws {
    let picture = String(repeating: "x", count: 5_000)
    let credential = try Vectors.json("credential_processed").replacing(
      ["values", "name", "raw"], with: .string(picture))
    try wallet.store.store(
      credential.text, as: "picture", schema: Vectors.schema, issuer: "x", with: CredentialFacts(source: nil))
    let query: JSON = ["attributes": ["name": .string(picture)]]
    #expect(try found(query.text) == ["picture"])
  }

  @Test func connectionAndTimeAreFactsOfNewCredentials() throws {
    for (id, time) in [("a", 100), ("b", 200)] as [(String, Int64)] {
      try store(id, CredentialFacts(source: CredentialSource(connection: "did \(id)", issuerKeys: []), received: time))
    }
    #expect(try found(#"{"connection":"did a"}"#) == ["a"])
    #expect(try found(#"{"received_from":100,"received_to":199}"#) == ["a"])
    #expect(try found(#"{"received_from":101}"#) == ["b"])
    #expect(try found(#"{"received_to":99}"#) == [], "credentials of unknown time are not found by time")
  }

  @Test(arguments: [
    "", "[]", #"{"schema":"x"}"#, #"{"schema_id":1}"#, #"{"attributes":["age"]}"#, #"{"attributes":{"age":28}}"#,
    #"{"revoked":"yes"}"#, #"{"received_from":"now"}"#, #"{"$or":[]}"#, #"{"schema_id":{"$neq":"x"}}"#,
  ]) func anUnknownOrMalformedConditionIsRefused(query: String) throws {
    #expect { try CredentialQuery(parsing: query) } throws: { error in
      if case .malformedQuery? = error as? CredentialsError { true } else { false }
    }
  }

  // MARK: Pages

  @Test func pagesFollowEachOtherWithoutGaps() throws {
    let (wallet, text) = (try TestWallet(), try Vectors.text("credential_processed"))
    try wallet.wallet.make((0..<600).map { wallet.records().adding("\($0)", value: $0 == 7 ? "no credential" : text) })
    for id in stride(from: 0, to: 600, by: 2) { try wallet.store.mark("\(id)", revoked: true) }
    let search = try wallet.store.search(CredentialQuery(parsing: #"{"revoked":false}"#))
    var (ids, sizes): ([String], [Int]) = ([], [])
    while case let page = try search.next(140), !page.isEmpty {
      ids += page.map(\.held.id)
      sizes.append(page.count)
    }
    #expect(sizes == [140, 140, 19])
    #expect(ids == (0..<600).filter { $0 % 2 == 1 && $0 != 7 }.map(String.init))
    #expect(try search.next(1).isEmpty)
  }

  @Test func aPageHasALargestSize() throws {
    let (wallet, text) = (try TestWallet(), try Vectors.text("credential_processed"))
    try wallet.wallet.make((0..<1_001).map { wallet.records().adding("\($0)", value: text) })
    let search = try wallet.store.search(CredentialQuery(parsing: "{}"))
    defer { search.close() }
    #expect(try search.next(.max).count == 1_000)
    #expect(try search.next(.max).count == 1)
  }

  @Test func aSearchHasTheCredentialsOfItsBeginning() throws {
    let search = try wallet.store.search(CredentialQuery(parsing: "{}"))
    try wallet.store.delete(Vectors.first)
    try store("later", CredentialFacts(source: nil))
    #expect(try search.next(10).map(\.held.id) == [Vectors.first, Vectors.revocable, Self.badge])
    search.close()
    #expect(throws: WalletError.closed) { try search.next(1) }
  }

  // MARK: A credential

  private static let display: JSON = [
    "comment": "Yours", "attachments": [["@id": "logo", "mime-type": "image/png", "data": ["base64": "aGk="]]],
  ]

  @Test func aCredentialIsShownWithItsFactsAndWithoutItsSignature() throws {
    try store(
      "a",
      CredentialFacts(
        source: CredentialSource(connection: "did a", issuerKeys: ["key"]), received: 7, display: Self.display))
    let text = try wallet.store.found("a").text(withAttachedData: true)
    let shown = try JSON(parsing: text)
    #expect(
      shown == [
        "referent": "a",
        "attrs": shown["attrs"] ?? .null, "schema_id": "V4SGRU86Z58d6TV7PBUe6f:2:degree:1.0",
        "cred_def_id": .string(Vectors.definitionID), "rev_reg_id": nil, "cred_rev_id": nil, "schema_name": "degree",
        "schema_version": "1.0", "issuer_did": "V4SGRU86Z58d6TV7PBUe6f", "revoked": false, "received": 7,
        "connection": "did a", "display": Self.display,
      ])
    #expect(shown["attrs"]?["name"] == "Alice Andersen")
    for secret in ["signature", "p_credential", "key"] { #expect(!text.contains("\"\(secret)\"")) }
  }

  @Test func aListLeavesTheAttachedDataOut() throws {
    try store("a", CredentialFacts(source: nil, display: Self.display))
    let search = try wallet.store.search(CredentialQuery(parsing: #"{"schema_name":"degree"}"#))
    defer { search.close() }
    let shown = try JSON(parsing: #require(try search.next(10).last).text(withAttachedData: false))
    #expect(
      shown["display"] == ["comment": "Yours", "attachments": [["@id": "logo", "mime-type": "image/png"]]])
  }

  @Test func anOlderCredentialLacksTheNewFacts() throws {
    let shown = try JSON(parsing: wallet.store.found(Vectors.revocable).text(withAttachedData: true))
    for fact in ["received", "connection", "display"] { #expect(shown[fact] == .null, "\(fact)") }
    #expect(shown["cred_rev_id"] == "5" && shown["schema_name"] == "degree")
    #expect(throws: CredentialsError.notFound) { try wallet.store.found("another") }
  }

  @Test func theNewFactsStayIfTheCredentialIsRevoked() throws {
    try store("a", CredentialFacts(source: nil, received: 7, display: Self.display))
    try wallet.store.mark("a", revoked: true)
    let found = try wallet.store.found("a")
    #expect(found.held.isRevoked && found.received == 7 && found.display == Self.display)
  }
}
