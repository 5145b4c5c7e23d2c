import AnonCreds
import Credentials
import Foundation
import Indy
import JSON
import Sodium
import TestSupport
import Wallet

/// An issuer, a holder with a wallet on disk, and public objects in memory: only the engine and msdk take time.
final class BenchmarkScene {
  private let issuer: TestIssuer
  private let folder: TemporaryFolder
  private let wallet: Wallet
  private let holder: CredentialHolder
  private let definition: String
  private let objects: MemoryObjects
  /// An issuer with keys of its own, in the same wallet, and the same keys for the engine alone.
  private let credentialIssuer: CredentialIssuer
  private let ownDefinition: OwnDefinition
  private let keys: NewDefinition

  struct Step {
    let name: String
    /// Milliseconds of the processor: for the engine's call alone, and for the whole.
    let engine, whole: Double
    var share: Double { engine / whole }
    /// Whether the share of the engine has a goal.
    var hasGoal: Bool { name == "issuance" || name.hasPrefix("verification") }
  }

  init() throws {
    issuer = try TestIssuer()
    folder = try TemporaryFolder()
    definition = try TestIssuer.text("cred_def")
    wallet = try Self.wallet("holder", in: folder)
    objects = try MemoryObjects()
    holder = CredentialHolder(
      wallet: wallet, linkSecretName: Wallet.defaultLinkSecretName, engine: issuer.engine, objects: objects,
      tails: TailsStore(directory: folder.path + "/tails") { _, _ in [] }, now: { 1_700_001_500 })
    credentialIssuer = CredentialIssuer(wallet: wallet, engine: issuer.engine) { 1_700_001_500 }
    let author = "V4SGRU86Z58d6TV7PBUe6f"
    guard let did = IndyDID(author) else { throw IssuingError.invalidIssuer(author) }
    let schema = try TestIssuer.json("schema")
    ownDefinition = try credentialIssuer.define(
      DefinitionPlan(
        schemaID: TestIssuer.schemaID, schema: schema, number: 12, naming: .indy(did), tag: "bench", isRevocable: false)
    )
    keys = try issuer.engine.createDefinition(
      schemaID: TestIssuer.schemaID, schema: schema.text, tag: "alone", issuer: author, isRevocable: false)
  }

  deinit { wallet.close() }

  /// The last presentation that `steps` has made.
  private var presentation = ""

  private struct NotVerified: Error {}

  /// The last presentation with its request and public objects, as JSON text for another verifier.
  func exported() throws -> String {
    let objects: JSON = [
      "presentation": try JSON(parsing: presentation), "request": try JSON(parsing: Self.proofRequest),
      "schema_id": .string(TestIssuer.schemaID), "schema": try TestIssuer.json("schema"),
      "definition_id": .string(TestIssuer.definitionID), "definition": try TestIssuer.json("cred_def"),
    ]
    return objects.text
  }

  private static func wallet(_ name: String, in folder: TemporaryFolder) throws -> Wallet {
    let location = try WalletLocation(id: name, home: folder.path)
    let key = Base58.encode([UInt8](repeating: 7, count: 32))
    try Wallet.create(location, key: key, derivation: .raw)
    return try Wallet.open(location, key: key, derivation: .raw)
  }

  // MARK: Steps

  /// The medians of a credential's way, each step measured in turn with the engine's call alone.
  func steps(rounds: Int) throws -> [Step] {
    var times: [String: (engine: [Double], whole: [Double])] = [:]
    func measure(_ name: String, engine: () throws -> Void, whole: () throws -> Void) rethrows {
      times[name, default: ([], [])].engine.append(try milliseconds(engine))
      times[name, default: ([], [])].whole.append(try milliseconds(whole))
    }
    let secret = try wallet.linkSecret()
    let proofRequest = Self.proofRequest
    let verifier = PresentationVerifier(engine: issuer.engine, objects: objects) { 1_700_001_500 }
    for round in 0..<rounds {
      let (offer, thread) = (try issuer.offer(), "thread-\(round)")
      let answered = AnsweredOffer(offer, on: thread, from: "issuer")
      try measure("request") {
        _ = try issuer.engine.createRequest(
          offer: offer, definition: definition, linkSecret: secret, linkSecretName: "main",
          identity: .proverDID("V4SGRU86Z58d6TV7PBUe6f"))
      } whole: {
        _ = try holder.request(
          answering: answered, definition: definition, definitionID: TestIssuer.definitionID)
      }
      let (alone, kept) = (try engineRequest(), try ownRequest(on: thread))
      try measure("issuance") {
        _ = try issuer.engine.createCredential(
          definition: keys.definition, privateKey: keys.privateKey, offer: alone.offer, request: alone.request,
          values: TestIssuer.values)
      } whole: {
        _ = try credentialIssuer.issue(
          terms, answering: kept.request, to: kept.offer, on: thread)
      }
      let request = try holder.request(
        answering: answered, definition: definition, definitionID: TestIssuer.definitionID)
      let credential = try issuer.credential(answering: request.text, to: offer)
      var processed = ""
      try measure("store") {
        processed = try issuer.engine.process(
          credential: credential, metadata: request.metadata, linkSecret: secret, definition: definition,
          registry: objects.registry)
      } whole: {
        try holder.accept(
          credential, metadata: request.metadata, definition: definition, answering: answered, on: thread, from: nil)
      }
      let choice = try Self.choice(thread)
      try measure("proof: an attribute, a group, a predicate") {
        _ = try issuer.engine.createPresentation(
          request: proofRequest,
          credentials: [
            PresentedCredential(
              credential: processed,
              items: [
                PresentedItem("name", .revealed), PresentedItem("both", .revealed), PresentedItem("adult", .predicate),
              ])
          ], linkSecret: secret, objects: objects.published)
      } whole: {
        presentation = try holder.presentation(for: proofRequest, showing: choice)
      }
      try measure("verification of that proof") {
        _ = try issuer.engine.verify(presentation: presentation, request: proofRequest, objects: objects.published)
      } whole: {
        guard try verifier.verdict(on: presentation, for: proofRequest).isVerified else { throw NotVerified() }
      }
    }
    return ["request", "issuance", "store", "proof: an attribute, a group, a predicate", "verification of that proof"]
      .compactMap {
        name in
        times[name].map { Step(name: name, engine: median($0.engine), whole: median($0.whole)) }
      }
  }

  /// An offer of the engine alone, and a request that answers it.
  private func engineRequest() throws -> (offer: String, request: String) {
    let offer = try issuer.engine.createOffer(
      schemaID: TestIssuer.schemaID, definitionID: ownDefinition.id, keyProof: keys.keyProof)
    return (offer, try request(answering: offer, of: keys.definition))
  }

  private var terms: CredentialTerms {
    CredentialTerms(definitionID: ownDefinition.id, registryID: nil, values: TestIssuer.values)
  }

  /// An offer of the issuer, and a request that answers it.
  private func ownRequest(on thread: String) throws -> (offer: String, request: String) {
    let message = try credentialIssuer.offer(of: terms, on: thread) { ["offer": .string($0)] }
    let offer = message["offer"]?.string ?? ""
    return (offer, try request(answering: offer, of: ownDefinition.text))
  }

  private func request(answering offer: String, of definition: String) throws -> String {
    try issuer.engine.createRequest(
      offer: offer, definition: definition, linkSecret: wallet.linkSecret(), linkSecretName: "main",
      identity: .proverDID("V4SGRU86Z58d6TV7PBUe6f")
    ).request
  }

  private static let proofRequest = #"""
    {"nonce":"743660580372138381036196","name":"n","version":"1.0","requested_attributes":{
      "name":{"name":"name"},"both":{"names":["degree","Issue Date"]}},
     "requested_predicates":{"adult":{"name":"age","p_type":">=","p_value":18}}}
    """#

  private static func choice(_ id: String) throws -> ChosenCredentials {
    let entry = #"{"credential":{"cred_info":{"referent":"\#(id)"}}}"#
    return try ChosenCredentials(
      selected: #"{"attrs":{"name":\#(entry),"both":\#(entry),"adult":\#(entry)}}"#, selfAttested: "{}")
  }

  // MARK: Searching

  /// The medians of loading so many credentials, and of selecting among them for ten items, of which each finds all.
  func searches(among count: Int, rounds: Int) throws -> (loading: Double, selecting: Double) {
    let wallet = try Self.wallet("of \(count)", in: folder)
    defer { wallet.close() }
    let store = CredentialStore(wallet: wallet)
    let text = try TestIssuer.text("credential_processed")
    let schema = SchemaName(issuer: "V4SGRU86Z58d6TV7PBUe6f", name: "degree", version: "1.0")
    for number in 0..<count {
      try store.store(text, as: "\(number)", schema: schema, issuer: schema.issuer, with: CredentialFacts(source: nil))
    }
    let request = try ProofRequest(parsing: Self.tenItems)
    let loading = try (0..<rounds).map { _ in try milliseconds { _ = try store.all() } }
    let held = try store.all()
    let selecting = (0..<rounds).map { _ in
      milliseconds { _ = Selection(for: request, among: held).text(separatingPredicates: true) }
    }
    return (median(loading), median(selecting))
  }

  private static let tenItems: String = {
    let restriction =
      #"[{"cred_def_id":"\#(TestIssuer.definitionID)"},{"schema_name":"degree","schema_version":"1.0"}]"#
    let items = (0..<10).map { number in
      #""a\#(number)":{"name":"\#(["name", "age", "degree", "Issue Date"][number % 4])","restrictions":\#(restriction)}"#
    }
    return #"{"nonce":"1","name":"n","version":"1.0","requested_attributes":{\#(items.joined(separator: ","))}}"#
  }()
}

/// The published objects of the test issuer.
private struct MemoryObjects: PublicObjectSource {
  let published: PublicObjects
  /// The registry of the test issuer's credentials, which all can be revoked.
  let registry: String

  init() throws {
    registry = try TestIssuer.text("rev_reg_def")
    published = PublicObjects(
      schemas: [TestIssuer.schemaID: try TestIssuer.text("schema")],
      definitions: [TestIssuer.definitionID: try TestIssuer.text("cred_def")])
  }

  func schema(_ id: String) throws -> String { published.schemas[id] ?? "" }
  func definition(_ id: String) throws -> String { published.definitions[id] ?? "" }
  func registry(_ id: String) throws -> String { registry }
  func statusList(_ registryID: String, at time: Int64) throws -> String { throw CredentialsError.notFound }
}

/// The time of the processor, which a busy machine does not lengthen as much as that of the clock.
private func milliseconds(_ body: () throws -> Void) rethrows -> Double {
  let start = processorMilliseconds()
  try body()
  return processorMilliseconds() - start
}

private func processorMilliseconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
}

private func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
