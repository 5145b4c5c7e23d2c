import Aries
import Credentials
import JSON
import Registry
import Sodium
import TestSupport
import Testing
import Wallet

@testable import MSDK

extension SDKTests {
  @Suite(.eachCloudAgent) struct IssuerCredentialTests {
    @Test(arguments: ["1.0", "2.0"]) func aCredentialIsOfferedIssuedAndRevoked(version: String) throws {
      let scene = try RegistrarScene(version: version)
      var credential = try scene.offered()
      #expect(credential.state == 2)
      let offer = try scene.last()
      #expect(offer["@type"]?.string?.hasSuffix("issue-credential/\(version)/offer-credential") == true)
      let metadata = try scene.request()
      try credential.update(with: scene.session)
      #expect(credential.state == 3)
      try credential.sendCredential(with: scene.session)
      #expect(credential.state == 4)
      let message = try scene.last()
      let content = try Attachment(firstOf: message).content
      let issuer = try scene.session.credentialIssuer()
      let held = try scene.engine.process(
        credential: content, metadata: metadata, linkSecret: scene.linkSecret,
        definition: issuer.definition(RegistrarScene.definitionID).text,
        registry: issuer.registry(RegistrarScene.registryID).text)
      #expect(try JSON(parsing: held)["values"]?["age"]?["raw"] == "28")
      try scene.ack()
      try credential.update(with: scene.session)
      guard case .finished(let finished) = credential.machine.state else { throw Unexpected() }
      #expect(finished.status == .succeeded && finished.delivery?.place?.index == 3)
      let place: JSON = ["rev_reg_id": .string(RegistrarScene.registryID), "cred_rev_id": "3", "revoked": false]
      #expect(try JSON(parsing: credential.revocationPlace()) == place)
      try credential.revoke(with: scene.session)
      #expect(try scene.last()["@type"]?.string?.hasSuffix("revocation_notification/\(version)/revoke") == true)
      #expect(try scene.lists().last?["revocationList"] == [0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0])
      let (count, lists) = (try scene.world.inviter.received().count, try scene.lists().count)
      try credential.revoke(with: scene.session)
      #expect(try scene.world.inviter.received().count == count && scene.lists().count == lists)
      #expect(try JSON(parsing: credential.revocationPlace()) == place.with(["revoked": true]))
    }

    struct Unexpected: Error {}

    /// Revoking needs the record.
    @Test func theRecordOfACredentialStaysWhileItCanBeRevoked() throws {
      let scene = try RegistrarScene()
      var credential = try scene.requested()
      try credential.sendCredential(with: scene.session)
      try scene.ack()
      try credential.update(with: scene.session)
      #expect(credential.keptFacts.isFinished && !credential.keptFacts.isDisposable)
      let objects = try scene.session.keptObjects
      func cleanUp() throws {
        try scene.session.wallet.make([try objects.change(keeping: credential, as: "c", with: scene.session)])
        objects.removeFinished(olderThan: -60)
      }
      try cleanUp()
      #expect(try objects.find("c").kind == .issuerCredential)
      try credential.revoke(with: scene.session)
      try cleanUp()
      #expect(throws: WalletError.recordNotFound) { try objects.find("c") }
    }

    @Test func aHolderThatIsAwayGetsTheSameCredentialLater() throws {
      let scene = try RegistrarScene()
      var credential = try scene.requested()
      let before = credential
      scene.world.inviter.answer(500)
      #expect(throws: DeliveryError.self) { try credential.sendCredential(with: scene.session) }
      #expect(credential.machine == before.machine)
      scene.world.inviter.answer(200)
      for _ in 0..<2 {
        credential = try IssuerCredential(serialized: before.serialized())
        try credential.sendCredential(with: scene.session)
      }
      let sent = try scene.sent("issue-credential")
      #expect(sent.count == 2 && sent[0] == sent[1])
      #expect(try scene.lastPlace() == 3)
    }

    /// The holder's server has taken the credential in before it answered with an error.
    @Test func aCredentialWhoseDeliveryFailedCanBeRevoked() throws {
      let scene = try RegistrarScene()
      var credential = try scene.requested()
      #expect(throws: ExchangeError.notReady) { try credential.revoke(with: scene.session) }
      scene.world.inviter.answer(500)
      #expect(throws: DeliveryError.self) { try credential.sendCredential(with: scene.session) }
      #expect(credential.state == 3)
      credential = try IssuerCredential(serialized: credential.serialized())
      try credential.revoke(with: scene.session)
      #expect(try scene.lists().last?["revocationList"] == [0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0])
      #expect(credential.state == 4)
    }

    @Test func theAckOfACredentialWhoseDeliveryFailedEndsTheExchange() throws {
      let scene = try RegistrarScene()
      var credential = try scene.requested()
      let before = credential
      try credential.sendCredential(with: scene.session)
      credential = before
      try scene.ack("PENDING")
      try credential.update(with: scene.session)
      #expect(credential.machine == before.machine, "the holder has not decided yet")
      try scene.ack()
      try credential.update(with: scene.session)
      guard case .finished(let finished) = credential.machine.state else { throw Unexpected() }
      #expect(finished.status == .succeeded && finished.delivery?.place?.index == 3)
    }

    /// A registry of an older library, in which a place is revoked until its credential is issued. The credential is of
    /// no use to its holder before the registry says so.
    @Test func aPlaceIsPublishedAsValidBeforeItsCredentialIsSent() throws {
      let scene = try RegistrarScene()
      try scene.issueOnDemand()
      var credential = try scene.offered()
      #expect(try scene.lists().last?["revocationList"]?.array?.contains(0) == false)
      _ = try scene.request()
      try credential.update(with: scene.session)
      try scene.session.learnPlaces(of: RegistrarScene.registryID)
      try scene.blockLists(true)
      #expect(throws: PublicationFailure.self) { try credential.sendCredential(with: scene.session) }
      #expect(try credential.state == 3 && scene.sent("issue-credential").isEmpty)
      try scene.blockLists(false)
      try credential.sendCredential(with: scene.session)
      #expect(try credential.state == 4 && scene.sent("issue-credential").count == 1)
      #expect(try scene.lists().last?["revocationList"] == [1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1])
    }

    private func issue(_ scene: RegistrarScene) throws -> IssuerCredential {
      var credential = try scene.requested()
      try credential.sendCredential(with: scene.session)
      return credential
    }

    /// The export does not know of the place that was given out and revoked after it.
    @Test func anIssuerFromAnOlderExportPassesOverRevokedPlaces() throws {
      let scene = try RegistrarScene()
      _ = try scene.definition()
      let types = ["Indy::RevocationRegistryInfo", "Indy::RevocationRegistry"]
      let exported = try types.map { type in
        try #require(try LibraryRecords(of: type, in: scene.session.wallet).find(RegistrarScene.registryID)).value
      }
      var revoked = try issue(scene)
      try revoked.revoke(with: scene.session)
      #expect(try scene.lastPlace() == 3)
      for (type, value) in zip(types, exported) {
        let records = LibraryRecords(of: type, in: try scene.session.wallet)
        try scene.session.wallet.make([records.putting(RegistrarScene.registryID, value: value)])
      }
      try scene.restart(with: ["issue_credential_version": "2.0"])
      var next = try issue(scene)
      #expect(try scene.lastPlace() == 4)
      try next.revoke(with: scene.session)
      #expect(try scene.lists().last?["revocationList"] == [0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0])
    }

    /// The holder's values stay only as long as they may have to be sent again.
    @Test func anEndedExchangeLeavesNoValuesInTheWallet() throws {
      let scene = try RegistrarScene()
      var credential = try scene.offered(revocable: false)
      let records = LibraryRecords(of: "msdk.issuance", in: try scene.session.wallet)
      _ = try scene.request()
      try credential.update(with: scene.session)
      try credential.sendCredential(with: scene.session)
      #expect(try records.find(credential.thread)?.value.contains("Alice") == true)
      try scene.ack()
      try credential.update(with: scene.session)
      #expect(credential.state == 4)
      let note = try JSON(parsing: #require(try records.find(credential.thread)).value)
      #expect(note.object?.keys.sorted() == ["over", "request"])
    }

    @Test func theSameOfferIsSentAgain() throws {
      let scene = try RegistrarScene()
      let connection = try scene.world.completed()
      let planned = try scene.planned()
      for _ in 0..<2 {
        var credential = try IssuerCredential(serialized: planned.serialized())
        try credential.sendOffer(over: connection, with: scene.session)
      }
      let offers = try scene.sent("offer-credential")
      #expect(offers.count == 2 && offers[0] == offers[1])
    }

    @Test(arguments: ["cred_def_id", "blinded_ms"])
    func aRequestThatDoesNotAnswerTheOfferIsRefused(member: String) throws {
      let scene = try RegistrarScene()
      var credential = try scene.offered(revocable: false)
      _ = try scene.request { $0[member] = "1" }
      try credential.update(with: scene.session)
      #expect(throws: IssuingError.self) { try credential.sendCredential(with: scene.session) }
      #expect(credential.state == 0 && credential.problemReport.contains("invalid-credential-request"))
      #expect(try scene.last()["description"]?["code"] == "invalid-credential-request")
      // Another attempt could do nothing.
      let sent = try scene.world.inviter.received().count
      try credential.sendCredential(with: scene.session)
      #expect(try scene.world.inviter.received().count == sent)
    }

    @Test func withoutAPlaceToPublishARevocationWaits() throws {
      let scene = try RegistrarScene(writes: false)
      #expect(throws: PublicationFailure.self) { try scene.definition() }
    }

    @Test(arguments: [
      #"{"name":"Alice"}"#, #"{"name":"Alice","age":"28","x":"1"}"#, #"{"name":"A","age":null}"#, "[]",
      #"[{"name":"name","value":"A"},{"name":"Name","value":"B"},{"name":"age","value":"1"}]"#,
    ])
    func otherValuesThanTheDefinitionsAreRefused(values: String) throws {
      let scene = try RegistrarScene()
      let definition = try scene.definition()
      #expect(throws: IssuingError.self) {
        try IssuerCredential(
          sourceID: "s", definition: definition, values: values, name: "n", with: scene.session)
      }
    }

    @Test func aMessageFromSomebodyElseHasNoEffect() throws {
      let scene = try RegistrarScene()
      var credential = try scene.offered()
      try scene.world.inviter.send(
        [
          "@type": "https://didcomm.org/issue-credential/2.0/problem-report", "@id": "r",
          "~thread": ["thid": .string(credential.thread)], "description": ["code": "x", "en": "x"],
        ], from: KeyPair())
      try credential.update(with: scene.session)
      #expect(credential.state == 2)
    }

    /// The program hands the offer over itself, and awaits the answer at its invitation.
    @Test func anOfferForAnInvitationNamesTheService() throws {
      let scene = try RegistrarScene()
      var credential = try scene.planned()
      #expect(try JSON(parsing: credential.offer(with: scene.session))["~service"] == nil)
      let plan = try OutOfBandPlan(
        goalCode: nil, goal: nil, handshake: false, request: JSON(parsing: credential.offer(with: scene.session)))
      var invited = Connection(sourceID: "anybody", inviting: .outOfBand(plan))
      try invited.connect(ConnectionOptions(parsing: nil), with: scene.session)
      try credential.sendOffer(over: invited, with: scene.session)
      let offer = try JSON(parsing: credential.offer(with: scene.session))
      #expect(try offer["~service"] == invited.route().service.decorator)
      var sent = try scene.offered()
      #expect(try JSON(parsing: sent.offer(with: scene.session))["~service"] == nil)
    }

    /// A holder who says that it refuses the credential may have kept it.
    @Test func aCredentialThatItsHolderRefusedIsRevoked() throws {
      let scene = try RegistrarScene()
      var credential = try scene.requested()
      try credential.sendCredential(with: scene.session)
      let thread = try #require(try scene.last()["~thread"]?["thid"])
      try scene.world.inviter.send([
        "@type": "https://didcomm.org/issue-credential/2.0/problem-report", "@id": "p", "~thread": ["thid": thread],
        "description": ["code": "issuance-abandoned"],
      ])
      try credential.update(with: scene.session)
      credential = try IssuerCredential(serialized: credential.serialized())
      #expect(credential.state == 9)
      try credential.revoke(with: scene.session)
      #expect(try scene.lists().last?["revocationList"] == [0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0])
      #expect(credential.state == 9)
    }

    /// The holder reports that it ends the exchange of the last credential.
    private func abandon(_ credential: inout IssuerCredential, in scene: RegistrarScene) throws {
      let thread = try #require(try scene.last()["~thread"]?["thid"])
      let report: JSON = [
        "@type": "https://didcomm.org/issue-credential/2.0/problem-report", "@id": "p", "~thread": ["thid": thread],
        "description": ["code": "issuance-abandoned"],
      ]
      try scene.world.inviter.send(report)
      try credential.receive(report.text, with: scene.session)
    }

    /// The text of the object is older than the request, which another process has answered.
    @Test func aReportToAnOlderTextLeavesTheCredentialToRevoke() throws {
      let scene = try RegistrarScene()
      var later = try scene.offered()
      var credential = try IssuerCredential(serialized: later.serialized())
      _ = try scene.request()
      try later.update(with: scene.session)
      try later.sendCredential(with: scene.session)
      try abandon(&credential, in: scene)
      #expect(credential.state == 9)
      try credential.revoke(with: scene.session)
      #expect(try scene.lists().last?["revocationList"] == [0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0])
    }

    /// The text of the object is older than the first request, which another process has answered.
    @Test(arguments: ["cred_def_id", "blinded_ms"])
    func aSecondRequestToAnOlderTextLeavesTheCredentialToRevoke(member: String) throws {
      let scene = try RegistrarScene()
      var later = try scene.offered()
      var credential = try IssuerCredential(serialized: later.serialized())
      _ = try scene.request()
      try later.update(with: scene.session)
      try later.sendCredential(with: scene.session)
      _ = try scene.request { $0[member] = "1" }
      try credential.update(with: scene.session)
      #expect(credential.state == 3)
      do { try credential.sendCredential(with: scene.session) } catch IssuingError.malformedRequest {}
      #expect(try credential.state == 4 && scene.sent("problem-report").isEmpty)
      try credential.revoke(with: scene.session)
      #expect(try scene.lists().last?["revocationList"] == [0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0])
    }

    /// The text of the object is older than the credential, which another process has sent.
    @Test(arguments: [false, true]) func anIssuedCredentialIsNotWithdrawnByAnOlderText(isRequested: Bool) throws {
      let scene = try RegistrarScene()
      var later = try scene.offered()
      var credential = try IssuerCredential(serialized: later.serialized())
      _ = try scene.request()
      try later.update(with: scene.session)
      if isRequested { credential = try IssuerCredential(serialized: later.serialized()) }
      try later.sendCredential(with: scene.session)
      #expect(throws: ProtocolError.outOfTurn) {
        try credential.decline(because: nil, over: scene.world.completed(), with: scene.session)
      }
      #expect(try credential.state == 4 && scene.sent("problem-report").isEmpty)
      try credential.revoke(with: scene.session)
      #expect(try scene.lists().last?["revocationList"] == [0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0])
    }

    /// The text is of an earlier offer, whose definition had another registry. A credential of somebody else has the same place
    /// there.
    @Test func thePlaceOfACredentialIsInTheRegistryThatTheWalletHasNoted() throws {
      let scene = try RegistrarScene()
      var later = try scene.offered()
      let other = RegistrarScene.registryID + "-other"
      var credential = try IssuerCredential(
        serialized: later.serialized().replacing(RegistrarScene.registryID, with: other))
      #expect(credential.serialized().contains(other))
      _ = try scene.request()
      try later.update(with: scene.session)
      try later.sendCredential(with: scene.session)
      try abandon(&credential, in: scene)
      try credential.revoke(with: scene.session)
      #expect(try scene.lists().last?["revocationList"] == [0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0])
    }

    @Test func onlyAnIssuedCredentialIsRevoked() throws {
      let scene = try RegistrarScene()
      var credential = try scene.offered()
      #expect(throws: ExchangeError.notReady) { try credential.revoke(with: scene.session) }
      #expect(credential.state == 2)
    }

    @Test func aMessageBeforeTheOfferHasNoEffect() throws {
      let scene = try RegistrarScene()
      var credential = try scene.planned()
      let message = #"{"@type":"https://didcomm.org/x/1.0/y","@id":"1"}"#
      try credential.receive(message, with: { () throws -> MSDK.Session in throw Unexpected() }())
      #expect(credential.state == 1)
    }

    @Test(
      arguments: [
        (
          [["pid": "https://didcomm.org/issue-credential/2.0"], ["pid": "https://didcomm.org/issue-credential/1.0"]], 2
        ),
        ([["pid": "https://didcomm.org/issue-credential/1.0"]], 1), (["https://didcomm.org/issue-credential/1.0"], 1),
        ([["pid": "https://didcomm.org/x/1.0"]], nil), (.null, nil),
      ] as [(JSON, Int?)])
    func theHighestDisclosedVersionIsOffered(protocols: JSON, version: Int?) throws {
      let scene = try RegistrarScene(version: "auto")
      var connection = try scene.world.completed()
      guard case .completed(var completed) = connection.machine else { throw Unexpected() }
      #expect(try scene.session.issuingDialect(over: nil).major == 2)
      completed.protocols = JSONText(protocols)
      connection.machine = .completed(completed)
      let usual = completed.invitation?.json.value["services"] == nil ? 1 : 2
      #expect(try scene.session.issuingDialect(over: connection).major == version ?? usual)
      let proofProtocols = (protocols.array ?? []).map { item -> JSON in
        let text = item["pid"]?.string ?? item.string ?? ""
        return ["pid": .string(text.replacing("issue-credential", with: "present-proof"))]
      }
      completed.protocols = JSONText(.array(proofProtocols))
      connection.machine = .completed(completed)
      #expect(connection.version(of: ProofStep.family) == version ?? usual)
    }
  }
}
