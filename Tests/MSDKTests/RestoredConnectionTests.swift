import Aries
import DIDComm
import JSON
import Testing

@testable import MSDK

extension SDKTests {
  /// Unfinished connections of a wallet that was restored from an earlier export.
  @Suite struct RestoredConnectionTests {
    let world: World

    init() throws { world = try World() }

    private static let key = "G8r6kyQd2ToxoqMAa46UpgRSP7YhPsRTA5HE5Wxf71ca"
    private var export: String { world.folder.path + "/export" }

    private func keepCopy() throws { try world.session.wallet.export(to: export, key: Self.key) }

    /// Replaces the wallet by the copy.
    private func restore() throws {
      Agent.ofTest.stop(deletingWallet: true)
      let config: JSON = [
        "wallet_name": "alice", "wallet_key": .string(Self.key), "wallet_key_derivation": "RAW",
        "storage_config": ["path": .string(world.folder.path + "/wallets")], "exported_wallet_path": .string(export),
        "backup_key": .string(Self.key),
      ]
      try WalletImport(parsing: config.text).run()
      try world.start(world.config)
    }

    /// The agency has the response as a read message.
    @Test func aResponseThatWasAppliedSinceIsAppliedAgain() throws {
      var connection = try world.requested()
      let text = connection.serialized(institutionDID: nil)
      try keepCopy()
      try world.inviter.respond()
      try connection.poll(with: world.session)
      #expect(connection.state == .completed)
      try restore()
      var restored = try Connection(serialized: text)
      try restored.poll(with: world.session)
      #expect(restored.state == .completed)
    }

    @Test func theInviteeThatWasAnsweredSinceKeepsItsPlace() throws {
      var connection = try Connection(sourceID: "bob", goalCode: nil, goal: "to talk", handshake: true, attaching: nil)
      try connection.connect(ConnectionOptions(parsing: nil), with: world.session)
      let text = connection.serialized(institutionDID: nil)
      let invitation = Invitation.outOfBand(try OutOfBandInvitation(JSON(parsing: connection.invitationText)))
      try keepCopy()
      let bob = try ScriptedInvitee(invitation: invitation)
      try bob.ask()
      try connection.poll(with: world.session)
      #expect(connection.state.number == 3)
      try restore()
      let mallory = try ScriptedInvitee(invitation: invitation)
      try mallory.ask()
      var restored = try Connection(serialized: text)
      for _ in 0..<3 { try? restored.poll(with: world.session) }
      #expect(restored.peer?.key == bob.key.verkey)
    }

    // MARK: Several peers

    /// The invitee had its answer. It cannot be reached when the restored connection answers again.
    @Test func anInviteeThatIsAwayKeepsItsPlaceAndStopsNothing() throws {
      var connection = try Connection(sourceID: "bob", goalCode: nil, goal: "to talk", handshake: true, attaching: nil)
      try connection.connect(ConnectionOptions(parsing: nil), with: world.session)
      let text = connection.serialized(institutionDID: nil)
      let invitation = Invitation.outOfBand(try OutOfBandInvitation(JSON(parsing: connection.invitationText)))
      try keepCopy()
      let (bob, mallory) = (try ScriptedInvitee(invitation: invitation), try ScriptedInvitee(invitation: invitation))
      try bob.ask()
      try connection.poll(with: world.session)
      try restore()
      bob.answer(503)
      try mallory.ask()
      var restored = try Connection(serialized: text)
      for _ in 0..<2 { try restored.poll(with: world.session) }
      #expect(restored.state.number == 2)
      #expect(try mallory.received().isEmpty)
      bob.answer(200)
      restored = try Connection(serialized: text)
      try restored.poll(with: world.session)
      #expect(restored.peer?.key == bob.key.verkey)
    }

    private func listening() throws -> Connection {
      var connection = Connection(sourceID: "any", atPublicDID: ())
      try connection.connect(ConnectionOptions(parsing: nil), with: world.session)
      return connection
    }

    private func guest() throws -> ScriptedInvitee {
      let document = try DIDDocument(#require(JSON(parsing: world.session.publishPublicDID())["document"]))
      let did = try #require(world.session.settings.institutionDID)
      let guest = try ScriptedInvitee(invitation: .outOfBand(OutOfBandInvitation(impliedBy: did)))
      guest.resolved = document.service
      return guest
    }

    /// The requests of all peers are in the mailbox of the public DID.
    @Test func eachConnectionOfThePublicDIDFindsItsOwnPeerAgain() throws {
      var connections = [try listening(), try listening()]
      let texts = connections.map { $0.serialized(institutionDID: nil) }
      try keepCopy()
      let (earlier, guests) = (try guest(), [try guest(), try guest()])
      var later = try listening()
      try earlier.ask()
      try later.poll(with: world.session)
      try earlier.react()
      for (index, guest) in guests.enumerated() {
        try guest.ask()
        try connections[index].poll(with: world.session)
        try guest.react()
        try connections[index].poll(with: world.session)
        #expect(connections[index].state == .completed)
      }
      try restore()
      earlier.answer(503)
      later = try listening()
      for _ in 0..<2 { try later.poll(with: world.session) }
      #expect(later.state.number == 2, "a connection made since has had no peer")
      for index in [1, 0] {
        var restored = try Connection(serialized: texts[index])
        for _ in 0..<3 { try restored.poll(with: world.session) }
        #expect(restored.peer?.key == guests[index].key.verkey)
        #expect(restored.state == .completed)
      }
      #expect(try earlier.received().count == 1)
    }

    /// The inbox has room for two megabytes of read messages. The program may restore the connection once more.
    @Test func largeReadMessagesDoNotHideTheResponse() throws {
      var connection = try world.requested()
      let text = connection.serialized(institutionDID: nil)
      try keepCopy()
      try world.inviter.respond()
      try connection.poll(with: world.session)
      for number in 0..<10 {
        try world.inviter.send(BasicMessage(id: "\(number)", content: String(repeating: "x", count: 300_000)).json)
      }
      try markAsRead(over: connection, count: 10)
      try restore()
      for _ in 0..<2 {
        var restored = try Connection(serialized: text)
        try restored.poll(with: world.session)
        #expect(restored.state == .completed)
      }
    }

    private func markAsRead(over connection: Connection, count: Int) throws {
      let text = try world.session.downloadMessages(statuses: "MS-103", uids: nil, pairwiseDIDs: nil)
      let uids = try #require(JSON(parsing: text).array?.first?["msgs"]?.array).compactMap { $0["uid"] }
      try #require(uids.count == count)
      let list: JSON = [["pairwiseDID": .string(connection.pairwiseDID), "uids": .array(uids)]]
      try world.session.updateMessages(status: "MS-106", list.text)
    }

    /// Looking at all read messages costs a download. A message that the program itself marks as read later is not applied.
    @Test func theReadMessagesAreLookedAtOnce() throws {
      var connection = try world.requested()
      try keepCopy()
      try restore()
      try connection.poll(with: world.session)
      try world.inviter.respond()
      try markAsRead(over: connection, count: 1)
      try connection.poll(with: world.session)
      #expect(connection.state == .requested)
    }
  }
}
