import AnonCreds
import JSON
import Sodium
import TestSupport
import Testing
import Wallet

@testable import Credentials

/// Credentials whose ids do not contain the facts about their issuer and schema.
@Suite struct OtherMethodTests {
  private let wallet: TestWallet
  private let folder: TemporaryFolder

  init() throws { (wallet, folder) = (try TestWallet(), try TemporaryFolder()) }

  private static let schema: JSON = ["issuerId": "did:web:a.example", "name": "degree", "version": "2.0"]
  private static let definition: JSON = ["issuerId": "did:web:b.example", "value": keys]
  private static let keys: JSON = [
    "primary": ["r": ["name": "2", "age": "3", "degree": "5", "issuedate": "7", "master_secret": "11"]]
  ]

  private func accept(
    _ credential: JSON, schema: JSON = schema, definition: JSON = definition, saying error: AnonCredsError? = nil
  ) throws {
    let holder = CredentialHolder(
      wallet: wallet.wallet, linkSecretName: "main", engine: EchoingEngine(error: error),
      objects: ListedObjects(
        schemas: ["did:web:a.example/schema": schema], definitions: [:], registries: [:], statusLists: []),
      tails: TailsStore(directory: folder.path) { _, _ in throw CredentialsError.notFound }, now: { 0 })
    try holder.accept(
      credential.text, metadata: "{}", definition: definition.text,
      answering: AnsweredOffer("{}", on: "thread", from: "issuer"), on: "thread", from: nil,
      in: "anoncreds")
  }

  private static func credential(_ members: [String: JSON] = [:]) throws -> JSON {
    try Vectors.json("credential_issued").with([
      "schema_id": "did:web:a.example/schema", "cred_def_id": "did:web:b.example/def",
    ]).with(members)
  }

  @Test func theFactsComeFromThePublicObjects() throws {
    try accept(Self.credential())
    let tags = try #require(try wallet.records().find("thread")).tags
    #expect(tags["schema_issuer_did"] == "did:web:a.example")
    #expect(tags["schema_name"] == "degree" && tags["schema_version"] == "2.0")
    #expect(tags["issuer_did"] == "did:web:b.example" && tags["rev_reg_id"] == "None")
    #expect(try wallet.store.format(ofDefinitions: ["did:web:b.example/def"], orOver: "") == "anoncreds")
  }

  @Test func idsOfIndyNeedNoObjects() throws {
    let credential = try Self.credential([
      "schema_id": .string(TestIssuer.schemaID), "cred_def_id": .string(TestIssuer.definitionID),
    ])
    try accept(credential, definition: ["value": Self.keys])
    let tags = try #require(try wallet.records().find("thread")).tags
    #expect(tags["schema_issuer_did"] == "V4SGRU86Z58d6TV7PBUe6f" && tags["issuer_did"] == "V4SGRU86Z58d6TV7PBUe6f")
    #expect(tags["schema_name"] == "degree" && tags["schema_version"] == "1.0")
  }

  @Test(arguments: ["issuerId", "name", "version"]) func anObjectWithoutAFactIsAnError(member: String) {
    #expect(throws: JSONError.missing(key: member)) {
      try accept(Self.credential(), schema: Self.schema.with([member: .null]))
    }
    #expect(throws: JSONError.missing(key: "issuerId")) {
      try accept(Self.credential(), definition: ["value": Self.keys])
    }
  }

  @Test func onlyTheEnginesRefusalIsAFaultOfTheCredential() throws {
    #expect(throws: CredentialsError.malformedCredential("no")) {
      try accept(Self.credential(), saying: .failed(.input, message: "no"))
    }
    #expect(throws: AnonCredsError.unavailable(reason: "gone")) {
      try accept(Self.credential(), saying: .unavailable(reason: "gone"))
    }
    #expect(try wallet.store.all().isEmpty)
  }
}

/// An engine that finds every credential good, or fails.
private struct EchoingEngine: HolderEngine {
  let error: AnonCredsError?

  func createRequest(
    offer: String, definition: String, linkSecret: SecretBytes, linkSecretName: String, identity: RequestIdentity
  ) throws(AnonCredsError) -> (request: String, metadata: String) { ("", "") }

  func process(
    credential: String, metadata: String, linkSecret: SecretBytes, definition: String, registry: String?
  ) throws(AnonCredsError) -> String {
    if let error { throw error }
    return credential
  }

  func createRevocationState(
    registry: String, statusList: String, index: Int64, tailsFile: String,
    former: (state: String, statusList: String)?
  ) throws(AnonCredsError) -> String { "" }

  func createPresentation(
    request: String, credentials: [PresentedCredential], selfAttested: [String: String], linkSecret: SecretBytes,
    objects: PublicObjects
  ) throws(AnonCredsError) -> String { "" }
}
