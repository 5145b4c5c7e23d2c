import AnonCreds
import JSON
import Sodium
import TestSupport
import Testing
import Threading
import Wallet

@testable import Credentials

/// The inputs that the holder gives to the engine.
@Suite struct EngineInputTests {
  private let wallet: TestWallet
  private let folder: TemporaryFolder
  private let engine = NotingEngine()

  init() throws { (wallet, folder) = (try TestWallet.sample(), try TemporaryFolder()) }

  private static let badgeID = "5f3e2b0a-0000-4000-8000-000000000003"
  private static let registryID = TestIssuer.registryID

  private func holder(linkSecret name: String = "main") throws -> CredentialHolder {
    let objects = ListedObjects(
      schemas: [TestIssuer.schemaID: ["s": 1], "NcYxiDXkpYi6ov5FcYDi1e:2:badge:2.1": ["s": 2]],
      definitions: [
        TestIssuer.definitionID: ["issuerId": "V4SGRU86Z58d6TV7PBUe6f"], "NcYxiDXkpYi6ov5FcYDi1e:3:CL:77:t": ["d": 2],
      ],
      registries: [Self.registryID: try Vectors.json("rev_reg_def")],
      statusLists: try Vectors.json("rev_status_lists").requireArray())
    return CredentialHolder(
      wallet: wallet.wallet, linkSecretName: name, engine: engine, objects: objects,
      tails: TailsStore(directory: folder.path) { _, _ in throw CredentialsError.notFound }, now: { 1_700_001_500 })
  }

  /// Shows the credentials of the items. The tails file of all is the folder.
  private func present(_ request: JSON, _ chosen: [String: String], by holder: CredentialHolder? = nil) throws {
    let choices = chosen.sorted { $0.key < $1.key }.map { referent, id -> (String, JSON) in
      (referent, ["credential": ["cred_info": ["referent": .string(id)]], "tails_file": .string(folder.path)])
    }
    let selected: JSON = ["attrs": .object(JSONObject(choices))]
    _ = try (holder ?? self.holder()).presentation(
      for: request.text, showing: ChosenCredentials(selected: selected.text, selfAttested: "{}"))
  }

  private func accept(by holder: CredentialHolder) throws {
    try holder.accept(
      Vectors.text("credential_rev_issued"), metadata: "{}", definition: Vectors.text("cred_def"),
      answering: Self.offer(), on: "thread", from: Self.source, in: "indy")
  }

  private static func offer(of id: String = TestIssuer.definitionID) throws -> AnsweredOffer {
    AnsweredOffer(
      try Vectors.json("cred_offer").with(["cred_def_id": .string(id)]).text, on: "thread", from: "issuer")
  }

  /// Answers an offer of the fixtures' definition, under this id.
  private func request(by holder: CredentialHolder, of id: String = TestIssuer.definitionID) throws -> CredentialRequest
  {
    try holder.request(
      answering: Self.offer(of: id), definition: Vectors.text("cred_def"), definitionID: id)
  }

  private static let source = CredentialSource(connection: "Th7MpTaRZVRYnPiabds81Y", issuerKeys: ["key"])

  private static let names: JSON = ["requested_attributes": ["a": ["name": "name"]]]

  /// A credential is bound to the secret of its request.
  @Test func oneLinkSecretServesFromTheRequestToTheProof() throws {
    let holder = try holder(linkSecret: "another")
    _ = try request(by: holder)
    try accept(by: holder)
    try present(Self.names, ["a": Vectors.first], by: holder)
    let secret = try wallet.wallet.linkSecret(named: "another")
    #expect(try secret != wallet.wallet.linkSecret(named: "main"))
    #expect(engine.secrets.withLock { $0 } == [secret, secret, secret])
    #expect(engine.secretNames.withLock { $0 } == ["another"])
  }

  /// Only the issuer may revoke it later.
  @Test func anAcceptedCredentialBelongsToItsConnection() throws {
    try accept(by: holder())
    #expect(try wallet.store.source(of: "thread") == Self.source)
    #expect(try wallet.store.format(ofDefinitions: [], orOver: Self.source.connection) == "indy")
  }

  @Test func theIDOfTheDefinitionDecidesAboutTheNameOfTheHolder() throws {
    for id in [TestIssuer.definitionID, "did:web:example.com/def"] {
      _ = try request(by: holder(), of: id)
    }
    let areDIDs = engine.identities.withLock { $0 }.map { if case .proverDID = $0 { true } else { false } }
    #expect(areDIDs == [true, false])
  }

  @Test func theObjectsOfAllCredentialsArePassed() throws {
    let request: JSON = ["requested_attributes": ["a": ["name": "name"], "b": ["name": "name"]]]
    try present(request, ["a": Vectors.first, "b": Self.badgeID])
    let objects = engine.objects.withLock { $0 }
    #expect(
      objects.schemas == [
        TestIssuer.schemaID: #"{"s":1}"#, "NcYxiDXkpYi6ov5FcYDi1e:2:badge:2.1": #"{"s":2}"#,
      ])
    #expect(
      objects.definitions == [
        TestIssuer.definitionID: #"{"issuerId":"V4SGRU86Z58d6TV7PBUe6f"}"#,
        "NcYxiDXkpYi6ov5FcYDi1e:3:CL:77:t": #"{"d":2}"#,
      ])
    #expect(engine.presented.withLock { $0.map { $0.items.map(\.referent) } } == [["a"], ["b"]])
  }

  /// An interval of the request, or of the item.
  @Test(arguments: [true, false]) func aPredicateIsProvedForItsTime(isCommon: Bool) throws {
    var item: JSON = ["name": "age", "p_type": ">=", "p_value": 18]
    let interval: JSON = ["to": 1_700_001_500]
    if !isCommon { item["non_revoked"] = interval }
    var request: JSON = ["requested_predicates": ["p": item]]
    if isCommon { request["non_revoked"] = interval }
    try present(request, ["p": Vectors.revocable])
    let presented = engine.presented.withLock { $0 }
    #expect(presented.map(\.items) == [[PresentedItem("p", .predicate)]])
    #expect(presented.map(\.revocation) == [RevocationEvidence(timestamp: 1_700_001_000, state: "state")])
  }

  /// The mark tells of the present. A request may ask for another time, or for none.
  @Test func aCredentialThatIsMarkedAsRevokedStillAnswersForAnotherTime() throws {
    try wallet.store.mark(Vectors.revocable, revoked: true)
    try present(Self.names, ["a": Vectors.revocable])
    try present(Self.names.with(["non_revoked": ["to": 1_700_000_500]]), ["a": Vectors.revocable])
    #expect(engine.presented.withLock { $0.map(\.revocation?.timestamp) } == [nil, 1_700_000_000])
  }

  /// The right credential may follow.
  @Test func aRefusedCredentialLeavesItsRequest() throws {
    let holder = try holder()
    let request = try request(by: holder)
    engine.refuses.withLock { $0 = true }
    #expect(throws: CredentialsError.malformedCredential("no")) { try accept(by: holder) }
    #expect(try wallet.store.request(answering: Self.offer()) == request)
    engine.refuses.withLock { $0 = false }
    try accept(by: holder)
    #expect(try wallet.store.has("thread", from: Self.source))
  }
}

/// An engine that notes its inputs.
private final class NotingEngine: HolderEngine {
  let secrets = Locked<[SecretBytes]>([])
  let secretNames = Locked<[String]>([])
  let identities = Locked<[RequestIdentity]>([])
  let objects = Locked(PublicObjects())
  /// The credentials of all presentations.
  let presented = Locked<[PresentedCredential]>([])
  let refuses = Locked(false)

  func createRequest(
    offer: String, definition: String, linkSecret: SecretBytes, linkSecretName: String, identity: RequestIdentity
  ) throws(AnonCredsError) -> (request: String, metadata: String) {
    secrets.withLock { $0.append(linkSecret) }
    secretNames.withLock { $0.append(linkSecretName) }
    identities.withLock { $0.append(identity) }
    return ("request", "metadata")
  }

  func process(
    credential: String, metadata: String, linkSecret: SecretBytes, definition: String, registry: String?
  ) throws(AnonCredsError) -> String {
    if refuses.withLock({ $0 }) { throw .failed(.input, message: "no") }
    secrets.withLock { $0.append(linkSecret) }
    return credential
  }

  func createRevocationState(
    registry: String, statusList: String, index: Int64, tailsFile: String,
    former: (state: String, statusList: String)?
  ) throws(AnonCredsError) -> String { "state" }

  func createPresentation(
    request: String, credentials: [PresentedCredential], selfAttested: [String: String], linkSecret: SecretBytes,
    objects: PublicObjects
  ) throws(AnonCredsError) -> String {
    secrets.withLock { $0.append(linkSecret) }
    presented.withLock { $0 += credentials }
    self.objects.withLock { $0 = objects }
    return ""
  }
}
