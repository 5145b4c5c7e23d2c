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
  /// Notifications by which an issuer revokes a held credential.
  @Suite struct CredentialRevocationTests {
    let scene: IssuingScene

    init() throws { scene = try IssuingScene() }

    private let revocation: JSON = [
      "@type": "https://didcomm.org/revocation_notification/1.0/revoke", "@id": "r", "thread_id": "offer-1",
    ]

    @Test(.eachCloudAgent) func theRegistryTellsWhoIsRevoked() throws {
      #expect(try scene.issued(at: 5).isRevoked(with: scene.session))
      #expect(try scene.session.credentials.credential("offer-1").held.isRevoked)
    }

    @Test(
      .eachCloudAgent,
      arguments: [
        ["@type": "https://didcomm.org/revocation_notification/1.0/revoke", "@id": "r", "thread_id": "offer-1"],
        [
          "@type": "https://didcomm.org/revocation_notification/2.0/revoke", "@id": "r",
          "revocation_format": "indy-anoncreds", "credential_id": .string("\(TestIssuer.registryID)::5"),
        ],
      ] as [JSON])
    func onlyTheIssuerRevokes(notification: JSON) throws {
      _ = try scene.issued(at: 5)
      let isMarked = { try scene.session.credentials.credential("offer-1").held.isRevoked }
      try scene.world.inviter.send(notification, from: KeyPair())
      _ = try scene.newMessages()
      #expect(try !isMarked())
      try scene.world.inviter.send(notification)
      #expect(try scene.newMessages().count == 2)
      #expect(try isMarked())
    }

    /// One peer, who has the same key in both connections.
    @Test func onlyTheConnectionThatBroughtACredentialRevokesIt() throws {
      _ = try scene.issued(at: 5)
      let isMarked = { try scene.session.credentials.credential("offer-1").held.isRevoked }
      var other = try scene.world.completed()
      try scene.world.inviter.send(revocation)
      try other.poll(with: scene.session)
      #expect(try scene.newMessages().count == 1)
      #expect(try !isMarked())
    }

    @Test func anUnauthenticatedRevocationIsIgnored() throws {
      _ = try scene.issued(at: 5)
      try scene.world.inviter.sendUnsigned(revocation)
      #expect(try scene.newMessages().count == 1)
      #expect(try !scene.session.credentials.credential("offer-1").held.isRevoked)
    }

    @Test func aRevocationMayBeTakenBack() throws {
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

    @Test func aPollOfTheConnectionFindsARevocation() throws {
      var connection = try scene.world.completed()
      var credential = try scene.offered()
      try credential.sendRequest(over: connection, with: scene.session)
      try scene.issue(at: 5)
      try credential.update(with: scene.session)
      try scene.world.inviter.send(revocation)
      try connection.poll(with: scene.session)
      #expect(try scene.session.credentials.credential("offer-1").held.isRevoked)
    }

    /// A poll passes over each message once, so that no later one would find the notification.
    @Test func thePollOfAnotherCredentialFindsARevocation() throws {
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

    /// Polling acknowledges it, also in another process, and it stays for the application.
    @Test(.eachCloudAgent) func aRevocationIsAcknowledgedOnceIfTheIssuerAsks() throws {
      let connection = try scene.world.completed()
      var credential = try scene.offered()
      try credential.sendRequest(over: connection, with: scene.session)
      try scene.issue(at: 5)
      try credential.update(with: scene.session)
      try scene.world.inviter.send(revocation)
      for (id, thread, sender) in [("q", "offer-1", KeyPair()), ("s", "offer-1", nil), ("t", "another", nil)] {
        var asking = revocation
        asking["@id"] = .string(id)
        asking["thread_id"] = .string(thread)
        asking["~please_ack"] = ["on": ["RECEIPT"]]
        try scene.world.inviter.send(asking, from: sender)
      }
      for _ in 0..<4 {
        var restored = try Connection(serialized: connection.serialized(institutionDID: nil))
        try restored.poll(with: scene.session)
      }
      let acks = try scene.world.inviter.received().map(\.json).filter {
        $0["@type"] == "https://didcomm.org/revocation_notification/1.0/ack"
      }
      #expect(acks.map { $0["~thread"]?["thid"] } == ["s"])
      #expect(try scene.newMessages().count == 4)
      #expect(try scene.session.credentials.credential("offer-1").held.isRevoked)
    }

    /// The issuer asks for an answer over a connection that has not brought the credential.
    @Test func aRevocationOverAnotherConnectionIsNotAcknowledged() throws {
      _ = try scene.issued(at: 5)
      var other = try scene.world.completed()
      try scene.world.inviter.send(revocation.with(["~please_ack": ["on": ["RECEIPT"]]]))
      let sent = try scene.world.inviter.received().count
      try other.poll(with: scene.session)
      #expect(try scene.world.inviter.received().count == sent)
    }
  }
}
