import CMSDKCalls
import Foundation
import MSDK
import Testing

/// The suites that have a session. There is one at a time in a process.
@Suite(.serialized) enum Sessions {}

extension Sessions {
  /// Two connections of one wallet meet each other, at a real agency.
  @Suite struct ConnectionTests {
    @Test func sidesConnectWriteAndComeBack() async throws {
      let world = try World()
      defer { world.end() }
      let session = try await Session(Session.provision(world.request))
      defer { session.end(deletingWallet: true) }
      try await session.checkHealth()

      let inviter = try await Connection.invite(name: "guest", goal: "to meet")
      let invitation = try await inviter.connect()
      let invitee = try await Connection.accept(invitation, name: "host")
      try await invitee.connect(.init(handshake: .didExchange11, didMethod: .peer4))
      async let others = inviter.completed(every: .milliseconds(50))
      #expect(try await invitee.completed(every: .milliseconds(50)) == .completed)
      #expect(try await others == .completed)

      let restored = try await Connection.restore(invitee.serialized())
      #expect(try await restored.state == .completed)
      try await restored.send("one")
      var arrived: [String?] = []
      for await message in try Message.arriving() where message.kind == "message" {
        arrived.append(message.content)
        if arrived.count == 2 { break }
        try await restored.send("two")
      }
      #expect(arrived == ["one", "two"])
      var read: [String?] = []
      for try await message in inviter.messages(every: .milliseconds(50)) where message.kind == "message" {
        read.append(message.content)
        try await message.markRead()
        if read.count == 2 { break }
      }
      #expect(read == ["one", "two"])
      #expect(try await Message.unread(of: [inviter.pairwiseDID]).allSatisfy { $0.kind != "message" })
    }

    /// A stranger who knows the key of a connection writes to it.
    @Test func aStrangersMessageIsNotThePeers() async throws {
      let world = try World()
      defer { world.end() }
      let session = try await Session(Session.provision(world.request))
      defer { session.end(deletingWallet: true) }
      let (inviter, invitee) = try await pair()
      let (other, stranger) = try await pair()
      let forged = try await redirected(stranger, from: other, to: inviter)
      try await forged.send("I am the stranger")
      try await invitee.send("I am the peer")
      #expect(try await inviter.next("message", every: .milliseconds(50)).content == "I am the peer")

      let all = try await Message.unread(of: [inviter.pairwiseDID]).filter { $0.kind == "message" }
      #expect(try await Message.unread(of: [""]).isEmpty, "a connection without a mailbox has no messages")
      try #require(all.map(\.content) == ["I am the stranger", "I am the peer"])
      var areTheirs: [Bool] = []
      for message in all { areTheirs.append(try await message.isSent(by: inviter)) }
      #expect(areTheirs == [false, true])
      #expect(try await !all[1].isSent(by: other))
      #expect(try await inviter.peerKeys == [all[1].senderVerkey])
    }

    /// An inviter's connection has no peer before the request.
    @Test func noKeyIsProvenBeforeTheHandshakeIsOver() async throws {
      let world = try World()
      defer { world.end() }
      let session = try await Session(Session.provision(world.request))
      defer { session.end(deletingWallet: true) }
      let inviter = try await Connection.invite(name: "guest")
      let invitee = try await Connection.accept(inviter.connect(), name: "host")
      try await invitee.connect()
      #expect(try await inviter.peerKeys == [])
      #expect(try await invitee.peerKeys == [])
    }

    /// The library reads the mediator's invitation, and finds nobody at its address.
    @Test func aMediatorIsNamedByItsInvitation() async throws {
      let world = try World()
      defer { world.end() }
      let invitation = """
        {"@type": "https://didcomm.org/connections/1.0/invitation", "@id": "1", "label": "Mediator",
        "recipientKeys": ["\(world.verkey)"], "serviceEndpoint": "http://127.0.0.1:1"}
        """
      var request = world.request
      request.cloudAgent = .mediator(invitation: invitation)
      let error = await #expect(throws: MSDKError.self) { try await Session.provision(request) }
      #expect(error?.code == 1010 && error?.details.contains("127.0.0.1:1") == true)
    }

    @Test func aKeptConnectionIsOpenedAgain() async throws {
      let world = try World()
      defer { world.end() }
      let configuration = try await Session.provision(world.request)
      var session = try await Session(configuration)
      _ = try await Connection.invite(name: "guest", goal: "to meet")
      session.end()
      session = try await Session(configuration)
      defer { session.end(deletingWallet: true) }
      let kept = try await KeptObject.list(.init(.connection, name: "guest"))
      #expect(kept.map(\.state) == [1])
      let connection = try await Connection.open(kept[0])
      _ = try await connection.connect()
      #expect(try await connection.state == .invited)
      #expect(try await KeptObject.list().map(\.state) == [2])
      await #expect(throws: MSDKError.self) { try await Credential.open(kept[0]) }
      try await kept[0].delete()
      #expect(try await KeptObject.list().isEmpty)
    }

    @Test func recordsAreFoundByTheirTags() async throws {
      let world = try World()
      defer { world.end() }
      let session = try await Session(Session.provision(world.request))
      defer { session.end(deletingWallet: true) }
      for number in 1...250 {
        try await Wallet.add(type: "note", id: "\(number)", value: "v", tags: ["~odd": number % 2 == 1 ? "yes" : "no"])
      }
      var found = 0
      for try await record in Wallet.search(type: "note", query: #"{"~odd":"yes"}"#) {
        #expect(record.tags == ["~odd": "yes"])
        found += 1
      }
      #expect(found == 125)
      try await Wallet.update(type: "note", id: "1", value: "w")
      #expect(try await Wallet.record(type: "note", id: "1").value == "w")
      try await Wallet.delete(type: "note", id: "1")
      let error = await #expect(throws: MSDKError.self) { try await Wallet.record(type: "note", id: "1") }
      #expect(error?.code == 1073)
    }

    /// An object ends only the session that it has begun itself.
    @Test func anEndedSessionEndsNoOther() async throws {
      let world = try World()
      defer { world.end() }
      let configuration = try await Session.provision(world.request)
      var session: Session? = try await Session(configuration)
      let first = session
      first?.end()
      session = try await Session(configuration)
      first?.end(deletingWallet: true)
      try await session?.checkHealth()
      await #expect(throws: MSDKError.self) { try await Session(configuration) }
      try await session?.checkHealth()
      session?.end()
      await #expect(throws: MSDKError.self) { try await session?.checkHealth() }
      session = try await Session(configuration)  // the object of the ended session is released
      try await session?.checkHealth()
      session?.end(deletingWallet: true)
    }

    @Test func waitingEndsWithTheTask() async throws {
      let world = try World()
      defer { world.end() }
      let session = try await Session(Session.provision(world.request))
      defer { session.end(deletingWallet: true) }
      let inviter = try await Connection.invite(name: "nobody")
      try await inviter.connect()
      let waiting = Task { try await inviter.completed(every: .milliseconds(20)) }
      waiting.cancel()
      await #expect(throws: CancellationError.self) { try await waiting.value }
      #expect(try await inviter.state == .invited)
    }
  }
}

/// Both ends of a connection. Their DID documents have the keys in base58, as `info` has them.
private func pair() async throws -> (inviter: Connection, invitee: Connection) {
  let options = Connection.Options(handshake: .connections, didMethod: .unqualified)
  let inviter = try await Connection.invite(name: "guest")
  let invitee = try await Connection.accept(inviter.connect(options), name: "host")
  try await invitee.connect(options)
  async let others = inviter.completed(every: .milliseconds(50))
  #expect(try await invitee.completed(every: .milliseconds(50)) == .completed)
  #expect(try await others == .completed)
  return (inviter, invitee)
}

/// A connection with the keys of `sender` that sends to the mailbox of `target`, and not to that of its peer.
private func redirected(_ sender: Connection, from peer: Connection, to target: Connection) async throws -> Connection {
  var text = try await sender.serialized()
  let (old, new) = (try await keys(of: peer), try await keys(of: target))
  for (key, other) in zip(old, new) { text = text.replacingOccurrences(of: key, with: other) }
  return try await Connection.restore(text)
}

/// The keys to which a peer sends: those of this side, and of its agents.
private func keys(of connection: Connection) async throws -> [String] {
  struct Info: Decodable {
    let my: Side

    struct Side: Decodable { let recipientKeys, routingKeys: [String] }
  }
  let my = try await JSONDecoder().decode(Info.self, from: Data(connection.info.utf8)).my
  return my.recipientKeys + my.routingKeys
}
