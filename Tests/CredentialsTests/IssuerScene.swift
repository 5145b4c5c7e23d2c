import AnonCreds
import Foundation
import Indy
import JSON
import Sodium
import TestSupport
import Testing

@testable import Credentials

/// An issuer with a real engine and a real wallet, and a holder's part of the exchange.
struct IssuerScene {
  let wallet: TestWallet
  let engine: Engine
  let issuer: CredentialIssuer
  let folder: TemporaryFolder
  let linkSecret: SecretBytes

  static let definitionID = "V4SGRU86Z58d6TV7PBUe6f:3:CL:12:tag1"
  static let registryID = "V4SGRU86Z58d6TV7PBUe6f:4:V4SGRU86Z58d6TV7PBUe6f:3:CL:12:tag1:CL_ACCUM:tag1"
  static let values = ["name": "Alice", "age": "28"]
  static let terms = CredentialTerms(definitionID: definitionID, registryID: registryID, values: values)

  init() throws {
    wallet = try TestWallet()
    engine = try Engine.open(at: CredentialLibraries.anonCreds)
    issuer = CredentialIssuer(wallet: wallet.wallet, engine: engine, now: { 1_700_000_000 })
    folder = try TemporaryFolder()
    linkSecret = try engine.createLinkSecret()
  }

  func loadRecords() throws {
    try wallet.loadIssuerRecords()
  }

  /// Gives the next place to a credential of an exchange that the wallet does not know.
  func allocate(for thread: String) throws -> Int64 {
    var issuance = Issuance()
    return try issuer.allocate(in: Self.registryID, for: thread, &issuance)
  }

  /// Offers, requests, issues and stores a credential. Returns the processed credential and its place.
  func issue(
    on thread: String, values: [String: String] = values
  ) throws -> (credential: String, index: Int64?) {
    let definition = try issuer.definition(Self.definitionID)
    let terms = CredentialTerms(definitionID: definition.id, registryID: Self.registryID, values: values)
    let message = try issuer.offer(of: terms, on: thread) { ["offer": .string($0)] }
    let offer = try #require(message["offer"]?.string)
    let (request, metadata) = try engine.createRequest(
      offer: offer, definition: definition.text, linkSecret: linkSecret, linkSecretName: "main",
      identity: .proverDID("Th7MpTaRZVRYnPiabds81Y"))
    let issued = try issuer.issue(terms, answering: request, to: offer, on: thread)
    let credential = try engine.process(
      credential: try #require(issued.text), metadata: metadata, linkSecret: linkSecret, definition: definition.text,
      registry: issuer.registry(Self.registryID).text)
    return (credential, issued.index)
  }

  /// Whether a credential proves that it is not revoked in the registry's present status.
  func isProved(_ credential: String, at index: Int64, tails: String) throws -> Bool {
    let registry = try issuer.registry(Self.registryID)
    var list = registry.statusList()
    list["timestamp"] = 1_700_000_000
    let request: JSON = [
      "nonce": "1234567890", "name": "n", "version": "1.0", "requested_predicates": [:],
      "requested_attributes": ["a": ["name": "age", "restrictions": [["cred_def_id": .string(Self.definitionID)]]]],
      "non_revoked": ["from": 1_700_000_000, "to": 1_700_000_000],
    ]
    let state = try engine.createRevocationState(
      registry: registry.text, statusList: list.text, index: index, tailsFile: tails)
    let definition = try issuer.definition(Self.definitionID)
    let objects = PublicObjects(
      schemas: [
        definition.schemaID:
          #"{"name":"degree","version":"1.0","attrNames":["name","age"],"issuerId":"V4SGRU86Z58d6TV7PBUe6f"}"#
      ], definitions: [definition.id: definition.text])
    let presented = PresentedCredential(
      credential: credential, revocation: RevocationEvidence(timestamp: 1_700_000_000, state: state),
      items: [PresentedItem("a", .revealed)])
    do {
      let presentation = try engine.createPresentation(
        request: request.text, credentials: [presented], selfAttested: [:], linkSecret: linkSecret, objects: objects)
      return try engine.verify(
        presentation: presentation, request: request.text, objects: objects,
        revocation: RevocationObjects(registries: [registry.id: registry.text], statusLists: [list.text]))
    } catch AnonCredsError.failed {
      return false
    }
  }

  func tails(_ fixture: String) throws -> String {
    let tails = try Fixtures.json(fixture)
    let path = "\(folder.path)/\(tails["hash"]?.string ?? "")"
    try Data(Base64.decodeAny(tails["base64"]?.string ?? "")).write(to: URL(filePath: path))
    return path
  }
}

extension CredentialIssuer {
  /// A registry of an issuer on a ledger.
  func makeRegistry(of definition: OwnDefinition, size: Int64, folder: String) throws -> OwnRegistry {
    let issuer = try #require(IndyID(definition.id)?.issuer)
    return try makeRegistry(of: definition, size: size, folder: folder, naming: .indy(issuer)) { $0 }
  }
}
