import Aries
import CloudAgent
import JSON
import Sodium
import TestSupport
import Testing
import Wallet

@testable import MSDK

extension SDKTests {
  /// The offers and requests that wait in a mailbox, among other messages.
  @Suite(.eachCloudAgent) struct PendingMessageTests {
    let scene: IssuingScene
    let connection: Connection

    init() throws {
      scene = try IssuingScene()
      connection = try scene.world.completed()
    }

    /// Sends one message of each kind. Returns the ids by which the Cloud Agent knows them, in their order.
    private func fill() throws -> [String] {
      try scene.offer()
      let family = "https://didcomm.org/issue-credential/2.0/propose-credential"
      try scene.world.inviter.send(["@type": .string(family), "@id": "proposal"])
      try scene.world.inviter.send(ProvingScene.request(ProvingScene.content()))
      try scene.world.inviter.send(
        ["@type": "https://didcomm.org/present-proof/2.0/propose-presentation", "@id": "proposal"])
      try scene.world.inviter.send(BasicMessage(id: "b", content: "x").json)
      return try scene.newMessages().compactMap { $0["uid"]?.string }
    }

    @Test(arguments: ["3.0", "4.0"]) func onlyOffersAndRequestsAreListed(protocolType: String) throws {
      let isOlder = protocolType == "3.0"
      try scene.restart(with: ["protocol_type": .string(protocolType)])
      let uids = try fill()
      #expect(uids.count == 5)
      let offers = try JSON(parsing: Credential.offers(of: connection, with: scene.session)).requireArray()
      #expect(offers.count == 1)
      #expect((offers[0].array?.first?["msg_type"] == "credential-offer") == isOlder)
      #expect((offers[0]["@id"] == "offer-1") == !isOlder)
      let requests = try JSON(parsing: DisclosedProof.requests(of: connection, with: scene.session)).requireArray()
      #expect(requests.count == 1 && (requests[0]["proof_request_data"] != nil) == isOlder)
      #expect((requests[0]["@id"] == "request-1") == !isOlder)
      for (index, uid) in uids.enumerated() {
        let offer = try? Credential.offered(by: uid, over: connection, sourceID: "s", with: scene.session)
        let request = try? DisclosedProof.requested(by: uid, over: connection, sourceID: "s", with: scene.session)
        #expect((offer != nil) == (index == 0) && (request != nil) == (index == 2))
        #expect(offer.map { $0.offer.hasPrefix("[") } ?? isOlder == isOlder)
        #expect(request.map { $0.request.contains("proof_request_data") } ?? isOlder == isOlder)
      }
      #expect(throws: ExchangeError.otherMessage) {
        try Credential.offered(by: uids[4], over: connection, sourceID: "s", with: scene.session)
      }
      #expect(throws: MailboxError.notOneMessage(count: 0)) {
        try Credential.offered(by: "unknown", over: connection, sourceID: "s", with: scene.session)
      }
    }

    /// The program has marked them, and may still take one up by its id.
    @Test func messagesThatWereReadAreNotListed() throws {
      let uids = try fill()
      let list: JSON = [["pairwiseDID": .string(connection.pairwiseDID), "uids": JSON(uids)]]
      try scene.session.updateMessages(status: "MS-106", list.text)
      #expect(try Credential.offers(of: connection, with: scene.session) == "[]")
      #expect(try DisclosedProof.requests(of: connection, with: scene.session) == "[]")
      #expect(
        try Credential.offered(by: uids[0], over: connection, sourceID: "s", with: scene.session).credential.state == 3)
      let requested = try DisclosedProof.requested(
        by: uids[2], over: connection, sourceID: "s", with: scene.session)
      #expect(requested.proof.state == 3)
    }

    /// Anyone who knows the connection's key can write to its mailbox.
    @Test func aStrangersOfferOrRequestIsNotThePeers() throws {
      let (inviter, request) = (scene.world.inviter, try ProvingScene.request(ProvingScene.content()))
      let offer = try scene.offerText()
      for message in [offer, request] {
        for stranger in [KeyPair(), inviter.invitationKey] { try inviter.send(message, from: stranger) }
        try inviter.sendUnsigned(message)
      }
      #expect(try Credential.offers(of: connection, with: scene.session) == "[]")
      #expect(try DisclosedProof.requests(of: connection, with: scene.session) == "[]")
      let uids = try scene.newMessages().compactMap { $0["uid"]?.string }
      #expect(uids.count == 6)
      for uid in uids.prefix(3) {
        #expect(throws: ProtocolError.notFromPeer) {
          try Credential.offered(by: uid, over: connection, sourceID: "s", with: scene.session)
        }
      }
      for uid in uids.suffix(3) {
        #expect(throws: ProtocolError.notFromPeer) {
          try DisclosedProof.requested(by: uid, over: connection, sourceID: "s", with: scene.session)
        }
      }
      try inviter.send(offer)
      #expect(try JSON(parsing: Credential.offers(of: connection, with: scene.session)).array?.count == 1)
    }

    @Test(
      arguments: [
        (" a , b ", ["a", "b"]), ("a,,b, ,", ["a", "b"]), ("a", ["a"]), (",", []), ("", []), (nil, []),
        ("a b,\tc\n", ["ab", "c"]),
      ] as [(String?, [String])])
    func aListIsSeparatedByCommas(text: String?, elements: [String]) {
      #expect(MessageFilter.list(text) == elements)
    }

    /// The next exchange on such a thread gets a mailbox of its own.
    @Test func theMailboxOfAnExchangeIsForgottenWithTheExchange() throws {
      let issuer = try ConnectionlessIssuer(scene.issuer)
      var credential = try Credential(sourceID: "x", offer: issuer.offer.text)
      try credential.sendRequest(over: nil, with: scene.session)
      #expect(credential.state == 4)
      let records = LibraryRecords(of: "msdk.answers", in: try scene.session.wallet)
      #expect(try records.find(issuer.note) != nil)
      try credential.delete(with: scene.session)
      #expect(try records.find(issuer.note) == nil)
    }
  }
}
