import Aries
import Credentials
import Foundation
import JSON
import Sodium
import TestSupport
import Testing
import Wallet

@testable import MSDK

extension SDKTests {
  /// Notes about a held credential, and the ways of messages that go astray.
  @Suite(.serialized) struct CredentialDetailTests {
    private let revocation: JSON = [
      "@type": "https://didcomm.org/revocation_notification/1.0/revoke", "@id": "r", "thread_id": "offer-1",
    ]

    /// A poll passes over each message once, so that no later one would find the notification.
    @Test func thePollOfAnotherCredentialFindsARevocation() throws {
      let scene = try IssuingScene()
      let connection = try scene.world.completed()
      for id in ["offer-1", "offer-2"] {
        let offer = try scene.offerText(id: id)
        var credential = try Credential(sourceID: id, offer: offer.text)
        try credential.sendRequest(over: connection, with: scene.session)
        if id == "offer-1" { try scene.issue(at: 5) } else { try scene.world.inviter.send(revocation) }
        try credential.update(with: scene.session)
      }
      #expect(try scene.session.credentials.credential("offer-1").held.isRevoked)
    }

    /// The issuer asks for an answer over a connection that has not brought the credential.
    @Test func aRevocationOverAnotherConnectionIsNotAcknowledged() throws {
      let scene = try IssuingScene()
      _ = try scene.issued(at: 5)
      var other = try scene.world.completed()
      try scene.world.inviter.send(revocation.with(["~please_ack": ["on": ["RECEIPT"]]]))
      let sent = try scene.world.inviter.received().count
      try other.poll(with: scene.session)
      #expect(try scene.world.inviter.received().count == sent)
    }

    @Test func aRevocationMayBeTakenBack() throws {
      let scene = try IssuingScene()
      _ = try scene.issued(at: 5)
      let isMarked = { try scene.session.credentials.credential("offer-1").held.isRevoked }
      for (name, isRevoked) in [("revoke", true), ("unrevoke", false)] {
        try scene.world.inviter.send([
          "@type": .string("https://didcomm.org/revocation_notification/2.1/\(name)"), "@id": .string(name),
          "revocation_format": "indy-anoncreds", "credential_id": .string("\(TestIssuer.registryID)::5"),
        ])
        _ = try scene.newMessages()
        #expect(try isMarked() == isRevoked)
      }
    }

    /// A proposal names the format that its verifier can read.
    @Test func theFormatOfACredentialIsNoted() throws {
      let scene = try IssuingScene()
      let connection = try scene.world.completed()
      var offer = try scene.offerText()
      offer["formats"] = [["attach_id": "indy", "format": "anoncreds/credential-offer@v1.0"]]
      var credential = try Credential(sourceID: "degree", offer: offer.text)
      try credential.sendRequest(over: connection, with: scene.session)
      let content = try scene.issuer.credential(
        answering: Attachment(firstOf: scene.last()).content, to: Attachment(firstOf: offer).content)
      var message = IssuingScene.credential(content)
      message["formats"] = [["attach_id": "indy", "format": "anoncreds/credential@v1.0"]]
      try scene.world.inviter.send(message)
      try credential.update(with: scene.session)
      #expect(credential.state == 4)
      let records = LibraryRecords(of: "msdk.credential", in: try scene.session.wallet)
      #expect(try JSON(parsing: #require(try records.find("offer-1")).value)["format"] == "anoncreds")
    }

    /// The issuer sends another object beside the credential, which a program could show in its place.
    @Test(arguments: ["offers~attach", "requests~attach", "filters~attach", "did_doc~attach", "proposal~attach"])
    func theMessageOfAStoredCredentialHasThatCredentialOnly(member: String) throws {
      let scene = try IssuingScene()
      var credential = try scene.requested()
      let request = try scene.last()
      let content = try scene.issuer.credential(
        answering: Attachment(firstOf: request).content, to: scene.offer(ofThread: "offer-1"))
      var message = IssuingScene.credential(content)
      message[member] = [["@id": "x", "data": ["json": ["values": ["name": ["raw": "Mallory"]]]]]]
      try scene.world.inviter.send(message)
      try credential.update(with: scene.session)
      let shown = try JSON(parsing: credential.message(asVersion3: false))
      #expect(shown[member] == nil && shown["credentials~attach"]?.array?.count == 1)
      #expect(try JSON(parsing: Attachment(firstOf: shown).content) == JSON(parsing: content))
    }

    @Test func aProposalRepeatsTheCommentOfTheOffer() throws {
      let scene = try IssuingScene()
      let text = try scene.issued().presentationProposal(with: scene.session)
      #expect(try JSON(parsing: text)["comment"] == "yours")
    }

    @Test func aStoredCredentialIsNotDeclined() throws {
      let scene = try IssuingScene()
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

    // MARK: without a connection

    /// The credential would come no second time.
    @Test func anAckThatIsNotDeliveredLosesNoCredentialOfAResponse() throws {
      let scene = try IssuingScene()
      let service = try ConnectionlessIssuer(scene.issuer, refusesAck: true)
      defer { service.server.stop() }
      var credential = try Credential(sourceID: "x", offer: service.offer.text)
      try credential.sendRequest(over: nil, with: scene.session)
      #expect(try credential.state == 4 && scene.stored() == ["offer-1"])
    }

    /// The request has arrived: its answer may still come into the mailbox that it names.
    @Test func aResponseThatCannotBeReadIsNoAnswer() throws {
      let scene = try IssuingScene()
      let verifier = try ConnectionlessVerifier(answering: ["no": "message"])
      defer { verifier.server.stop() }
      var offer = try scene.offerText()
      offer["~service"] = try verifier.request()["~service"]
      var credential = try Credential(sourceID: "x", offer: offer.text)
      try credential.sendRequest(over: nil, with: scene.session)
      #expect(credential.state == 2 && verifier.received.count == 1)
    }

    /// A program that has lost the mailbox of its connection learns so, and does not wait for ever.
    @Test func anExchangeWithoutAMailboxCannotBePolled() throws {
      let scene = try IssuingScene()
      let connection = try scene.world.completed()
      var text = try JSON(parsing: connection.serialized(institutionDID: nil))
      text["data"]?["agent_vk"] = ""
      var credential = try scene.offered()
      try credential.sendRequest(over: Connection(serialized: text.text), with: scene.session)
      #expect(throws: ConnectionError.noMailbox) { try credential.update(with: scene.session) }
    }

    // MARK: the wallet's directory

    @Test func theTailsOfCredentialsGoWithTheWallet() throws {
      let scene = try ProvingScene(at: 5)
      _ = try scene.prepared(DisclosedProofTests.nonRevoked())
      let folder = scene.issuing.world.folder.path + "/wallets"
      let tails = try #require(FileManager.default.enumerator(atPath: folder)).compactMap { $0 as? String }
      #expect(tails.contains { $0.contains("tails") })
      Agent.standard.stop(deletingWallet: true)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }
  }
}
