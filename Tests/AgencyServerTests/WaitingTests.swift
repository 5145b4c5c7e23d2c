import AgencyWire
import DIDComm
import Foundation
import HTTP
import JSON
import TestSupport
import Testing

@testable import AgencyServer

/// Clients that wait for messages, at a real agency.
@Suite struct WaitingTests {
  @Test(arguments: StoreKind.allCases) func aMessageEndsTheWait(kind: StoreKind) throws {
    let scene = try WaitingScene(kind)
    let alice = scene.alice
    let before = try alice.ask(0)
    #expect(before.connections.isEmpty && before.end.wait == 50)
    let place = try before.end.next()
    let pending = Pending { try alice.ask(15, after: place) }
    try alice.untilWaiting(1)
    try alice.deliver("hello")
    let answer = try pending.value
    #expect(try alice.texts(answer) == ["hello"])
    #expect(answer.connections.map(\.pairwiseDID) == [alice.mailbox.forDID])
    #expect(answer.end.wait == 15)
    try alice.untilWaiting(0)
  }

  @Test func anUnreadMessageThatTheClientKnowsEndsNoWait() throws {
    let alice = try WaitingScene().alice
    try alice.deliver("known")
    let first = try alice.ask(15)
    #expect(try alice.texts(first) == ["known"])
    let second = try alice.ask(1, after: first.end.next())
    #expect(second.connections.isEmpty && second.end.wait == 1)
    try alice.deliver("new")
    #expect(try alice.texts(alice.ask(15, after: second.end.next())) == ["new"])
    #expect(try alice.texts(alice.ask(0)) == ["known", "new"])
  }

  @Test func aRequestOfOneMailboxWaitsToo() throws {
    let alice = try WaitingScene().alice
    let pending = Pending { () throws -> Messages in
      try alice.client.ask(
        GetMessages(filter: WaitingClient.filter(15)), of: alice.mailbox, through: alice.agent)
    }
    try alice.untilWaiting(1)
    try alice.deliver("hello")
    let answer = try pending.value
    #expect(try alice.client.texts(answer.messages, alice.mailbox) == ["hello"])
    #expect(answer.end.wait == 15)
  }

  /// Neither does an account learn of another's messages, nor a client of those in mailboxes that it did not name.
  @Test func onlyMessagesOfTheNamedMailboxesOfTheAccountEndTheWait() throws {
    let scene = try WaitingScene()
    let (alice, bob) = (scene.alice, try WaitingClient(Client(scene.server)))
    let other = try alice.client.createMailbox(alice.agent)
    let foreign = Pending { try bob.ask(3, dids: [alice.mailbox.forDID]) }
    let named = Pending { try alice.ask(3, dids: [other.forDID]) }
    try alice.untilWaiting(2)
    try alice.deliver("hello")
    for pending in [foreign, named] { #expect(try pending.value.connections.isEmpty) }
    let third = Pending { try alice.ask(15, dids: [other.forDID]) }
    try alice.untilWaiting(1)
    try alice.deliver("there", to: other)
    #expect(try third.value.connections.map(\.pairwiseDID) == [other.forDID])
  }

  @Test func anAnswerThatHasNoRoomForAllMessagesContinues() throws {
    let scene = try WaitingScene()
    let alice = scene.alice
    let long = String(repeating: "x", count: 300_000)
    for _ in 0..<4 { try alice.deliver(.randomUUID() + long) }
    let first = try alice.ask(15)
    #expect(first.connections[0].messages.count < 4)
    let second = try alice.ask(15, after: first.end.next())
    #expect(first.connections[0].messages.count + second.connections[0].messages.count == 4)
  }

  // MARK: - Ends

  /// The wait is longer than the client's patience.
  @Test func aStopAnswersWaitingClientsAtOnce() throws {
    let scene = try WaitingScene()
    let pending = Pending { try scene.alice.ask(50) }
    try scene.alice.untilWaiting(1)
    scene.server.stop()
    let answer = try pending.value
    #expect(answer.connections.isEmpty && answer.end.wait == 50)
  }

  @Test func theClientThatHasGoneTakesNoPlace() throws {
    var limits = Waiters.Limits()
    limits.seconds = 3600
    let alice = try WaitingScene(.sqlite, limits).alice
    var connection: RawConnection? = try RawConnection(port: alice.client.port)
    connection?.send(try alice.rawRequest(3600))
    try alice.untilWaiting(1)
    connection = nil
    try alice.untilWaiting(0)
  }

  @Test func anAgencyWithoutPlacesAnswersAtOnceAndSaysSo() throws {
    var limits = Waiters.Limits()
    limits.perAccount = 1
    let scene = try WaitingScene(.sqlite, limits)
    let (alice, bob) = (scene.alice, try WaitingClient(Client(scene.server)))
    let pending = Pending { try alice.ask(15) }
    try alice.untilWaiting(1)
    let refused = try alice.ask(15)
    #expect(refused.connections.isEmpty && refused.end.wait == 0)
    let other = Pending { try bob.ask(15) }
    try alice.untilWaiting(2)
    try alice.deliver("hello")
    try bob.deliver("ciao")
    #expect(try alice.texts(pending.value) == ["hello"])
    #expect(try bob.texts(other.value) == ["ciao"])
  }

  /// The key of a mailbox alone proves no owner of the account, whose places are few.
  @Test func aRequestOutsideOfTheAccountTakesNoPlace() throws {
    let alice = try WaitingScene().alice
    let request = alice.client.request(GetMessages(filter: WaitingClient.filter(15)))
    let response = try alice.client.send(request, to: alice.mailbox.party, from: alice.mailbox.keys)
    let answer = try Messages(alice.client.open(response, from: alice.mailbox.party).requireObject())
    #expect(answer.messages.isEmpty && answer.end.wait == 0)
  }

  @Test func ownMessagesAreNotWaitedFor() throws {
    let alice = try WaitingScene().alice
    let answer: Messages = try alice.client.ask(GetMessages(filter: WaitingClient.filter(15)), of: alice.agent)
    #expect(answer.end == .complete)
  }

  // MARK: - After a restoration

  /// The numbers of the messages that the backup lacks are not given again.
  @Test func aClientLearnsOfTheMessagesAfterARestoration() throws {
    let scene = try WaitingScene()
    let (alice, backup) = (scene.alice, scene.folder.path + "/backup")
    var settings = AgencySettings()
    settings.dataFolder = scene.folder.path
    try alice.deliver("kept")
    try Backup(path: backup).write(of: settings)
    try alice.deliver("lost")
    let place = try alice.place()
    scene.server.stop()
    let folder = try TemporaryFolder()
    settings.dataFolder = folder.path + "/restored"
    try Backup(path: backup).restore(into: settings)
    settings.port = 0
    let restored = try AgencyServer(settings)
    let client = Client(restored, keys: alice.client.keys)
    #expect(try client.post(client.forward("new", to: alice.mailbox)).status == 200)
    var filter = WaitingClient.filter(15)
    filter.after = place
    let answer: MessagesByConnections = try client.ask(GetMessagesByConnections(filter: filter), of: alice.agent)
    #expect(try alice.texts(answer) == ["new"])
  }
}

extension WaitingClient {
  /// The bytes of a request that waits.
  func rawRequest(_ wait: Int) throws -> [UInt8] {
    let request = client.request(GetMessagesByConnections(filter: Self.filter(wait)))
    let body = try Wrapping(request, from: client.keys, to: agent).carried(by: client.agency).bytes
    return Array("POST /agency/msg HTTP/1.1\r\nHost: x\r\nContent-Length: \(body.count)\r\n\r\n".utf8) + body
  }
}
