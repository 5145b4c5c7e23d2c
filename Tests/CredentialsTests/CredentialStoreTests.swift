import JSON
import Testing
import Threading
import Wallet

@testable import Credentials

@Suite struct CredentialStoreTests {
  private static func offer(
    _ text: String = "offer", on thread: String, from issuer: String = "issuer"
  ) -> AnsweredOffer { AnsweredOffer(text, on: thread, from: issuer) }

  private func store(
    _ wallet: TestWallet, _ name: String, as id: String, from source: CredentialSource? = nil, in format: String? = nil
  ) throws {
    try wallet.store.store(
      Vectors.text(name), as: id, answering: Self.offer(on: id), schema: Vectors.schema, issuer: Vectors.schema.issuer,
      with: CredentialFacts(source: source, format: format))
  }

  @Test func aCredentialIsStoredAsLibindyStoresIt() throws {
    let wallet = try TestWallet()
    try store(wallet, "credential_processed", as: Vectors.first)
    let expected = try #require(try Vectors.json("wallet_records").array?.first { $0["id"]?.string == Vectors.first })
    let record = try #require(try wallet.records().find(Vectors.first))
    #expect(try JSON(parsing: record.value) == expected["value"])
    #expect(try record.tags == Tags(json: #require(expected["tags"])))
  }

  @Test func theRegistrysAccumulatorAndTheFirstWitnessAreLeftOut() throws {
    let wallet = try TestWallet()
    try store(wallet, "credential_rev_issued", as: "a")
    let value = try JSON(parsing: #require(try wallet.records().find("a")).value)
    #expect(value["rev_reg"] == .null && value["witness"] == .null)
    #expect(value["signature"]?["r_credential"]?["i"] == 5)
  }

  @Test func aWalletOfLibindyTellsItsCredentials() throws {
    let wallet = try TestWallet.sample(with: false)
    let held = try wallet.store.all()
    #expect(held.map(\.id) == [Vectors.first, Vectors.revocable])
    #expect(held.map(\.content.revocationIndex) == [nil, 5])
    #expect(
      try JSON(parsing: held[0].info) == [
        "referent": .string(Vectors.first),
        "attrs": ["degree": "Computer Science", "name": "Alice Andersen", "Issue Date": "20240131", "age": "28"],
        "schema_id": "V4SGRU86Z58d6TV7PBUe6f:2:degree:1.0", "cred_def_id": .string(Vectors.definitionID),
        "rev_reg_id": nil, "cred_rev_id": nil,
      ])
    #expect(try JSON(parsing: held[1].info)["cred_rev_id"] == "5")
  }

  @Test func aCredentialStoredAgainIsOne() throws {
    let wallet = try TestWallet()
    try store(wallet, "credential_processed", as: "thread")
    try store(wallet, "credential_processed", as: "thread")
    #expect(try wallet.store.all().count == 1)
  }

  /// The user has seen the values of the first one.
  @Test(arguments: [["values", "age", "raw"], ["signature", "p_credential", "v"]])
  func aThreadTakesNoSecondCredential(path: [String]) throws {
    let wallet = try TestWallet()
    try store(wallet, "credential_processed", as: "thread")
    let before = try #require(try wallet.records().find("thread"))
    let changed = try Vectors.json("credential_processed").replacing(path[...], with: "29")
    #expect(throws: CredentialsError.exists) {
      try wallet.store.store(
        changed.text, as: "thread", schema: Vectors.schema, issuer: Vectors.schema.issuer,
        with: CredentialFacts(source: nil))
    }
    #expect(try wallet.records().find("thread") == before)
  }

  /// An issuer may send another credential on a thread whose credential the user has deleted.
  @Test func aMessageIsToldFromAnotherOfItsThread() throws {
    let wallet = try TestWallet()
    try store(wallet, "credential_processed", as: "thread")
    let message = try Vectors.json("credential_issued")
    try wallet.store.require("thread", isOf: message)
    let other = message.replacing(["signature", "p_credential", "a"], with: "29")
    #expect(throws: CredentialsError.notFound) { try wallet.store.require("thread", isOf: other) }
    #expect(throws: CredentialsError.notFound) { try wallet.store.require("none", isOf: message) }
  }

  @Test func theThreadOfACredentialTakesNoneOfAnotherDefinition() throws {
    let wallet = try TestWallet.sample()
    let id = "5f3e2b0a-0000-4000-8000-000000000003"
    #expect(throws: CredentialsError.exists) { try store(wallet, "credential_processed", as: id) }
    #expect(try wallet.store.credential(id).held.content.schemaID == "NcYxiDXkpYi6ov5FcYDi1e:2:badge:2.1")
  }

  @Test func aDeletedCredentialIsGoneWithItsTags() throws {
    let wallet = try TestWallet.sample()
    try wallet.store.mark(Vectors.first, revoked: true)
    try wallet.store.delete(Vectors.first)
    #expect(throws: CredentialsError.notFound) { try wallet.store.credential(Vectors.first) }
    #expect(throws: CredentialsError.notFound) { try wallet.store.delete(Vectors.first) }
    #expect(try wallet.store.all().count == 2)
    #expect(try wallet.records("msdk.credential").find(Vectors.first) == nil)
  }

  @Test func aRevokedCredentialIsMarkedUntilItIsNot() throws {
    let wallet = try TestWallet.sample()
    try wallet.store.mark(Vectors.revocable, revoked: true)
    #expect(try wallet.store.all().filter(\.isRevoked).map(\.id) == [Vectors.revocable])
    #expect(try wallet.store.credential(Vectors.revocable).held.isRevoked)
    try wallet.store.mark(Vectors.revocable, revoked: false)
    #expect(try wallet.store.all().filter(\.isRevoked).isEmpty)
    try wallet.store.mark(Vectors.first, revoked: false)
    #expect(try wallet.records("msdk.credential").find(Vectors.first) == nil, "nothing to note")
  }

  @Test func ofTwoIDsThatLookAlikeOneIsRevoked() throws {
    let wallet = try TestWallet()
    let ids = ["\u{e9}", "e\u{301}"]
    for id in ids { try store(wallet, "credential_processed", as: id) }
    try wallet.store.mark(ids[1], revoked: true)
    #expect(try wallet.store.all().map(\.isRevoked) == [false, true])
  }

  @Test func theSourceOfACredentialIsKept() throws {
    let wallet = try TestWallet.sample()
    let source = CredentialSource(connection: "Th7MpTaRZVRYnPiabds81Y", issuerKeys: ["key"])
    try store(wallet, "credential_processed", as: "a", from: source)
    try wallet.store.mark("a", revoked: true)
    #expect(try wallet.store.source(of: "a") == source)
    #expect(try wallet.store.source(of: Vectors.first) == nil)
    // A stranger's exchange may have the thread of another one.
    let other = CredentialSource(connection: "other", issuerKeys: source.issuerKeys)
    #expect(try wallet.store.has("a", from: source) && wallet.store.has(Vectors.first, from: nil))
    #expect(try !wallet.store.has("a", from: other) && !wallet.store.has("a", from: nil))
    #expect(try !wallet.store.has("b", from: source))
  }

  /// An object from an older text finds the message with the credential again.
  @Test func aCredentialStoredAgainKeepsItsFacts() throws {
    let wallet = try TestWallet()
    let sources = ["a", "b"].map { CredentialSource(connection: $0, issuerKeys: [$0]) }
    try store(wallet, "credential_processed", as: "thread", from: sources[0], in: "indy")
    try wallet.store.mark("thread", revoked: true)
    try store(wallet, "credential_processed", as: "thread", from: sources[1])
    #expect(try wallet.store.source(of: "thread") == sources[0])
    #expect(try wallet.store.all().map(\.isRevoked) == [true])
    #expect(try wallet.store.format(ofDefinitions: [Vectors.definitionID], orOver: "a") == "indy")
  }

  @Test func aCredentialWithoutFactsGetsThem() throws {
    let wallet = try TestWallet()
    try store(wallet, "credential_processed", as: "thread")
    try wallet.wallet.make([wallet.records("msdk.credential").removing("thread")])
    let source = CredentialSource(connection: "a", issuerKeys: ["a"])
    try store(wallet, "credential_processed", as: "thread", from: source)
    #expect(try wallet.store.source(of: "thread") == source)
  }

  @Test func aDeletedCredentialDoesNotComeBack() throws {
    let wallet = try TestWallet()
    try store(wallet, "credential_processed", as: "thread")
    try wallet.store.delete("thread")
    try wallet.store.keep(CredentialRequest(text: "r", metadata: "m"), answering: Self.offer(on: "thread"))
    try store(wallet, "credential_processed", as: "thread")
    #expect(try wallet.store.all().isEmpty)
    #expect(try wallet.records("msdk.credential").find("thread") == nil)
    #expect(try wallet.store.request(answering: Self.offer(on: "thread")) == nil)
  }

  /// The user may ask for the credential again.
  @Test func anotherCredentialTakesTheThreadOfADeletedOne() throws {
    let wallet = try TestWallet()
    try store(wallet, "credential_processed", as: "thread")
    try wallet.store.delete("thread")
    let other = try Vectors.json("credential_processed").replacing(["signature", "p_credential", "v"], with: "29")
    try wallet.store.store(
      other.text, as: "thread", schema: Vectors.schema, issuer: Vectors.schema.issuer,
      with: CredentialFacts(source: nil))
    #expect(try wallet.store.all().map(\.id) == ["thread"])
  }

  /// Two objects of offers with one id receive their credentials at the same moment.
  @Test func ofTwoCredentialsAtOnceOneIsStored() throws {
    let wallet = try TestWallet()
    let store = wallet.store
    let texts = try ["28", "29"].map {
      try Vectors.json("credential_processed").replacing(["values", "age", "raw"], with: .string($0)).text
    }
    for round in 0..<30 {
      let (ready, stored) = (Monitor(0), Monitor<[Bool]>([]))
      for text in texts {
        Threads.shared.post {
          ready.withLock { $0 += 1 }
          ready.wait { $0 == 2 ? () : nil }
          let isStored =
            (try? store.store(
              text, as: "\(round)", schema: Vectors.schema, issuer: Vectors.schema.issuer,
              with: CredentialFacts(source: nil))) != nil
          stored.withLock { $0.append(isStored) }
        }
      }
      #expect(stored.wait { $0.count == 2 ? $0 : nil }.filter(\.self).count == 1)
    }
    #expect(try wallet.store.all().count == 30)
  }

  @Test func theCredentialsOfARegistryAreToldApartByTheirPlaces() throws {
    let wallet = try TestWallet()
    let registry = try #require(try Vectors.json("credential_rev_issued")["rev_reg_id"]?.string)
    try wallet.put([
      "type": "Indy::Credential", "id": "unreadable", "value": "no JSON", "tags": ["rev_reg_id": .string(registry)],
    ])
    for place: Int64 in [5, 6, 7] {
      let credential = try Vectors.json("credential_rev_issued")
        .replacing(["signature", "r_credential", "i"], with: .integer(place))
      try wallet.store.store(
        credential.text, as: "at \(place)", schema: Vectors.schema, issuer: Vectors.schema.issuer,
        with: CredentialFacts(source: nil))
    }
    let found = try (4...8).map { try wallet.store.credential(registry: registry, index: $0)?.id }
    #expect(found == [nil, "at 5", "at 6", "at 7", nil])
  }

  @Test func theFormatOfTheLastCredentialIsKnown() throws {
    let wallet = try TestWallet.sample()
    let source = CredentialSource(connection: "Th7MpTaRZVRYnPiabds81Y", issuerKeys: ["key"])
    let format = { try wallet.store.format(ofDefinitions: $0, orOver: $1) }
    let definition = try wallet.store.credential(Vectors.first).held.content.definitionID
    #expect(try format([definition], "none") == nil)
    try store(wallet, "credential_processed", as: "a", from: source, in: "indy")
    try store(wallet, "credential_processed", as: "b", in: "anoncreds")
    try wallet.store.mark("b", revoked: true)
    #expect(try format([definition], "none") == "anoncreds")
    #expect(try format([], source.connection) == "indy")
    try store(wallet, "credential_processed", as: "c")
    #expect(try format([definition], "none") == "anoncreds")
    #expect(try format([], "none") == nil)
  }

  @Test func aCredentialIsFoundByItsPlaceInTheRegistry() throws {
    let wallet = try TestWallet.sample()
    let registry = "V4SGRU86Z58d6TV7PBUe6f:4:V4SGRU86Z58d6TV7PBUe6f:3:CL:12:default:CL_ACCUM:r1"
    let found = try #require(try wallet.store.credential(registry: registry, index: 5))
    #expect(found.id == Vectors.revocable && found.tags["rev_reg_id"] == registry)
    #expect(try wallet.store.credential(registry: registry, index: 6) == nil)
    #expect(try wallet.store.credential(registry: "None", index: 5) == nil)
  }

  @Test func anUnreadableRecordHidesNoOther() throws {
    let wallet = try TestWallet.sample()
    for value in ["{}", "no JSON", #"{"schema_id":"a","cred_def_id":"b","values":{"x":1}}"#] {
      try wallet.put(["type": "Indy::Credential", "id": .string("bad \(value)"), "value": .string(value), "tags": [:]])
    }
    #expect(try wallet.store.all().count == 3)
  }

  /// The wallet gives the records in portions.
  @Test func anUnreadableRecordDoesNotEndTheSearch() throws {
    let (wallet, text) = (try TestWallet(), try Vectors.text("credential_processed"))
    let values = ["no credential"] + [String](repeating: text, count: 300)
    try wallet.wallet.make(values.enumerated().map { wallet.records().adding("\($0)", value: $1) })
    #expect(try wallet.store.all().map(\.id) == (1...300).map(String.init))
  }

  @Test func aPolicyOfLibindyDecidesWhichAttributesHaveTags() throws {
    let wallet = try TestWallet()
    try wallet.put([
      "type": "Indy::CredentialAttrTagPolicy", "id": .string(Vectors.definitionID), "value": #"["Issue Date"]"#,
      "tags": [:],
    ])
    try store(wallet, "credential_processed", as: "a")
    let tags = try #require(try wallet.records().find("a")).tags
    #expect(
      tags.map(\.name).filter { $0.hasPrefix("attr::") } == ["attr::issuedate::marker", "attr::issuedate::value"])
    let request: JSON = ["requested_attributes": ["shown": ["name": "issue date"], "hidden": ["name": "name"]]]
    let selection = Selection(for: try ProofRequest(parsing: request.text), among: try wallet.store.all())
    #expect(selection.attributes.map(\.count) == [1, 0])
  }

  @Test(arguments: ["{}", "no JSON", "1"]) func aMalformedPolicyChangesNothing(policy: String) throws {
    let wallet = try TestWallet()
    try wallet.put([
      "type": "Indy::CredentialAttrTagPolicy", "id": .string(Vectors.definitionID), "value": .string(policy),
      "tags": [:],
    ])
    try store(wallet, "credential_processed", as: "a")
    #expect(try wallet.records().find("a")?.tags.filter { $0.name.hasSuffix("::marker") }.count == 4)
  }

  @Test func aPictureHasNoTagOfItsValue() throws {
    let wallet = try TestWallet()
    var credential = try Vectors.json("credential_processed")
    let longest = String(repeating: "x", count: 4_096)
    credential["values"]?["name"]?["raw"] = .string(longest + "x")
    credential["values"]?["degree"]?["raw"] = .string(longest)
    try wallet.store.store(
      credential.text, as: "a", schema: Vectors.schema, issuer: "x", with: CredentialFacts(source: nil))
    let tags = try #require(try wallet.records().find("a")).tags
    #expect(tags["attr::name::marker"] == "1")
    #expect(tags["attr::name::value"] == nil)
    #expect(tags["attr::degree::value"] == longest)
    #expect(tags["attr::age::value"] == "28")
  }

  @Test func aQualifiedCredentialIsFoundByItsShortIDsToo() throws {
    let text = #"""
      {"schema_id":"schema:sov:did:sov:NcY:2:gvt:1.0","cred_def_id":"creddef:sov:did:sov:NcY:3:CL:12:t",
       "rev_reg_id":null,"values":{}}
      """#
    let registry = "revreg:sov:did:sov:NcY:4:t"
    let inRegistry = CredentialTags.tags(
      of: try CredentialContent(parsing: text.replacing("null", with: "\"\(registry)\"")),
      schema: SchemaName(issuer: "x", name: "gvt", version: "1.0"), issuer: "x")
    #expect(inRegistry["rev_reg_id"] == registry && inRegistry["rev_reg_id_short"] == "NcY:4:t")
    let tags = CredentialTags.tags(
      of: try CredentialContent(parsing: text),
      schema: SchemaName(issuer: "did:sov:NcY", name: "gvt", version: "1.0"), issuer: "did:sov:NcY")
    #expect(
      tags == [
        "schema_id": "schema:sov:did:sov:NcY:2:gvt:1.0", "schema_id_short": "NcY:2:gvt:1.0",
        "schema_issuer_did": "did:sov:NcY", "schema_issuer_did_short": "NcY", "schema_name": "gvt",
        "schema_version": "1.0", "issuer_did": "did:sov:NcY", "issuer_did_short": "NcY",
        "cred_def_id": "creddef:sov:did:sov:NcY:3:CL:12:t", "cred_def_id_short": "NcY:3:CL:12:t",
        "rev_reg_id": "None",
      ])
  }

  /// A bare id in a restriction means an id of `did:sov`, and of no other method.
  @Test func aCredentialOfAnotherMethodHasNoShortIDs() throws {
    let text = #"""
      {"schema_id":"schema:web:did:web:NcY:2:gvt:1.0","cred_def_id":"creddef:web:did:web:NcY:3:CL:12:t",
       "rev_reg_id":null,"values":{}}
      """#
    let tags = CredentialTags.tags(
      of: try CredentialContent(parsing: text),
      schema: SchemaName(issuer: "did:web:NcY", name: "gvt", version: "1.0"), issuer: "did:web:NcY")
    for name in CredentialTags.shortened { #expect(tags["\(name)_short"] == nil, "\(name)") }
  }

  @Test func aThousandCredentialsAreAllFound() throws {
    let wallet = try TestWallet()
    let text = try Vectors.text("credential_processed")
    let tags = CredentialTags.tags(
      of: try CredentialContent(parsing: text), schema: Vectors.schema, issuer: Vectors.schema.issuer)
    try wallet.wallet.make((0..<1_000).map { wallet.records().adding("\($0)", value: text, tags: tags) })
    #expect(try wallet.store.all().map(\.id) == (0..<1_000).map(String.init))
  }

  // MARK: Requests

  @Test func aRequestIsKeptUntilItsCredentialIsDeleted() throws {
    let wallet = try TestWallet()
    let request = CredentialRequest(text: "r", metadata: "m")
    try wallet.store.keep(request, answering: Self.offer(on: "thread"))
    #expect(try wallet.store.request(answering: Self.offer(on: "thread")) == request)
    #expect(try wallet.store.request(answering: Self.offer("another offer", on: "thread")) == nil)
    for _ in 0..<2 {
      try store(wallet, "credential_processed", as: "thread")
      #expect(try wallet.store.request(answering: Self.offer(on: "thread")) == request)
    }
    try wallet.store.delete("thread")
    #expect(try wallet.store.request(answering: Self.offer(on: "thread")) == nil)
  }

  @Test(arguments: ["request", "metadata"]) func aStoredRequestWithoutAPartIsIgnored(member: String) throws {
    let wallet = try TestWallet()
    let request = CredentialRequest(text: "r", metadata: "m")
    #expect(CredentialRequest(parsing: request.json.text) == request)
    let records = wallet.records("msdk.credential_request")
    for text in [request.json.with([member: .null]).text, request.json.with([member: 1]).text, "no JSON"] {
      try wallet.wallet.make([records.putting(Self.offer(on: "thread").requestID, value: text)])
      #expect(try wallet.store.request(answering: Self.offer(on: "thread")) == nil)
    }
  }

  /// Two objects of one offer send the same request: the credential fits only the one that the issuer gets first. Another offer
  /// on the same thread, and a copy of the offer by somebody else, have requests of their own.
  @Test func theFirstRequestForAnOfferStays() throws {
    let wallet = try TestWallet()
    let (first, second) = (CredentialRequest(text: "1", metadata: "m"), CredentialRequest(text: "2", metadata: "m"))
    for request in [first, second] {
      #expect(try wallet.store.keep(request, answering: Self.offer(on: "t")) == first)
    }
    for other in [Self.offer("another", on: "t"), Self.offer(on: "t", from: "another")] {
      #expect(try wallet.store.keep(second, answering: other) == second)
      try wallet.store.forgetRequest(answering: other)
      #expect(try wallet.store.request(answering: other) == nil)
    }
    #expect(try wallet.store.request(answering: Self.offer(on: "t")) == first)
  }

  /// A message that is looked at again is not newer than those after it.
  @Test func anOldNoticeOfTheIssuerSaysNothingNew() throws {
    let wallet = try TestWallet()
    for (notice, isRevoked, isNew) in [("1", true, true), ("2", false, true), ("1", true, false), ("3", true, true)] {
      #expect(try wallet.store.apply(notice: notice, to: "c", revoked: isRevoked) == isNew)
    }
    #expect(try wallet.store.apply(notice: "2", to: "c", revoked: false) == false)
    #expect(try wallet.records("msdk.credential").find("c")?.tags == ["revoked": "1"])
  }

  @Test func aRequestIsForgottenIfItsExchangeFails() throws {
    let wallet = try TestWallet()
    let offers = ["a", "b"].map { Self.offer(on: $0) }
    for offer in offers { try wallet.store.keep(CredentialRequest(text: "r", metadata: "m"), answering: offer) }
    try wallet.store.forgetRequest(answering: offers[0])
    #expect(try offers.map { try wallet.store.request(answering: $0) == nil } == [true, false])
  }

  // MARK: Facts

  @Test(arguments: ["{}", "no JSON", #"{"connection":"d","issuer_keys":["k"]}"#, #"{"revoked":"1"}"#])
  func aCredentialIsValidUnlessItsFactsSayOtherwise(text: String) {
    let facts = CredentialFacts(parsing: text)
    #expect(!facts.isRevoked && facts.tags == Tags() && facts.format == nil)
    #expect(facts.source == (text.contains("connection") ? CredentialSource(connection: "d", issuerKeys: ["k"]) : nil))
  }

  @Test func theFactsAreReadAsTheyWereWritten() {
    var facts = CredentialFacts(source: CredentialSource(connection: "d", issuerKeys: ["k"]), format: "indy")
    facts.isRevoked = true
    let read = CredentialFacts(parsing: facts.text)
    #expect(read.isRevoked && read.source == facts.source && read.format == "indy" && read.tags == ["revoked": "1"])
    #expect(CredentialFacts(parsing: #"{"connection":"d"}"#).source?.issuerKeys == [])
  }
}
