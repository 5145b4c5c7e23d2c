import AgencyWire
import DIDComm
import Dispatch
import Foundation
import Sodium
import TestSupport
import Testing
import Threading

/// Two real programs that serve the same accounts from one PostgreSQL database.
@Suite struct SharedDatabaseTests {
  let database: String
  let folders: [TemporaryFolder]

  /// Two machines' folders with copies of the master key that the first start has made.
  init() throws {
    database = try PostgreSQLServer.newDatabase()
    folders = [try TemporaryFolder(), try TemporaryFolder()]
    let first = try AgencyProcess(dataFolder: folders[0].path, options: ["--database", database])
    guard first.end() == 0 else { throw AgencyProcess.NotStarted() }
    let (from, to) = (folders[0].url.appending(path: "master.key"), folders[1].url.appending(path: "master.key"))
    try FileManager.default.copyItem(at: from, to: to)
  }

  private func start(_ number: Int) throws -> AgencyProcess {
    try AgencyProcess(dataFolder: folders[number].path, options: ["--database", database])
  }

  private func client(_ agency: AgencyProcess, _ keys: KeyPair = KeyPair()) -> Client {
    Client(endpoint: agency.endpoint, agency: agency.identity, keys: keys)
  }

  @Test func agenciesWithOneDatabaseShareTheirState() throws {
    let (one, two) = (try start(0), try start(1))
    #expect(one.identity == two.identity)
    #expect(one.endpoint != two.endpoint)
    let here = client(one)
    let there = client(two, here.keys)
    let agent = try here.provision()
    #expect(try there.provision() == agent)
    let mailbox = try there.createMailbox(agent)
    #expect(try here.createMailbox(agent, keys: mailbox.keys).party == mailbox.party)
    #expect(try here.post(here.forward("first", to: mailbox)).status == 200)
    #expect(try there.post(there.forward("second", to: mailbox)).status == 200)
    let messages = try there.messages(agent).flatMap(\.messages)
    #expect(try there.texts(messages, mailbox) == ["first", "second"])
    let read = WireConnectionUIDs(pairwiseDID: mailbox.forDID, uids: [messages[0].uid])
    let updated: MessageStatusUpdated = try there.ask(
      UpdateMessageStatus(statusCode: "MS-106", connections: [read]), of: agent)
    #expect(updated.updated == [read])
    let unread = try here.messages(agent, WireMessageFilter(statusCodes: ["MS-103"]))
    #expect(try here.texts(unread[0].messages, mailbox) == ["second"])
    #expect(one.end() == 0)
    #expect(two.end() == 0)
  }

  @Test func aMessageThatComesToOneEndsTheWaitAtTheOther() throws {
    let (one, two) = (try start(0), try start(1))
    let here = try WaitingClient(client(one))
    let there = here.at(two)
    for number in 0..<3 {
      let place = try here.place()
      let pending = Pending { try here.ask(15, after: place) }
      let late = Pending { try there.ask(15, after: place) }
      try there.deliver("\(number)")
      for each in [pending, late] { #expect(try here.texts(each.value) == ["\(number)"]) }
    }
    #expect(one.end() == 0 && two.end() == 0)
  }

  @Test func aMessageThatComesToBothAtOnceIsKeptOnce() throws {
    let agencies = [try start(0), try start(1)]
    let owner = client(agencies[0])
    let agent = try owner.provision()
    let mailbox = try owner.createMailbox(agent)
    let bodies = try (0..<20).map { try owner.forward("\($0)", to: mailbox) }
    let statuses = Locked<[Int]>([])
    let finished = DispatchSemaphore(value: 0)
    for number in 0..<80 {
      let sender = client(agencies[number % 2])
      Threads.shared.post {
        let status = try? sender.post(bodies[number / 4]).status
        statuses.withLock { $0.append(status ?? 0) }
        finished.signal()
      }
    }
    for _ in 0..<80 { finished.wait() }
    #expect(statuses.withLock { $0 } == Array(repeating: 200, count: 80))
    let texts = try owner.texts(owner.messages(agent).flatMap(\.messages), mailbox)
    #expect(texts.count == 20)
    #expect(Set(texts) == Set((0..<20).map { "\($0)" }))
  }

  @Test func anAgencyWithAnotherMasterKeyDoesNotStart() throws {
    _ = try start(0)
    let stranger = try TemporaryFolder()
    let options = ["--database", database]
    #expect(throws: AgencyProcess.NotStarted.self) { try AgencyProcess(dataFolder: stranger.path, options: options) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: stranger.path).isEmpty)
    // The owner of a key is not in an empty database: the URI is wrong, or the database was lost.
    let empty = ["--database", try PostgreSQLServer.newDatabase()]
    #expect(throws: AgencyProcess.NotStarted.self) { try AgencyProcess(dataFolder: folders[1].path, options: empty) }
  }

  /// Four senders, each to one agency and, when that gives no answer, to the other. One agency is killed in the middle
  /// of it, again and again. Every message that was answered with 200 must be there, and each once.
  @Test func oneIsKilledUnderLoadAndNoAcceptedMessageIsLostOrDoubled() throws {
    let survivor = try start(0)
    let owner = client(survivor)
    let agent = try owner.provision()
    let mailbox = try owner.createMailbox(agent)
    let accepted = Locked<Set<String>>([])
    let retried = Locked(0)
    for round in 0..<3 {
      let victim = try start(1)
      let clients = [client(survivor), client(victim)]
      let isOver = Locked(false)
      let finished = DispatchSemaphore(value: 0)
      for sender in 0..<4 {
        Threads.shared.post {
          var number = 0
          while !isOver.withLock({ $0 }) {
            let text = "\(round)/\(sender)/\(number)"
            number += 1
            guard let body = try? owner.forward(text, to: mailbox) else { break }
            var status = try? clients[sender % 2].post(body).status
            if status == nil {
              retried.withLock { $0 += 1 }
              status = try? clients[0].post(body).status
            }
            if status == 200 { accepted.withLock { _ = $0.insert(text) } }
          }
          finished.signal()
        }
      }
      while accepted.withLock({ $0.count }) < (round + 1) * 60 { usleep(1000) }
      victim.kill()
      usleep(200_000)
      isOver.withLock { $0 = true }
      for _ in 0..<4 { finished.wait() }
    }
    #expect(retried.withLock { $0 } > 0)
    let texts = try owner.fetchAll(agent, mailbox)
    #expect(accepted.withLock { $0 }.subtracting(texts).isEmpty)
    #expect(Set(texts).count == texts.count)
    #expect(survivor.end() == 0)
  }
}
