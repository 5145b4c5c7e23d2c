import AnonCreds
import Foundation
import JSON
import Sodium
import TestSupport
import Testing
import Threading
import Wallet

@testable import Credentials

/// An issuer with a real engine and a real wallet.
@Suite struct IssuerTests {
  private let wallet: TestWallet
  private let engine: Engine
  private let issuer: CredentialIssuer
  private let folder: TemporaryFolder
  private let linkSecret: SecretBytes

  private static let definitionID = "V4SGRU86Z58d6TV7PBUe6f:3:CL:12:tag1"
  private static let registryID = "V4SGRU86Z58d6TV7PBUe6f:4:V4SGRU86Z58d6TV7PBUe6f:3:CL:12:tag1:CL_ACCUM:tag1"
  private static let values = ["name": "Alice", "age": "28"]

  init() throws {
    wallet = try TestWallet()
    engine = try Engine.open(at: CredentialLibraries.anonCreds)
    issuer = CredentialIssuer(wallet: wallet.wallet, engine: engine, now: { 1_700_000_000 })
    folder = try TemporaryFolder()
    linkSecret = try engine.createLinkSecret()
  }

  private func loadRecords() throws {
    let records = try Fixtures.json("issuer/wallet_records.json").requireObject().array("records")
    for record in records { try wallet.put(record) }
  }

  /// Offers, requests, issues and stores a credential. Returns the processed credential and its place.
  private func issue(
    on thread: String, registry: String? = registryID, values: [String: String] = values
  ) throws -> (credential: String, index: Int64?) {
    let definition = try issuer.definition(Self.definitionID)
    let message = try issuer.offer(of: definition.id, on: thread) { ["offer": .string($0)] }
    let offer = try #require(message["offer"]?.string)
    let (request, metadata) = try engine.createRequest(
      offer: offer, definition: definition.text, linkSecret: linkSecret, linkSecretName: "main",
      identity: .proverDID("Th7MpTaRZVRYnPiabds81Y"))
    let issued = try issuer.issue(values, answering: request, to: offer, registryID: registry, on: thread)
    let credential = try engine.process(
      credential: try #require(issued.text), metadata: metadata, linkSecret: linkSecret, definition: definition.text,
      registry: try registry.map { try issuer.registry($0).text })
    return (credential, issued.index)
  }

  /// Whether a credential proves that it is not revoked in the registry's present status.
  private func isProved(_ credential: String, at index: Int64, tails: String) throws -> Bool {
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

  private func tails(_ fixture: String) throws -> String {
    let tails = try Fixtures.json(fixture)
    let path = "\(folder.path)/\(tails["hash"]?.string ?? "")"
    try Data(Base64.decodeAny(tails["base64"]?.string ?? "")).write(to: URL(filePath: path))
    return path
  }

  // MARK: The records of libindy

  @Test func theRecordsOfLibindyBecomeObjectsOfTheEngine() throws {
    try loadRecords()
    let expected = try Fixtures.json("issuer/engine_objects.json")
    let definition = try issuer.definition(Self.definitionID)
    #expect(try JSON(parsing: definition.text) == expected["cred_def"])
    #expect(try JSON(parsing: definition.privateKey.text) == expected["cred_def_private"])
    #expect(try JSON(parsing: definition.keyProof) == expected["key_correctness_proof"])
    let registry = try issuer.registry(Self.registryID)
    var wanted = try #require(expected["rev_reg_def"])
    wanted["value"]?["tailsLocation"] = try JSON(parsing: registry.text)["value"]?["tailsLocation"]
    #expect(try JSON(parsing: registry.text) == wanted)
    #expect(try JSON(parsing: registry.privateKey.text) == expected["rev_reg_private"])
    let list = try #require(expected["status_lists"]?.array?.last)
    #expect(registry.statusList()["revocationList"] == list["revocationList"])
    #expect(registry.statusList()["currentAccumulator"] == list["currentAccumulator"])
  }

  @Test func aLibindyIssuerGoesOnIssuingAndRevoking() throws {
    try loadRecords()
    let tails = try tails("issuer/tails.json")
    let (credential, index) = try issue(on: "t1")
    #expect(index == 3)
    #expect(try isProved(credential, at: 3, tails: tails))
    try issuer.revoke(3, in: Self.registryID)
    #expect(try !isProved(credential, at: 3, tails: tails))
    let info = try #require(try wallet.records("Indy::RevocationRegistryInfo").find(Self.registryID)).value
    #expect(try JSON(parsing: info) == ["id": .string(Self.registryID), "curr_id": 3, "used_ids": [2, 3]])
  }

  @Test func withoutKeysNothingIsOffered() throws {
    #expect(throws: IssuingError.noKeys("credential definition \(Self.definitionID)")) { try issue(on: "t1") }
    #expect(throws: IssuingError.self) { try issuer.revoke(1, in: Self.registryID) }
  }

  // MARK: Issuing

  @Test func aSecondProcessSendsTheSameOfferAndTheSameCredential() throws {
    try loadRecords()
    let definition = try issuer.definition(Self.definitionID)
    let offer = try issuer.offer(of: Self.definitionID, on: "t1") { ["offer": .string($0)] }
    #expect(try issuer.offer(of: Self.definitionID, on: "t1") { _ in ["offer": "another"] } == offer)
    let text = try #require(offer["offer"]?.string)
    let request = try engine.createRequest(
      offer: text, definition: definition.text, linkSecret: linkSecret, linkSecretName: "main",
      identity: .entropy("x")
    ).request
    let call = {
      try issuer.issue(Self.values, answering: request, to: text, registryID: Self.registryID, on: "t1")
    }
    let first = try call()
    #expect(first.index == 3 && !first.needsPublication)
    let second = try call()
    #expect(second.text == first.text && second.index == 3)
    try issuer.end("t1")
    let third = try call()
    #expect(third.text == nil && third.index == 3)
    let note = try #require(try issuer.issuances.find("t1")).value
    #expect(try JSON(parsing: note) == ["index": 3, "over": true])
  }

  @Test func aProcessThatEndsAfterTheAllocationGoesOnWithTheSamePlace() throws {
    try loadRecords()
    #expect(try issuer.allocate(in: Self.registryID, for: "t1", Issuance()) == 3)
    #expect(try issue(on: "t1").index == 3)
    #expect(try issue(on: "t2").index == 4)
  }

  @Test func aDeclinedOfferLeavesNoNote() throws {
    try loadRecords()
    _ = try issuer.offer(of: Self.definitionID, on: "t1") { .string($0) }
    try issuer.end("t1")
    #expect(try issuer.issuances.find("t1") == nil)
    try issuer.end("t1")
  }

  @Test func aRequestForAnotherOfferIsRefused() throws {
    try loadRecords()
    let definition = try issuer.definition(Self.definitionID)
    let offers = try ["t1", "t2"].map { thread in
      try #require(try issuer.offer(of: Self.definitionID, on: thread) { .string($0) }.string)
    }
    let request = try JSON(
      parsing: engine.createRequest(
        offer: offers[0], definition: definition.text, linkSecret: linkSecret, linkSecretName: "main",
        identity: .entropy("x")
      ).request)
    let cases: [(request: JSON, offer: String)] = [
      (request, offers[1]), (request.with("cred_def_id", "V4SGRU86Z58d6TV7PBUe6f:3:CL:13:tag1"), offers[0]),
      (request.with("nonce", nil), offers[0]), (request.with("entropy", nil), offers[0]), ([:], offers[0]),
      ("x", offers[0]),
    ]
    for each in cases {
      #expect(throws: IssuingError.self) {
        try issuer.issue(
          Self.values, answering: each.request.text, to: each.offer, registryID: nil, on: "t3")
      }
    }
  }

  @Test func manyIssueAtOnceFromOneRegistry() throws {
    try loadRecords()
    let (issuer, places) = (self.issuer, Monitor<[Int64?]>([]))
    for number in 0..<12 {
      Threads.shared.post {
        let place = try? issuer.allocate(in: Self.registryID, for: "t\(number)", Issuance())
        places.withLock { $0.append(place) }
      }
    }
    let given = places.wait { $0.count == 12 ? $0 : nil }
    #expect(given.compactMap { $0 }.sorted() == Array(3...10))
  }

  // MARK: New definitions

  @Test func aNewDefinitionHasARegistryWhoseLastPlaceServesToo() throws {
    let schema: JSON = [
      "name": "degree", "version": "1.0", "attrNames": ["name", "age"], "issuerId": "V4SGRU86Z58d6TV7PBUe6f",
    ]
    let plan = DefinitionPlan(
      schemaID: "V4SGRU86Z58d6TV7PBUe6f:2:degree:1.0", schema: schema, number: 12, issuer: "V4SGRU86Z58d6TV7PBUe6f",
      tag: "tag1", isRevocable: true)
    let definition = try issuer.define(plan)
    #expect(definition.id == Self.definitionID)
    #expect(try issuer.define(plan).text == definition.text)
    #expect(try definition.attributes() == Set(["name", "age"].map(AttributeName.init)))
    let records = try Fixtures.json("issuer/wallet_records.json").requireObject().array("records")
    let registry = try issuer.makeRegistry(of: definition, size: 2, folder: folder.path + "/new/tails")
    #expect(try issuer.makeRegistry(of: definition, size: 2, folder: folder.path + "/new/tails").text == registry.text)
    for record in records {
      let (type, id) = (try record.requireObject().string("type"), try record.requireObject().string("id"))
      let made = try #require(try wallet.records(type).find(id), "\(type)").value
      let wanted = try record.requireObject().string("value")
      if type == "Indy::SchemaId" {
        #expect(made == wanted)
      } else {
        #expect(try JSON(parsing: made).names == JSON(parsing: wanted).names, "\(type)")
      }
    }
    #expect(try [issue(on: "t1"), issue(on: "t2")].map(\.index) == [1, 2])
    #expect(throws: IssuingError.registryFull) { try issue(on: "t3") }
    let (last, index) = try issueAgain(on: "t2")
    #expect(index == 2 && last != nil)
  }

  private func issueAgain(on thread: String) throws -> (String?, Int64?) {
    let issued = try issuer.issue([:], answering: "{}", to: "{}", registryID: Self.registryID, on: thread)
    return (issued.text, issued.index)
  }

  // MARK: Revoking

  @Test func onlyIssuedPlacesAreRevoked() throws {
    try loadRecords()
    for index in [Int64.min, -1, 0, 3, 10, 11, Int64.max] {
      #expect(throws: IssuingError.self) { try issuer.revoke(index, in: Self.registryID) }
    }
    let before = try issuer.registry(Self.registryID).statusList()
    try issuer.revoke(2, in: Self.registryID)  // was revoked before
    #expect(try issuer.registry(Self.registryID).statusList() == before)
  }

  @Test func revocationsThatWaitArePublishedTogether() throws {
    try loadRecords()
    let first = try issuer.registry(Self.registryID).accumulator
    for thread in ["t1", "t2", "t3"] { _ = try issuer.allocate(in: Self.registryID, for: thread, Issuance()) }
    for index: Int64 in [1, 3] { try issuer.revoke(index, in: Self.registryID) }
    struct Away: Error {}
    #expect(throws: Away.self) { try issuer.publishPending(of: Self.registryID) { _ in throw Away() } }
    let published = Locked<[CredentialIssuer.Status]>([])
    try issuer.publishPending(of: Self.registryID) { status in
      published.withLock { $0.append(status) }
      try issuer.revoke(4, in: Self.registryID)  // while the publication is under way
    }
    for _ in 0..<2 {
      try issuer.publishPending(of: Self.registryID) { status in published.withLock { $0.append(status) } }
    }
    let all = published.withLock { $0 }
    #expect(all.map(\.revoked) == [[1, 3], [4]])
    #expect(all[0].previousAccumulator == first)
    #expect(all[1].previousAccumulator == all[0].list["currentAccumulator"]?.string)
    #expect(all[1].list["revocationList"] == [0, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0])
  }

  @Test func aPlaceOfAnOlderRegistryIsValidOnceItIsIssued() throws {
    try loadRecords()
    for type in ["Indy::RevocationRegistryDefinition", "Indy::RevocationRegistryInfo"] {
      var json = try JSON(parsing: #require(try wallet.records(type).find(Self.registryID)).value)
      if type.hasSuffix("Info") { json["used_ids"] = [] } else { json["value"]?["issuanceType"] = "ISSUANCE_ON_DEMAND" }
      try wallet.wallet.make([wallet.records(type).putting(Self.registryID, value: json.text)])
    }
    #expect(try issuer.registry(Self.registryID).statusList()["revocationList"]?.array?.contains(0) == false)
    _ = try issuer.allocate(in: Self.registryID, for: "t1", Issuance())
    try issuer.noteIssued(3, in: Self.registryID)
    #expect(try issuer.registry(Self.registryID).listed == [3])
    let issued = Locked<[Int64]>([])
    try issuer.publishPending(of: Self.registryID) { status in issued.withLock { $0 = status.issued } }
    #expect(issued.withLock { $0 } == [3])
    try issuer.revoke(3, in: Self.registryID)
    #expect(try issuer.registry(Self.registryID).listed.isEmpty)
  }
}

extension JSON {
  fileprivate func with(_ name: String, _ value: JSON?) -> JSON {
    var changed = self
    changed[name] = value
    return changed
  }

  /// The names of the members, all the way down but for the attributes of credentials.
  fileprivate var names: Set<String> {
    Set((object?.members ?? []).flatMap { name, value in [name] + value.names.map { "\(name).\($0)" } })
  }
}
