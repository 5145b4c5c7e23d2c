import Aries
import Credentials
import JSON
import TestSupport
import Testing
import Wallet

@testable import MSDK

extension SDKTests {
  /// Credentials that a holder must not take, and exchanges that the holder ends.
  @Suite struct CredentialRefusalTests {
    let scene: IssuingScene

    init() throws { scene = try IssuingScene() }

    @Test func anExchangeThatHasAnotherCredentialRefusesThisOne() throws {
      var credential = try scene.requested()
      let other: JSON = ["schema_id": "schema", "cred_def_id": "other", "values": [:]]
      try scene.session.credentials.store(
        other.text, as: "offer-1", schema: SchemaName(issuer: "issuer", name: "name", version: "1"), issuer: "issuer",
        with: CredentialFacts(source: nil))
      try scene.issue()
      #expect(throws: CredentialsError.exists) { try credential.update(with: scene.session) }
      #expect(credential.state == 2)
      #expect(try scene.last()["description"]?["code"] == "invalid-credential")
      #expect(try scene.newMessages().isEmpty)
    }

    private func expectRefusal(_ reason: String, _ credential: inout Credential) throws {
      #expect(throws: CredentialsError.malformedCredential(reason)) { try credential.update(with: scene.session) }
      #expect(credential.state == 2)
      #expect(try scene.last()["description"]?["code"] == "invalid-credential")
      #expect(try scene.stored().isEmpty)
    }

    @Test func anIssuerIsToldThatItHasSignedAnotherValue() throws {
      var credential = try scene.requested()
      try scene.issue { $0["values"]?["age"]?["encoded"] = "29" }
      try expectRefusal(#"the signed number of "age" is not that of its value"#, &credential)
    }

    @Test func anIssuerIsToldThatThePartsForTheRevocationAreMissing() throws {
      var credential = try scene.requested()
      try scene.issue(at: nil)
      try expectRefusal(#"its definition has revocation, and the credential has no "rev_reg_id""#, &credential)
    }

    /// The holder makes no request with such a key.
    @Test func anIssuerIsToldThatItsKeyCannotBeUsed() throws {
      let connection = try scene.world.completed()
      var content = try JSON(parsing: scene.issuer.offer())
      content["key_correctness_proof"]?["xr_cap"] = []
      var credential = try Credential(sourceID: "x", offer: IssuingScene.offer(content.text).text)
      let reason = "the proof of its key does not name each part of the key once"
      #expect(throws: CredentialsError.malformedOffer(reason)) {
        try credential.sendRequest(over: connection, with: scene.session)
      }
      #expect(credential.state == 3)
      let report = try scene.last()
      #expect(report["description"]?["code"] == "invalid-credential-offer" && report["comment"] == .string(reason))
    }

    // MARK: Exchanges that the issuer ends

    static let report: JSON = [
      "@type": "https://didcomm.org/issue-credential/2.0/problem-report", "@id": "report",
      "~thread": ["thid": "offer-1"], "description": ["code": "issuance-abandoned", "en": "no"],
    ]

    /// The ids of the wallet's notes of requests, which have the secret part of the blinded link secret.
    private func keptRequests() throws -> [String] {
      let requests = LibraryRecords(of: "msdk.credential_request", in: try scene.session.wallet)
      return try requests.search("{}").next(.max).records.map(\.id)
    }

    @Test func theIssuerMayEndTheExchange() throws {
      var credential = try scene.requested()
      #expect(try keptRequests().count == 1)
      try scene.world.inviter.send(Self.report)
      try credential.update(with: scene.session)
      #expect(credential.state == 0)
      #expect(try JSON(parsing: credential.problemReport)["@id"] == "report")
      #expect(try keptRequests().isEmpty)
    }

    @Test func anIssuerIsToldThatItsCredentialCannotBeRead() throws {
      var credential = try scene.requested()
      var message = IssuingScene.credential("{}")
      message["credentials~attach"] = []
      try scene.world.inviter.send(message)
      #expect(throws: CredentialsError.self) { try credential.update(with: scene.session) }
      #expect(credential.state == 2)
      #expect(try scene.last()["description"]?["code"] == "invalid-credential")
      #expect(try scene.newMessages().isEmpty)
    }

    /// The text is from before the credential: neither side may end an exchange whose credential the user has.
    @Test func aStoredCredentialIsNotDeclinedByAnOlderText() throws {
      var later = try scene.requested()
      var credential = try Credential(serialized: later.serialized())
      try scene.issue()
      try later.update(with: scene.session)
      #expect(throws: ProtocolError.outOfTurn) { try credential.reject(comment: nil, over: nil, with: scene.session) }
      try scene.world.inviter.send(Self.report)
      let new = try scene.session.downloadMessages(statuses: "MS-103", uids: nil, pairwiseDIDs: nil)
      let report = try #require(try JSON(parsing: new).array?.first?["msgs"]?.array?.first)
      try credential.receive(report.text, with: scene.session)
      #expect(credential.state == 2)
      try credential.update(with: scene.session)
      #expect(try credential.state == 4 && scene.newMessages().count == 1)
    }

    /// A process that forgets the step and repeats it sends the same message.
    @Test(arguments: [false, true]) func aRepeatedRefusalIsTheSame(isRequested: Bool) throws {
      let connection = try isRequested ? nil : scene.world.completed()
      let before = try (isRequested ? scene.requested() : scene.offered()).serialized()
      let sent = try ["ill", "ill", "late"].map { comment in
        var credential = try Credential(serialized: before)
        try credential.reject(comment: comment, over: connection, with: scene.session)
        return try scene.last()
      }
      #expect(sent[0] == sent[1] && sent[0]["@id"] != sent[2]["@id"])
    }

    /// The issuer may answer the proposal before it reads the refusal.
    @Test func aRefusalIsTheSameAfterACounterOffer() throws {
      let connection = try scene.world.completed()
      var credential = try scene.offered()
      try credential.propose(
        instead: #"{"attributes":{"name":"Bob"}}"#, comment: nil, over: connection, with: scene.session)
      var refusing = try Credential(serialized: credential.serialized())
      try refusing.reject(comment: "ill", over: connection, with: scene.session)
      let first = try scene.last()
      try scene.world.inviter.send(scene.offerText(id: "offer-2").with(["~thread": ["thid": "offer-1"]]))
      try credential.update(with: scene.session)
      #expect(credential.state == 3)
      try credential.reject(comment: "ill", over: connection, with: scene.session)
      #expect(try scene.last()["@id"] == first["@id"])
    }

    @Test func anExchangeThatTheHolderEndsForgetsItsRequest() throws {
      var credential = try scene.requested()
      #expect(try keptRequests().count == 1)
      try credential.reject(comment: nil, over: nil, with: scene.session)
      #expect(credential.state == 9)
      #expect(try keptRequests().isEmpty)
    }
  }
}
