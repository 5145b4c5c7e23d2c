import AnonCreds
import Foundation
import JSON
import TestSupport
import Testing
import Wallet

@testable import Credentials

/// The holder's side with the real engine: an issuer in this process issues and verifies.
@Suite struct HolderTests {
  private let wallet: TestWallet
  private let issuer: TestIssuer
  private let folder: TemporaryFolder

  init() throws {
    wallet = try TestWallet()
    issuer = try TestIssuer()
    folder = try TemporaryFolder()
    try issuer.publish(in: folder.url)
  }

  private func holder(
    _ wallet: TestWallet? = nil, at time: Int64 = 1_700_001_500,
    changing change: @escaping PublishedObjects.Change = { _, _ in }
  ) -> CredentialHolder {
    let tails = folder.path + "/cache"
    return CredentialHolder(
      wallet: (wallet ?? self.wallet).wallet, linkSecretName: Wallet.defaultLinkSecretName, engine: issuer.engine,
      objects: PublishedObjects(folder: folder.url, change: change),
      tails: TailsStore(directory: tails) { _, _ in throw CredentialsError.notFound }, now: { time })
  }

  private func request(_ offer: String, by holder: CredentialHolder? = nil) throws -> CredentialRequest {
    let holder = holder ?? self.holder()
    return try holder.request(
      answering: AnsweredOffer(offer, on: "thread", from: "issuer"),
      definition: holder.definition(TestIssuer.definitionID), definitionID: TestIssuer.definitionID)
  }

  private func accept(_ credential: String, _ metadata: String, by holder: CredentialHolder? = nil) throws {
    let holder = holder ?? self.holder()
    try holder.accept(
      credential, metadata: metadata, definition: holder.definition(TestIssuer.definitionID),
      answering: AnsweredOffer("{}", on: "thread", from: "issuer"),
      on: "thread", from: nil)
  }

  /// Issues a credential at a place of the registry, and stores it as `thread`.
  private func issue(at index: Int64? = TestIssuer.place) throws {
    let offer = try issuer.offer()
    let request = try request(offer)
    try accept(issuer.credential(answering: request.text, to: offer, at: index), request.metadata)
  }

  private static func proofRequest(to time: Int64? = nil) -> String {
    let interval = time.map { #","non_revoked":{"from":0,"to":\#($0)}"# } ?? ""
    return #"""
      {"nonce":"743660580372138381036196","name":"n","version":"1.0","requested_attributes":{
        "name":{"name":"NAME","restrictions":[{"cred_def_id":"\#(TestIssuer.definitionID)"}]},
        "phone":{"name":"phone"},"both":{"names":["degree","Issue Date"]},"hidden":{"name":"age"}},
       "requested_predicates":{"adult":{"name":"age","p_type":">=","p_value":18}}\#(interval)}
      """#
  }

  private static func choice(
    _ id: String = "thread", hiding: Bool = true, presentingRevoked: Bool = false
  ) throws -> ChosenCredentials {
    let evenRevoked = presentingRevoked ? #","present_revoked":true"# : ""
    let entry = #"{"credential":{"cred_info":{"referent":"\#(id)"}}\#(evenRevoked)"#
    return try ChosenCredentials(
      selected:
        #"{"attrs":{"name":\#(entry)},"both":\#(entry)},"hidden":\#(entry),"revealed":\#(!hiding)},"adult":\#(entry)}}}"#,
      selfAttested: #"{"phone":"555"}"#)
  }

  // MARK: Issuing

  @Test func anIssuedCredentialIsStoredAndProven() throws {
    try issue()
    #expect(try wallet.store.all().map(\.id) == ["thread"])
    let presentation = try holder().presentation(for: Self.proofRequest(), showing: Self.choice())
    #expect(try issuer.verifies(presentation, of: Self.proofRequest()))
    let shown = try JSON(parsing: presentation)["requested_proof"]
    #expect(shown?["revealed_attrs"]?["name"]?["raw"] == "Alice Andersen")
    #expect(shown?["unrevealed_attrs"]?["hidden"] != nil)
    #expect(shown?["self_attested_attrs"]?["phone"] == "555")
  }

  @Test func anOfferIsAnsweredTheSameWayTwice() throws {
    let offer = try issuer.offer()
    let first = try request(offer)
    #expect(try request(offer) == first)
    #expect(try request(issuer.offer()) != first)
  }

  @Test func aCredentialWithAnotherNumberIsRefused() throws {
    let offer = try issuer.offer()
    let request = try request(offer)
    var credential = try JSON(parsing: issuer.credential(answering: request.text, to: offer))
    credential["values"]?["age"] = ["raw": "99", "encoded": "99"]
    expectRefusal { try accept(credential.text, request.metadata) }
  }

  @Test func aCredentialForAnotherLinkSecretIsRefused() throws {
    let other = try TestWallet()
    let offer = try issuer.offer()
    let request = try request(offer, by: holder(other))
    let credential = try issuer.credential(answering: request.text, to: offer)
    expectRefusal { try accept(credential, request.metadata) }
  }

  @Test(arguments: ["", "{}", #"{"schema_id":"a","cred_def_id":"b","values":{}}"#])
  func aMalformedCredentialIsRefused(text: String) throws {
    let request = try request(issuer.offer())
    expectRefusal { try accept(text, request.metadata) }
  }

  private func expectRefusal(_ body: () throws -> Void) {
    #expect {
      try body()
    } throws: { error in
      if case .malformedCredential? = error as? CredentialsError { true } else { false }
    }
    #expect((try? wallet.store.all().isEmpty) == true)
  }

  @Test func aChoiceOfACredentialThatIsNotThereIsAFaultOfTheChoice() throws {
    #expect(throws: CredentialsError.malformedSelection("the wallet has no such credential")) {
      try holder().presentation(for: Self.proofRequest(), showing: Self.choice("another"))
    }
  }

  // MARK: A wallet of another program

  @Test func aWalletOfLibindyProves() throws {
    let wallet = try TestWallet.sample()
    let presentation = try holder(wallet).presentation(for: Self.proofRequest(), showing: Self.choice(Vectors.first))
    #expect(try issuer.verifies(presentation, of: Self.proofRequest()))
  }

  @Test func aRevocableCredentialOfLibindyProvesThatItIsNotRevoked() throws {
    let wallet = try TestWallet.sample()
    let request = Self.proofRequest(to: 1_700_001_500)
    let presentation = try holder(wallet).presentation(for: request, showing: Self.choice(Vectors.revocable))
    #expect(try issuer.verifies(presentation, of: request))
    let identifiers = try JSON(parsing: presentation)["identifiers"]?.array
    #expect(identifiers?.map { $0["timestamp"] } == [1_700_001_000])
  }

  // MARK: Revocation

  @Test func aRevokedCredentialIsNotShown() throws {
    let wallet = try TestWallet.sample()
    let request = Self.proofRequest(to: 1_700_009_000)
    #expect(throws: CredentialsError.revoked) {
      try holder(wallet, at: 1_700_009_000).presentation(for: request, showing: Self.choice(Vectors.revocable))
    }
  }

  /// The verifier sees a proof of the values, and no proof that the credential is valid.
  @Test func aRevokedCredentialIsShownAllTheSameIfTheUserWants() throws {
    let wallet = try TestWallet.sample()
    let request = Self.proofRequest(to: 1_700_009_000)
    let presentation = try holder(wallet, at: 1_700_009_000).presentation(
      for: request, showing: Self.choice(Vectors.revocable, presentingRevoked: true))
    #expect(try JSON(parsing: presentation)["identifiers"]?.array?.map { $0["timestamp"] } == [.null])
    #expect(try issuer.verifies(presentation, of: Self.proofRequest()), "the values are proved")
    #expect((try? issuer.verifies(presentation, of: request)) != true)
  }

  @Test func aValidCredentialIsProvedToBeValidEvenIfARevokedOneWouldBeShown() throws {
    let wallet = try TestWallet.sample()
    let request = Self.proofRequest(to: 1_700_001_500)
    let presentation = try holder(wallet).presentation(
      for: request, showing: Self.choice(Vectors.revocable, presentingRevoked: true))
    #expect(try JSON(parsing: presentation)["identifiers"]?.array?.map { $0["timestamp"] } == [1_700_001_000])
    #expect(try issuer.verifies(presentation, of: request))
  }

  @Test func anIntervalThatEndsInTheFutureEndsNow() throws {
    let wallet = try TestWallet.sample()
    let request = Self.proofRequest(to: 1_800_000_000)
    let presentation = try holder(wallet).presentation(for: request, showing: Self.choice(Vectors.revocable))
    #expect(try JSON(parsing: presentation)["identifiers"]?.array?.map { $0["timestamp"] } == [1_700_001_000])
  }

  @Test func theRegistryTellsWhetherACredentialIsRevoked() throws {
    let wallet = try TestWallet.sample()
    #expect(try !holder(wallet).isRevoked(Vectors.revocable))
    #expect(try holder(wallet, at: 1_700_009_000).isRevoked(Vectors.revocable))
    #expect(try wallet.store.credential(Vectors.revocable).held.isRevoked)
    #expect(try !holder(wallet, at: 1_700_009_000).isRevoked(Vectors.first))
  }

  @Test func aCredentialThatIsValidAgainIsMarkedAsSuch() throws {
    let wallet = try TestWallet.sample()
    try wallet.store.mark(Vectors.revocable, revoked: true)
    #expect(try !holder(wallet).isRevoked(Vectors.revocable))
    #expect(try !wallet.store.credential(Vectors.revocable).held.isRevoked)
  }

  /// Libindy's record names the registry, and the signature the place in it. Without both nothing can be asked.
  @Test(arguments: ["rev_reg_id", "signature"]) func aCredentialWithoutAPlaceIsNotRevoked(member: String) throws {
    let wallet = try TestWallet.sample()
    let record = try #require(try wallet.records().find(Vectors.revocable))
    let value = try JSON(parsing: record.value).with([member: .null])
    try wallet.wallet.make([wallet.records().putting(Vectors.revocable, value: value.text, tags: record.tags)])
    #expect(try !holder(wallet, at: 1_700_009_000).isRevoked(Vectors.revocable))
  }

  @Test func anIntervalWithoutAnEndEndsNow() throws {
    let wallet = try TestWallet.sample()
    let request = Self.proofRequest(to: 0).replacing(#""to":0"#, with: #""to":null"#)
    let presentation = try holder(wallet).presentation(for: request, showing: Self.choice(Vectors.revocable))
    #expect(try JSON(parsing: presentation)["identifiers"]?.array?.map { $0["timestamp"] } == [1_700_001_000])
    #expect(throws: CredentialsError.revoked) {
      try holder(wallet, at: 1_700_009_000).presentation(for: request, showing: Self.choice(Vectors.revocable))
    }
  }

  @Test func aCredentialThatCannotBeRevokedIsShownForAnyTime() throws {
    let wallet = try TestWallet.sample()
    let presentation = try holder(wallet).presentation(
      for: Self.proofRequest(to: 1_700_001_500), showing: Self.choice(Vectors.first))
    #expect(try JSON(parsing: presentation)["identifiers"]?.array?.map { $0["timestamp"] } == [.null])
  }

  @Test func theStatusListOfAnotherRegistryTellsNothing() throws {
    let wallet = try TestWallet.sample()
    let holder = holder(wallet, at: 1_700_009_000) { kind, object in
      if kind == "rev_status_list" { object["revRegDefId"] = "another" }
    }
    let refusal = CredentialsError.malformedRegistry("its status list is another registry's")
    #expect(throws: refusal) { try holder.isRevoked(Vectors.revocable) }
    #expect(throws: refusal) {
      try holder.presentation(for: Self.proofRequest(to: 1_700_001_500), showing: Self.choice(Vectors.revocable))
    }
    #expect(try !wallet.store.credential(Vectors.revocable).held.isRevoked)
  }

  /// A ledger or a server may have a registry of another author that names the definition.
  @Test(arguments: [("credDefId", "for another definition"), ("issuerId", "of another issuer")])
  func aRegistryOfAnotherDefinitionOrIssuerIsRefused(member: String, reason: String) throws {
    let change: PublishedObjects.Change = { kind, object in
      if kind == "rev_reg_def" { object[member] = "another" }
    }
    let refusal = CredentialsError.malformedCredential("its revocation registry is \(reason)")
    let wallet = try TestWallet.sample()
    #expect(throws: refusal) {
      try holder(wallet, changing: change).presentation(
        for: Self.proofRequest(to: 1_700_001_500), showing: Self.choice(Vectors.revocable))
    }
    let offer = try issuer.offer()
    let request = try request(offer)
    let credential = try issuer.credential(answering: request.text, to: offer, at: 7)
    #expect(throws: refusal) { try accept(credential, request.metadata, by: holder(changing: change)) }
    #expect(try self.wallet.store.all().isEmpty)
  }

  /// The application may have the file under another name, or a file that is none.
  @Test func theTailsFileOfTheApplicationIsUsed() throws {
    let wallet = try TestWallet.sample()
    let file = folder.url.appending(path: "no tails")
    try Data([1]).write(to: file)
    let choice = try ChosenCredentials(
      selected:
        #"{"attrs":{"name":{"credential":{"cred_info":{"referent":"\#(Vectors.revocable)"}},"tails_file":"\#(file.path)"}}}"#,
      selfAttested: "{}")
    #expect(throws: AnonCredsError.self) {
      try holder(wallet).presentation(for: Self.proofRequest(to: 1_700_001_500), showing: choice)
    }
  }

  @Test func aRevocableCredentialIsIssuedAndProven() throws {
    try issue(at: 7)
    let request = Self.proofRequest(to: 1_700_001_500)
    let presentation = try holder().presentation(for: request, showing: Self.choice())
    #expect(try issuer.verifies(presentation, of: request))
  }
}

/// The published files, read without any check.
private struct PublishedObjects: PublicObjectSource {
  /// A change that a dishonest registry makes to an object. `kind` is the folder of the object.
  typealias Change = @Sendable (_ kind: String, _ object: inout JSON) -> Void

  let folder: URL
  let change: Change

  private func read(_ kind: String, _ id: String) throws -> JSON {
    let file = folder.appending(path: kind).appending(
      path: id.replacing(":", with: "%3A") + ".json", directoryHint: .notDirectory)
    return try JSON(parsing: Array(Data(contentsOf: file)))
  }

  private func changed(_ kind: String, _ id: String) throws -> String {
    var object = try read(kind, id)
    change(kind, &object)
    return object.text
  }

  func schema(_ id: String) throws -> String { try changed("schema", id) }
  func definition(_ id: String) throws -> String { try changed("cred_def", id) }
  func registry(_ id: String) throws -> String { try changed("rev_reg_def", id) }

  func statusList(_ registryID: String, at time: Int64) throws -> String {
    let lists = try read("rev_status_list", registryID).requireArray()
    guard var list = lists.last(where: { ($0["timestamp"]?.integer ?? .max) <= time }) else {
      throw CredentialsError.notFound
    }
    change("rev_status_list", &list)
    return list.text
  }
}
