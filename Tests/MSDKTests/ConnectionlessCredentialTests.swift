import Aries
import Credentials
import HTTPServing
import JSON
import TestSupport
import Testing
import Wallet

@testable import MSDK

extension SDKTests {
  /// A holder that answers an offer without a connection. The credential comes in the response, or into a mailbox of its own.
  @Suite struct ConnectionlessCredentialTests {
    let scene: IssuingScene

    init() throws { scene = try IssuingScene() }

    @Test(.eachCloudAgent) func aCredentialComesInTheAnswer() throws {
      let service = try ConnectionlessIssuer(scene.issuer)
      defer { service.server.stop() }
      var credential = try Credential(sourceID: "x", offer: service.offer.text)
      try credential.sendRequest(over: nil, with: scene.session)
      #expect(credential.state == 4)
      #expect(try scene.stored() == ["offer-1"])
      #expect(service.received.last?["@type"] == "https://didcomm.org/issue-credential/2.0/ack")
      #expect(service.received.allSatisfy { $0["~transport"]?["return_route"] == "all" })
    }

    @Test(.eachCloudAgent) func withoutACloudAgentTheAnswerComesInTheResponse() throws {
      try scene.restart(with: ["agency_endpoint": .null, "agency_did": .null, "agency_verkey": .null])
      let service = try ConnectionlessIssuer(scene.issuer)
      defer { service.server.stop() }
      var credential = try Credential(sourceID: "x", offer: service.offer.text)
      try credential.sendRequest(over: nil, with: scene.session)
      #expect(credential.state == 4)
      #expect(service.received.allSatisfy { $0["~service"] == nil })
    }

    @Test(.eachCloudAgent) func aCredentialComesIntoAMailboxOfItsOwn() throws {
      let service = try ConnectionlessIssuer(scene.issuer, answersInResponse: false)
      defer { service.server.stop() }
      var credential = try Credential(sourceID: "x", offer: service.offer.text)
      let before = credential.serialized()
      try credential.sendRequest(over: nil, with: scene.session)
      #expect(credential.state == 2)
      // A process that has not noted that the request was sent names the same mailbox again.
      credential = try Credential(serialized: before)
      try credential.sendRequest(over: nil, with: scene.session)
      let named = service.received.map { $0["~service"] }
      #expect(named.count == 2 && named[0] == named[1] && named[0] != nil)
      try service.answer()
      credential = try Credential(serialized: credential.serialized())
      try credential.update(with: scene.session)
      #expect(credential.state == 4)
      #expect(try scene.stored() == ["offer-1"])
      let ack = try #require(service.received.last)
      #expect(ack["@type"] == "https://didcomm.org/issue-credential/2.0/ack" && ack["~service"] == named[0])
      #expect(service.senders.count == 1)
      try credential.delete(with: scene.session)
      #expect(throws: DeliveryError.self) { try service.answer() }
    }

    @Test(.eachCloudAgent) func aDeclinedCredentialClosesItsMailbox() throws {
      let service = try ConnectionlessIssuer(scene.issuer, answersInResponse: false)
      defer { service.server.stop() }
      var credential = try Credential(sourceID: "x", offer: service.offer.text)
      try credential.sendRequest(over: nil, with: scene.session)
      try credential.reject(comment: nil, over: nil, with: scene.session)
      #expect(credential.state == 9)
      #expect(throws: DeliveryError.self) { try service.answer() }
    }

    @Test(.eachCloudAgent) func withoutAConnectionTheOfferNamesItsService() throws {
      var credential = try scene.offered()
      #expect(throws: ExchangeError.noService) { try credential.sendRequest(over: nil, with: scene.session) }
    }

    /// A process that ends before it has stored the object finds the report again.
    @Test func theMailboxOfADeclinedRequestIsClosedWithItsObject() throws {
      let issuer = try ConnectionlessIssuer(scene.issuer, answersInResponse: false)
      var credential = try Credential(sourceID: "x", offer: issuer.offer.text)
      try credential.sendRequest(over: nil, with: scene.session)
      let stored = credential.serialized()
      try issuer.answer(with: CredentialRefusalTests.report)
      for _ in 0..<2 {
        credential = try Credential(serialized: stored)
        try credential.update(with: scene.session)
        #expect(credential.state == 0)
      }
      let records = LibraryRecords(of: "msdk.answers", in: try scene.session.wallet)
      #expect(try records.find(issuer.note) != nil)
      #expect(throws: ExchangeError.ended) { try credential.delete(with: scene.session) }
      #expect(try records.find(issuer.note) == nil)
      #expect(throws: DeliveryError.self) { try issuer.answer(with: CredentialRefusalTests.report) }
    }

    /// Anybody can repeat the thread of an offer that many have seen.
    @Test func anotherOfferOnTheSameThreadHasAMailboxOfItsOwn() throws {
      let faber = try ConnectionlessIssuer(scene.issuer, answersInResponse: false)
      let mallory = try ConnectionlessIssuer(scene.issuer, answersInResponse: false)
      var (credential, other) = (
        try Credential(sourceID: "f", offer: faber.offer.text), try Credential(sourceID: "m", offer: mallory.offer.text)
      )
      try credential.sendRequest(over: nil, with: scene.session)
      try other.sendRequest(over: nil, with: scene.session)
      #expect(faber.senders.isDisjoint(with: mallory.senders))
      try other.reject(comment: nil, over: nil, with: scene.session)
      try faber.answer()
      try credential.update(with: scene.session)
      #expect(credential.state == 4)
    }

    /// The copy has the key of the issuer, and another address.
    @Test func aCopiedOfferThatIsDeclinedClosesNoOtherMailbox() throws {
      let faber = try ConnectionlessIssuer(scene.issuer, answersInResponse: false)
      let copier = try HTTPServer { _ in HTTPServer.Response(status: 200) }
      defer {
        faber.server.stop()
        copier.stop()
      }
      var copy = faber.offer
      copy["~service"]?["serviceEndpoint"] = .string(copier.endpoint)
      var credential = try Credential(sourceID: "f", offer: faber.offer.text)
      var other = try Credential(sourceID: "m", offer: copy.text)
      try credential.sendRequest(over: nil, with: scene.session)
      try other.sendRequest(over: nil, with: scene.session)
      try other.reject(comment: nil, over: nil, with: scene.session)
      try faber.answer()
      try credential.update(with: scene.session)
      #expect(credential.state == 4)
    }

    @Test func aStoredCredentialIsNotDeclined() throws {
      let service = try ConnectionlessIssuer(scene.issuer)
      defer { service.server.stop() }
      var credential = try Credential(sourceID: "x", offer: service.offer.text)
      try credential.sendRequest(over: nil, with: scene.session)
      let sent = service.received.count
      try credential.reject(comment: nil, over: nil, with: scene.session)
      #expect(credential.state == 4 && service.received.count == sent)
      let records = LibraryRecords(of: "msdk.answers", in: try scene.session.wallet)
      #expect(try records.find(service.note) != nil, "its mailbox stays open")
    }

    /// The credential would come no second time.
    @Test func anAckThatIsNotDeliveredLosesNoCredentialOfAResponse() throws {
      let service = try ConnectionlessIssuer(scene.issuer, refusesAck: true)
      defer { service.server.stop() }
      var credential = try Credential(sourceID: "x", offer: service.offer.text)
      try credential.sendRequest(over: nil, with: scene.session)
      #expect(try credential.state == 4 && scene.stored() == ["offer-1"])
    }

    /// The request has arrived: its answer may still come into the mailbox that it names.
    @Test func aResponseThatCannotBeReadIsNoAnswer() throws {
      let verifier = try ConnectionlessVerifier(answering: ["no": "message"])
      defer { verifier.server.stop() }
      var offer = try scene.offerText()
      offer["~service"] = try verifier.request()["~service"]
      var credential = try Credential(sourceID: "x", offer: offer.text)
      try credential.sendRequest(over: nil, with: scene.session)
      #expect(credential.state == 2 && verifier.received.count == 1)
    }
  }
}
