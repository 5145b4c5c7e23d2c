import Aries
import Foundation
import JSON
import Logging
import Sodium
import TestSupport
import Testing
import Threading

@testable import MSDK

/// The log tells an operator each step once. In a process of its own, since a process has one logger.
@Suite struct SessionLogTests {
  static let lines = Locked<[String]>([])

  private static func install() {
    let sink = LogSink { record in lines.withLock { $0.append(record.message) } }
    #expect(Log.channel.install(sink))
  }

  /// Takes the lines of this step that hold the text.
  private static func taken(_ text: String) -> [String] {
    lines.withLock { lines in
      defer { lines = [] }
      return lines.filter { $0.contains(text) }
    }
  }

  @Test func theStepsOfAConnectionAreLogged() async {
    await #expect(processExitsWith: .success) {
      Self.install()
      let world = try World()
      var connection = try world.completed()
      let name = "connection \(connection.pairwiseDID): "
      let steps = Self.taken(name).filter { !$0.contains("applied") }
      #expect(steps == [name + "state 2 becomes 3", name + "state 3 becomes 4"])
      try world.inviter.send(BasicMessage(id: "1", content: "x").json)
      try connection.poll(with: world.session)
      #expect(Self.taken(name) == [])
      try world.inviter.send(TrustPing(id: "2", responseRequested: true).json)
      try connection.poll(with: world.session)
      #expect(Self.taken(name).map { $0.hasSuffix("is applied, trust_ping/1.0/ping") } == [true])
      let query = FeatureQuery(id: "q", query: "*ping*", comment: nil)
      try world.inviter.send(FeatureDisclosure(id: "d", to: query).json)
      try connection.poll(with: world.session)
      #expect(Self.taken(name).map { $0.hasSuffix("is applied, discover-features/1.0/disclose") } == [true])
      try world.inviter.send(TrustPing(id: "3", responseRequested: true).json, from: KeyPair())
      try connection.poll(with: world.session)
      #expect(Self.taken(name).map { $0.contains("is refused: the message is not from the peer") } == [true])

      try world.inviter.send(Hangup(id: "h").json)
      try connection.poll(with: world.session)
      let end = Self.taken(name)
      #expect(end.count == 2 && end.contains(name + "state 4 becomes 0"))
      #expect(end.contains { $0.hasSuffix("is applied, did-rotate/1.0/hangup") })

      let text = try world.session.downloadMessages(statuses: "MS-103", uids: nil, pairwiseDIDs: nil)
      let uid = try #require(JSON(parsing: text).array?.first?["msgs"]?.array?.first?["uid"]?.string)
      #expect(Self.taken("message \(uid) of \(name.dropLast(2)) is downloaded, basicmessage/1.0/message").count == 1)
      try world.session.updateMessages(
        status: "MS-106", #"[{"pairwiseDID":"\#(connection.pairwiseDID)","uids":["\#(uid)"]}]"#)
      #expect(Self.taken(name) == ["\(name)marked MS-106: \(uid)"])
      try FileManager.default.removeItem(atPath: world.folder.path + "/wallets/alice/sqlite.db")
      Agent.ofTest.stop(deletingWallet: true)
      #expect(Self.taken("the wallet could not be deleted").count == 1)
    }
  }

  @Test func theStepsOfACredentialAreLogged() async {
    await #expect(processExitsWith: .success) {
      Self.install()
      let scene = try IssuingScene()
      var credential = try scene.requested()
      #expect(Self.taken("credential: ") == ["credential: state 3 becomes 2"])
      try scene.world.inviter.send(BasicMessage(id: "1", content: "x").json)
      try credential.update(with: scene.session)
      #expect(Self.taken("credential: ") == [])
      try scene.issue()
      try credential.update(with: scene.session)
      let lines = Self.taken("credential")
      #expect(lines.contains("credential: state 2 becomes 4") && lines.contains("credential offer-1 is stored"))
      #expect(lines.contains { $0.hasSuffix("is applied, issue-credential/2.0/issue-credential") })
      try credential.delete(with: scene.session)
      #expect(Self.taken("credential offer-1 is deleted").count == 1)
      // The issuer answers later: nothing in the response is no fault of it.
      let issuer = try ConnectionlessIssuer(scene.issuer, answersInResponse: false)
      var other = try Credential(sourceID: "x", offer: issuer.offer.text)
      try other.sendRequest(over: nil, with: scene.session)
      let request = "issue-credential/2.0/request-credential"
      #expect(Self.taken(request) == ["sent \(request) without a connection"])
    }
  }

  @Test func theStepsOfABackupAreLogged() async {
    await #expect(processExitsWith: .success) {
      Self.install()
      Log.channel.setMaximum(.debug)
      let world = try World()
      let owner = try #require(world.session.settings.account?.owner.did.text)
      var backup = try WalletBackup(sourceID: "b", passphrase: "correct horse battery staple", with: world.session)
      #expect(Self.taken("WALLET_INIT_BACKUP of \(owner) is sent").count == 1)
      try backup.update(with: world.session)
      #expect(Self.taken("wallet backup: the Cloud Agent takes backups").count == 1)
      try backup.send(exportedBeside: world.folder.path + "/export", with: world.session)
      #expect(Self.taken("wallet backup: ").count { $0.hasSuffix("bytes are sent") } == 1)
      try backup.update(with: world.session)
      #expect(Self.taken("wallet backup: the Cloud Agent has the backup").count == 1)
    }
  }

  /// A full disk has the same effect. A note that is missing is found again, or does no harm.
  @Test func aWalletThatTakesNoNotesIsLogged() async {
    await #expect(processExitsWith: .success) {
      Self.install()
      let world = try World()
      let connection = try world.completed()
      let (session, mailbox) = (try world.session, try #require(connection.pairwise?.mailbox))
      Agent.ofTest.stop(deletingWallet: false)
      PlaceBook(wallet: session.wallet).note("uid", of: connection)
      #expect(Self.taken("the place in a mailbox could not be noted").count == 1)
      session.book.note(mailbox)
      #expect(Self.taken("a mailbox could not be noted").count == 1)
      let records = PublicObjectRecords(wallet: session.wallet)
      records.keep("{}", .schema, "id", at: 1)
      #expect(Self.taken("could not be kept in the wallet").count == 1)
      #expect(records.find(.schema, "id") == nil)
      #expect(Self.taken("could not be read from the wallet").count == 1)
      session.forgetIssuance(on: "thread")
      #expect(Self.taken("the texts of an issued credential could not be forgotten").count == 1)
      let service: JSON = ["recipientKeys": [.string(KeyPair().verkey.text)], "serviceEndpoint": "http://127.0.0.1"]
      let offer = try IssueCredentialMessage(.offer, IssuingScene.offer("{}").with(["~service": service]))
      let named = try #require(try offer.replyService())
      session.forgetRequest(on: "thread", answering: offer, over: .service(named))
      #expect(Self.taken("a credential request could not be forgotten").count == 1)
      AnswerMailboxes(of: session).close("thread", answering: offer)
      #expect(Self.taken("the mailbox of an exchange could not be closed").count == 1)
    }
  }

  @Test func newLedgersAreLogged() async {
    await #expect(processExitsWith: .success) {
      Self.install()
      let node: JSON = [
        "txn": ["data": ["dest": "x", "data": ["alias": "a", "client_ip": "127.0.0.1", "client_port": 1]]]
      ]
      let network: JSON = ["genesis_transactions": .string(node.text), "namespace_list": ["a", "b"]]
      let networks = try LedgerNetworks(parsing: network.text)
      Agent.ofTest.ledgers.connect([])
      #expect(Self.taken("networks") == [])
      try networks.connect(for: .ofTest)
      #expect(Self.taken("networks") == ["networks with ledgers: a, b"])
      try networks.connect(for: .ofTest)
      #expect(Self.taken("networks") == [])
    }
  }

  @Test func aMailboxThatIsRefusedIsLogged() async {
    await #expect(processExitsWith: .success) {
      Self.install()
      let world = try ScriptedWorld(ignoring: ["GET_MSGS_BY_CONNS"])
      for _ in 0..<2 { _ = try world.session.createMailbox() }
      let count = Locked(0)
      world.agency.forge { answer, request in
        guard request == "GET_MSGS" else { return }
        count.withLock { count in
          if count == 0 { answer.status = 404 }
          count += 1
        }
      }
      _ = try world.session.downloadMessages(statuses: nil, uids: nil, pairwiseDIDs: nil)
      #expect(Self.taken("the messages of a connection could not be downloaded").count == 1)
    }
  }

  /// The notice stays unread for the program, so each download finds it again.
  @Test func aRevocationIsLoggedOnce() async {
    await #expect(processExitsWith: .success) {
      Self.install()
      let scene = try IssuingScene()
      _ = try scene.issued(at: 1)
      try scene.world.inviter.send([
        "@type": "https://didcomm.org/revocation_notification/1.0/revoke", "@id": "r", "thread_id": "offer-1",
      ])
      for count in [1, 0, 0] {
        _ = try scene.session.downloadMessages(statuses: nil, uids: nil, pairwiseDIDs: nil)
        #expect(Self.taken("credential offer-1 is revoked").count == count)
      }
    }
  }

  @Test func theStepsOfAnIssuerAreLogged() async {
    await #expect(processExitsWith: .success) {
      Self.install()
      let scene = try RegistrarScene()
      var schema = try Schema(
        sourceID: "s", name: "degree", version: "1.0", attributes: #"["a"]"#, issuer: "V4SGRU86Z58d6TV7PBUe6f")
      try schema.publish(with: scene.session)
      #expect(Self.taken("schema \(schema.id) is published").count == 1)
      var credential = try scene.offered()
      #expect(Self.taken("credential definition \(RegistrarScene.definitionID) is published").count == 1)
      _ = try scene.request()
      try credential.update(with: scene.session)
      try credential.sendCredential(with: scene.session)
      #expect(
        Self.taken("issued credential: state") == [
          "issued credential: state 2 becomes 3", "issued credential: state 3 becomes 4",
        ])
      for count in [1, 0] {
        try credential.revoke(with: scene.session)
        let lines = Self.taken(RegistrarScene.registryID)
        #expect(lines.count { $0 == "the credential at 3 of \(RegistrarScene.registryID) is revoked" } == count)
        #expect(lines.count { $0.hasSuffix("revocations are published") } == count)
      }
    }
  }
}
