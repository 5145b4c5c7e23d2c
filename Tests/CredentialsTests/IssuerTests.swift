import Indy
import JSON
import TestSupport
import Testing
import Threading
import Wallet

@testable import Credentials

/// Issuing, with a real engine and a real wallet.
@Suite struct IssuerTests {
  private let scene: IssuerScene

  init() throws { scene = try IssuerScene() }

  // MARK: The records of libindy

  @Test func theRecordsOfLibindyBecomeObjectsOfTheEngine() throws {
    try scene.loadRecords()
    let expected = try Fixtures.json("issuer/engine_objects.json")
    let definition = try scene.issuer.definition(IssuerScene.definitionID)
    #expect(try JSON(parsing: definition.text) == expected["cred_def"])
    #expect(try JSON(parsing: definition.privateKey.text) == expected["cred_def_private"])
    #expect(try JSON(parsing: definition.keyProof) == expected["key_correctness_proof"])
    let registry = try scene.issuer.registry(IssuerScene.registryID)
    var wanted = try #require(expected["rev_reg_def"])
    wanted["value"]?["tailsLocation"] = try JSON(parsing: registry.text)["value"]?["tailsLocation"]
    #expect(try JSON(parsing: registry.text) == wanted)
    #expect(try JSON(parsing: registry.privateKey.text) == expected["rev_reg_private"])
    let list = try #require(expected["status_lists"]?.array?.last)
    #expect(registry.statusList()["revocationList"] == list["revocationList"])
    #expect(registry.statusList()["currentAccumulator"] == list["currentAccumulator"])
  }

  @Test func aLibindyIssuerGoesOnIssuingAndRevoking() throws {
    try scene.loadRecords()
    let tails = try scene.tails("issuer/tails.json")
    let (credential, index) = try scene.issue(on: "t1")
    #expect(index == 3)
    #expect(try scene.isProved(credential, at: 3, tails: tails))
    try scene.issuer.revoke(3, in: IssuerScene.registryID)
    #expect(try !scene.isProved(credential, at: 3, tails: tails))
    let info = try #require(try scene.wallet.records("Indy::RevocationRegistryInfo").find(IssuerScene.registryID)).value
    #expect(try JSON(parsing: info) == ["id": .string(IssuerScene.registryID), "curr_id": 3, "used_ids": [2, 3]])
  }

  @Test func withoutKeysNothingIsOffered() throws {
    #expect(throws: IssuingError.noKeys("credential definition \(IssuerScene.definitionID)")) {
      try scene.issue(on: "t1")
    }
    #expect(throws: IssuingError.self) { try scene.issuer.revoke(1, in: IssuerScene.registryID) }
  }

  // MARK: Issuing

  @Test func aSecondProcessSendsTheSameOfferAndTheSameCredential() throws {
    try scene.loadRecords()
    let definition = try scene.issuer.definition(IssuerScene.definitionID)
    let offer = try scene.issuer.offer(of: IssuerScene.terms, on: "t1") { ["offer": .string($0)] }
    #expect(try scene.issuer.offer(of: IssuerScene.terms, on: "t1") { _ in ["offer": "another"] } == offer)
    let text = try #require(offer["offer"]?.string)
    let request = try scene.engine.createRequest(
      offer: text, definition: definition.text, linkSecret: scene.linkSecret, linkSecretName: "main",
      identity: .entropy("x")
    ).request
    let call = {
      try scene.issuer.issue(
        IssuerScene.terms, answering: request, to: text, on: "t1")
    }
    let first = try call()
    #expect(first.index == 3 && !first.needsPublication)
    let second = try call()
    #expect(second.text == first.text && second.index == 3 && second.needsPublication)
    try scene.issuer.end("t1")
    let third = try call()
    #expect(third.text == nil && third.index == 3)
    let note = try #require(try scene.issuer.issuances.find("t1")).value
    #expect(try JSON(parsing: note).object?.keys.sorted() == ["index", "over", "registry", "request"])
  }

  @Test func aProcessThatEndsAfterTheAllocationGoesOnWithTheSamePlace() throws {
    try scene.loadRecords()
    #expect(try scene.allocate(for: "t1") == 3)
    #expect(try scene.issue(on: "t1").index == 3)
    #expect(try scene.issue(on: "t2").index == 4)
  }

  /// The credential may be with its holder, though the wallet does not have it any more.
  @Test func aPlaceThatWasGivenIsNotGivenAgainAfterTheEnd() throws {
    try scene.loadRecords()
    _ = try scene.allocate(for: "t1")
    try scene.issuer.end("t1")
    let issued = try scene.issuer.issue(
      IssuerScene.terms, answering: "", to: "", on: "t1")
    #expect(issued.text == nil && issued.index == 3)
  }

  @Test func aDeclinedOfferLeavesNoNote() throws {
    try scene.loadRecords()
    _ = try scene.issuer.offer(of: IssuerScene.terms, on: "t1") { .string($0) }
    try scene.issuer.end("t1")
    #expect(try scene.issuer.issuances.find("t1") == nil)
    try scene.issuer.end("t1")
  }

  @Test func aRequestForAnotherOfferIsRefused() throws {
    try scene.loadRecords()
    let definition = try scene.issuer.definition(IssuerScene.definitionID)
    let offers = try ["t1", "t2"].map { thread in
      try #require(try scene.issuer.offer(of: IssuerScene.terms, on: thread) { .string($0) }.string)
    }
    let request = try JSON(
      parsing: scene.engine.createRequest(
        offer: offers[0], definition: definition.text, linkSecret: scene.linkSecret, linkSecretName: "main",
        identity: .entropy("x")
      ).request)
    let cases: [(request: JSON, offer: String, reason: String?)] = [
      (request, offers[1], nil),
      (
        request.with(["cred_def_id": "V4SGRU86Z58d6TV7PBUe6f:3:CL:13:tag1"]), offers[0],
        "it is for another credential definition"
      ),
      (request.with(["nonce": .null]), offers[0], "\(JSONError.missing(key: "nonce"))"),
      (request.with(["entropy": .null]), offers[0], #"it has neither "prover_did" nor "entropy""#),
      (request.with(["entropy": 1]), offers[0], "\(JSONError.wrongType(key: "entropy", expected: "a string"))"),
      ([:], offers[0], "\(JSONError.missing(key: "cred_def_id"))"), ("x", offers[0], nil),
    ]
    for each in cases {
      #expect {
        try scene.issuer.issue(
          IssuerScene.terms, answering: each.request.text, to: each.offer, on: "t3")
      } throws: { error in
        guard case .malformedRequest(let reason)? = error as? IssuingError else { return false }
        return reason == each.reason ?? reason
      }
    }
    #expect(try scene.issuer.issuances.find("t3") == nil)
  }

  /// The identity becomes a part of the signature: two credentials whose holders chose the same one must differ in it.
  @Test(arguments: ["entropy", "prover_did"]) func theHoldersIdentityIsReplaced(member: String) throws {
    try scene.loadRecords()
    let definition = try scene.issuer.definition(IssuerScene.definitionID)
    let contexts = try ["t1", "t2"].map { thread in
      let offer = try #require(try scene.issuer.offer(of: IssuerScene.terms, on: thread) { .string($0) }.string)
      let did = "Th7MpTaRZVRYnPiabds81Y"
      let request = try scene.engine.createRequest(
        offer: offer, definition: definition.text, linkSecret: scene.linkSecret, linkSecretName: "main",
        identity: member == "entropy" ? .entropy(did) : .proverDID(did)
      ).request
      let issued = try scene.issuer.issue(
        IssuerScene.terms, answering: request, to: offer, on: thread)
      return try JSON(parsing: #require(issued.text))["signature"]?["p_credential"]?["m_2"]
    }
    #expect(contexts[0] != nil && contexts[0] != contexts[1])
  }

  @Test func manyIssueAtOnceFromOneRegistry() throws {
    try scene.loadRecords()
    let (issuer, places) = (scene.issuer, Monitor<[Int64?]>([]))
    for number in 0..<12 {
      Threads.shared.post {
        var issuance = Issuance()
        let place = try? issuer.allocate(in: IssuerScene.registryID, for: "t\(number)", &issuance)
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
    let issuer = try #require(IndyDID("V4SGRU86Z58d6TV7PBUe6f"))
    func plan(_ tag: String) throws -> DefinitionPlan {
      try DefinitionPlan(
        schemaID: "V4SGRU86Z58d6TV7PBUe6f:2:degree:1.0", schema: schema, number: 12, naming: .indy(issuer), tag: tag,
        isRevocable: true)
    }
    #expect(throws: IssuingError.self) { try plan("tag:1") }
    let plan = try plan("tag1")
    let definition = try define(plan)
    #expect(definition.id == IssuerScene.definitionID)
    #expect(try scene.issuer.define(plan).text == definition.text)
    #expect(try definition.attributes() == Set(["name", "age"].map(AttributeName.init)))
    let records = try Fixtures.json("issuer/wallet_records.json").requireObject().array("records")
    let registry = try scene.issuer.makeRegistry(of: definition, size: 2, folder: scene.folder.path + "/new/tails")
    #expect(
      try scene.issuer.makeRegistry(of: definition, size: 2, folder: scene.folder.path + "/new/tails").text
        == registry.text)
    for record in records {
      let (type, id) = (try record.requireObject().string("type"), try record.requireObject().string("id"))
      let made = try #require(try scene.wallet.records(type).find(id), "\(type)").value
      let wanted = try record.requireObject().string("value")
      if type == "Indy::SchemaId" {
        #expect(made == wanted)
      } else {
        #expect(try JSON(parsing: made).names == JSON(parsing: wanted).names, "\(type)")
      }
    }
    #expect(try [scene.issue(on: "t1"), scene.issue(on: "t2")].map(\.index) == [1, 2])
    #expect(throws: IssuingError.registryFull) { try scene.issue(on: "t3") }
  }

  /// Makes a definition in two threads at once, of which one waits for the keys of the other.
  private func define(_ plan: DefinitionPlan) throws -> OwnDefinition {
    let (issuer, made) = (scene.issuer, Monitor<[String?]>([]))
    for _ in 0..<2 {
      Threads.shared.post {
        let text = try? issuer.define(plan).text
        made.withLock { $0.append(text) }
      }
    }
    let texts = made.wait { $0.count == 2 ? $0 : nil }
    let definition = try scene.issuer.define(plan)
    #expect(texts == [definition.text, definition.text])
    return definition
  }

  /// Its credentials are in no registry.
  @Test func aNewDefinitionMayBeOneWithoutRevocation() throws {
    let plan = try DefinitionPlan(
      schemaID: "V4SGRU86Z58d6TV7PBUe6f:2:s:1.0",
      schema: ["name": "s", "version": "1.0", "attrNames": ["name"], "issuerId": "V4SGRU86Z58d6TV7PBUe6f"],
      number: 1, naming: .indy(#require(IndyDID("did:indy:sovrin:V4SGRU86Z58d6TV7PBUe6f"))), tag: "t",
      isRevocable: false)
    let definition = try scene.issuer.define(plan)
    let json = try JSON(parsing: definition.text)
    #expect(json["value"]?["primary"] != nil && json["value"]?["revocation"] == nil)
    #expect(json["issuerId"] == "did:indy:sovrin:V4SGRU86Z58d6TV7PBUe6f" && json["tag"] == "t")
    #expect(try definition.attributes() == [AttributeName("name")] && definition.privateKey.count > 0)
    let terms = CredentialTerms(definitionID: definition.id, registryID: nil, values: ["name": "Alice"])
    let offer = try scene.issuer.offer(of: terms, on: "t1") { try JSON(parsing: $0) }
    #expect(offer["nonce"]?.string != nil && offer["schema_id"] == "V4SGRU86Z58d6TV7PBUe6f:2:s:1.0")
  }

}

extension JSON {
  /// The names of the members, all the way down but for the attributes of credentials.
  fileprivate var names: Set<String> {
    Set((object?.members ?? []).flatMap { name, value in [name] + value.names.map { "\(name).\($0)" } })
  }
}
