import Credentials
import Foundation
import JSON
import Registry
import TestSupport
import Testing
import Wallet

@testable import MSDK

extension SDKTests {
  /// Faults while a holder receives a credential.
  @Suite struct CredentialFaultTests {
    let scene: IssuingScene

    init() throws { scene = try IssuingScene() }

    // MARK: Faults of the issuer

    @Test func anOfferThatDoesNotFitItsDefinitionIsRefused() throws {
      let connection = try scene.world.completed()
      try scene.offer(preview: ["name": "Alice", "height": "170"])
      var credential = try Credential(sourceID: "x", offer: scene.newMessage().text)
      #expect(throws: CredentialsError.self) { try credential.sendRequest(over: connection, with: scene.session) }
      #expect(credential.state == 3)
      #expect(try scene.last()["description"]?["code"] == "invalid-credential-offer")
    }

    /// A holder could never show such a credential: the engine and verifiers read the schema.
    @Test(arguments: ["none", "more", "fewer", "link secret"])
    func anOfferWhoseSchemaDoesNotFitIsRefused(fault: String) throws {
      let connection = try scene.world.completed()
      try scene.offer()
      let folder = scene.registry.url.appending(path: "schema")
      let file = try #require(
        try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil).first)
      var schema = try JSON(parsing: String(contentsOf: file, encoding: .utf8))
      let names = try #require(schema["attrNames"]?.array)
      switch fault {
      case "none": try FileManager.default.removeItem(at: file)
      case "more": schema["attrNames"] = .array(names + ["more"])
      case "fewer": schema["attrNames"] = .array(Array(names.dropLast()))
      default: schema["attrNames"] = .array(names + ["master_secret"])
      }
      if fault != "none" { try Data(schema.bytes).write(to: file) }
      var credential = try Credential(sourceID: "x", offer: scene.newMessage().text)
      #expect {
        try credential.sendRequest(over: connection, with: scene.session)
      } throws: { error in
        if case .malformedOffer? = error as? CredentialsError { true } else { false }
      }
      #expect(credential.state == 3)
      #expect(try scene.last()["description"]?["code"] == "invalid-credential-offer")
    }

    /// The number of a schema fits every id that an offer names.
    @Test func aDefinitionWhoseSchemaIsNotKnownIsNotRequested() throws {
      let connection = try scene.world.completed()
      try scene.offer()
      let folder = scene.registry.url.appending(path: "cred_def")
      let file = try #require(
        try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil).first)
      let definition = try JSON(parsing: String(contentsOf: file, encoding: .utf8)).with(["schemaId": "12"])
      try Data(definition.bytes).write(to: file)
      var credential = try Credential(sourceID: "x", offer: scene.newMessage().text)
      #expect(throws: RegistryFailure.self) { try credential.sendRequest(over: connection, with: scene.session) }
      #expect(credential.state == 3)
    }

    @Test(arguments: [["age": "29"], ["name": "Mallory"]])
    func aCredentialWithOtherValuesIsRefused(changed: [String: String]) throws {
      var credential = try scene.requested()
      try scene.issue(values: TestIssuer.values.merging(changed) { $1 })
      expectRefusal(of: &credential)
      try scene.issue()
      try credential.update(with: scene.session)
      #expect(credential.state == 4)
    }

    @Test(arguments: ["schema_id", "cred_def_id"])
    func aCredentialOfAnotherDefinitionIsRefused(member: String) throws {
      var credential = try scene.requested()
      try scene.issue { $0[member] = "V4SGRU86Z58d6TV7PBUe6f:3:CL:13:other" }
      expectRefusal(of: &credential)
    }

    /// The registry may come; until then the right credential may.
    @Test func aCredentialOfAnAbsentRegistryHidesNoOther() throws {
      var credential = try scene.requested()
      try scene.issue { credential in
        credential["rev_reg_id"] = (credential["rev_reg_id"]?.string).map { .string($0 + "x") }
      }
      #expect(throws: RegistryFailure.self) { try credential.update(with: scene.session) }
      try scene.issue()
      try credential.update(with: scene.session)
      #expect(try credential.state == 4 && scene.stored() == ["offer-1"])
    }

    @Test func aCredentialThatWasChangedIsRefused() throws {
      var credential = try scene.requested()
      try scene.issue { $0["signature_correctness_proof"]?["c"] = "1" }
      expectRefusal(of: &credential)
    }

    private func expectRefusal(of credential: inout Credential) {
      #expect {
        try credential.update(with: scene.session)
      } throws: { error in
        if case .malformedCredential? = error as? CredentialsError { true } else { false }
      }
      #expect(credential.state == 2)
      #expect((try? scene.last()["description"]?["code"]) == "invalid-credential")
      #expect((try? scene.stored().isEmpty) == true)
      #expect((try? scene.newMessages().isEmpty) == true)
    }

    // MARK: Processes that end

    @Test func aRequestThatIsSentAgainIsTheSame() throws {
      let connection = try scene.world.completed()
      let before = try scene.offered().serialized()
      var lost = try Credential(serialized: before)
      try lost.sendRequest(over: connection, with: scene.session)
      let first = try scene.last()
      var credential = try Credential(serialized: before)
      try credential.sendRequest(over: connection, with: scene.session)
      #expect(try scene.last() == first)
      try scene.issue()
      try credential.update(with: scene.session)
      #expect(credential.state == 4)
    }

    /// ACA-Py takes a repeated request for a new one, and ends the exchange.
    @Test func aRequestThatIsAnsweredIsNotSentAgain() throws {
      let connection = try scene.world.completed()
      let before = try scene.offered().serialized()
      var lost = try Credential(serialized: before)
      try lost.sendRequest(over: connection, with: scene.session)
      let sent = try scene.world.inviter.received().count
      try scene.issue()
      var credential = try Credential(serialized: before)
      try credential.sendRequest(over: connection, with: scene.session)
      #expect(credential.state == 4)
      #expect(try scene.world.inviter.received().count == sent + 1, "the ack")
      #expect(try scene.last()["@type"]?.string?.hasSuffix("/ack") == true)
    }

    /// The process that has stored the credential noted neither the request nor the credential in its object.
    @Test(arguments: [false, true]) func anOlderTextFindsTheStoredCredential(afterTheEnd: Bool) throws {
      var connection = try scene.world.completed()
      let before = try scene.offered().serialized()
      var lost = try Credential(serialized: before)
      try lost.sendRequest(over: connection, with: scene.session)
      try scene.issue()
      try lost.update(with: scene.session)
      let requests = try sentRequests()
      if afterTheEnd {
        try scene.world.inviter.send(EndingTests.hangup)
        try connection.poll(with: scene.session)
        #expect(connection.state.number == 0)
      }
      var credential = try Credential(serialized: before)
      try credential.sendRequest(over: connection, with: scene.session)
      #expect(try credential.state == 4 && scene.stored() == ["offer-1"])
      #expect(try sentRequests() == requests)
    }

    private func sentRequests() throws -> Int {
      try scene.world.inviter.received().count { $0.json["requests~attach"] != nil }
    }

    @Test func aRequestIsSentAgainIfNoAnswerCanBeLookedFor() throws {
      let connection = try scene.world.completed()
      let before = try scene.offered().serialized()
      var lost = try Credential(serialized: before)
      try lost.sendRequest(over: connection, with: scene.session)
      let first = try scene.last()
      try scene.issue()
      scene.world.agency.stop()
      var credential = try Credential(serialized: before)
      try credential.sendRequest(over: connection, with: scene.session)
      #expect(credential.state == 2)
      #expect(try scene.last() == first)
    }

    /// Also after a process that ended before it has stored that the request was sent.
    @Test func aRequestWithoutAConnectionNamesTheSameMailboxAgain() throws {
      let issuer = try ConnectionlessIssuer(scene.issuer, answersInResponse: false)
      for _ in 0..<2 {
        var credential = try Credential(sourceID: "x", offer: issuer.offer.text)
        try credential.sendRequest(over: nil, with: scene.session)
      }
      let keys = issuer.received.compactMap { $0["~service"]?["recipientKeys"] }
      #expect(keys.count == 2 && keys.first == keys.last)
    }

    @Test func aCredentialThatIsStoredAgainIsOne() throws {
      var lost = try scene.requested()
      let before = lost.serialized()
      try scene.issue()
      try lost.update(with: scene.session)
      var credential = try Credential(serialized: before)
      try credential.update(with: scene.session)
      #expect(credential.state == 4)
      #expect(try scene.stored() == ["offer-1"])
      let after = try Credential(serialized: credential.serialized())
      #expect(after.state == 4)
      #expect(try after.info(with: scene.session) == credential.info(with: scene.session))
    }

    // MARK: Faults on this side

    @Test func withoutTheEngineNothingIsLost() throws {
      var credential = try scene.requested()
      try scene.issue()
      let sent = try scene.last()
      try scene.restart(engine: "/nowhere/libanoncreds.so")
      #expect {
        try credential.update(with: scene.session)
      } throws: { "\($0)".contains("AnonCreds engine not available") }
      #expect(credential.state == 2)
      #expect(try scene.last() == sent)
      try scene.restart()
      try credential.update(with: scene.session)
      #expect(credential.state == 4)
    }

    @Test func withoutTheDefinitionTheOfferStays() throws {
      let connection = try scene.world.completed()
      var credential = try scene.offered()
      try scene.unpublish()
      #expect(throws: (any Error).self) { try credential.sendRequest(over: connection, with: scene.session) }
      #expect(credential.state == 3)
      try scene.issuer.publish(in: scene.registry.url)
      try scene.restart()
      try credential.sendRequest(over: connection, with: scene.session)
      #expect(credential.state == 2)
    }

    @Test func anAckThatIsNotDeliveredIsSentLater() throws {
      var credential = try scene.requested()
      try scene.issue()
      scene.world.inviter.answer(500)
      #expect(throws: DeliveryError.self) { try credential.update(with: scene.session) }
      #expect(credential.state == 2)
      scene.world.inviter.answer(200)
      try credential.update(with: scene.session)
      #expect(credential.state == 4)
      #expect(try scene.stored() == ["offer-1"])
    }

    /// The user has the credential, and can use or delete it without its issuer.
    @Test(arguments: [302, 400, 403, 404, 410])
    func anAckThatIsRefusedForGoodIsNotSentAgain(status: Int) throws {
      var credential = try scene.requested()
      try scene.issue()
      scene.world.inviter.answer(status)
      try credential.update(with: scene.session)
      #expect(try credential.state == 4 && scene.stored() == ["offer-1"])
    }

    /// Each attempt may be another process's.
    @Test func anIssuerThatTakesNoAckForAMinuteGoesWithoutIt() throws {
      var credential = try scene.requested()
      try scene.issue()
      scene.world.inviter.answer(503)
      for seconds in [0, 30] {
        try age(by: seconds)
        #expect(throws: DeliveryError.refused(status: 503)) { try credential.update(with: scene.session) }
        credential = try Credential(serialized: credential.serialized())
      }
      try age(by: 60)
      try credential.update(with: scene.session)
      #expect(try credential.state == 4 && scene.stored() == ["offer-1"])
    }

    /// Lets the credential, if it is stored, be stored so many seconds ago.
    private func age(by seconds: Int) throws {
      let facts = LibraryRecords(of: "msdk.credential", in: try scene.session.wallet)
      guard let record = try facts.find("offer-1") else { return }
      let time = Int64(Date().timeIntervalSince1970) - Int64(seconds)
      let value = try JSON(parsing: record.value).with(["received": .integer(time)])
      try scene.session.wallet.make([facts.putting("offer-1", value: value.text, tags: record.tags)])
    }

    @Test(arguments: [
      (DeliveryError.refused(status: 500), true), (.refused(status: 429), true), (.refused(status: 404), false),
      (.unreachable(.unreachable("")), true), (.unreachable(.notConnected("")), true),
      (.unreachable(.invalidURL), false), (.unreachable(.notPublic), false),
    ])
    func theAttemptsEndAMinuteAfterTheStoring(error: DeliveryError, isTemporary: Bool) {
      let patience = AckPatience(since: 1_000)
      #expect([1_000, 1_059, 941].allSatisfy { patience.isOver(after: error, at: $0) != isTemporary })
      #expect([1_060, 940, .min].allSatisfy { patience.isOver(after: error, at: $0) })
      #expect(AckPatience(since: nil).isOver(after: error, at: 1_000))
    }

    /// A program that has lost the mailbox of its connection learns so, and does not wait for ever.
    @Test func anExchangeWithoutAMailboxCannotBePolled() throws {
      let connection = try scene.world.completed()
      var text = try JSON(parsing: connection.serialized(institutionDID: nil))
      text["data"]?["agent_vk"] = ""
      var credential = try scene.offered()
      try credential.sendRequest(over: Connection(serialized: text.text), with: scene.session)
      #expect(throws: ConnectionError.noMailbox) { try credential.update(with: scene.session) }
    }
  }
}
