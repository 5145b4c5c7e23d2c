import AgencyServer
import AgencyWire
import DIDComm
import Foundation
import HTTP
import TestSupport
import Testing
import Threading

/// The database goes away under a running agency, and comes back.
@Suite struct OutageTests {
  let folder: TemporaryFolder
  let database: PostgreSQLServer
  let agency: AgencyProcess
  let client: Client
  let agent: Party
  let mailbox: Client.Mailbox

  init() throws {
    folder = try TemporaryFolder()
    database = try PostgreSQLServer()
    agency = try AgencyProcess(dataFolder: folder.path, options: ["--database", database.uri()])
    client = Client(endpoint: agency.endpoint, agency: agency.identity)
    agent = try client.provision()
    mailbox = try client.createMailbox(agent)
  }

  private func send(_ text: String) throws -> Int { try client.post(client.forward(text, to: mailbox)).status }

  private func health() throws -> HTTPClient.Response { try HTTPClient().get(agency.endpoint + "/health") }

  @Test func requestsAreRefusedMeanwhileAndServedAfterwards() throws {
    for number in 0..<5 { #expect(try send("before \(number)") == 200) }
    for round in 0..<2 {
      try database.stop()
      let refused = try client.post(client.forward("meanwhile", to: mailbox))
      #expect(refused.status == 503)
      #expect(WireRefusal(body: refused.body)?.statusCode == "GNR-100")
      #expect(try health().status == 503)
      let fetch = client.request(GetMessagesByConnections(filter: WireMessageFilter()))
      #expect(try client.send(fetch, to: agent).status == 503)
      try database.start()
      #expect(try health().status == 200)
      #expect(try send("after \(round)") == 200)
    }
    let expected = (0..<5).map { "before \($0)" } + ["after 0", "after 1"]
    #expect(try client.texts(client.messages(agent).flatMap(\.messages), mailbox) == expected)
    #expect(agency.end() == 0)
  }

  /// Senders that never pause. Each message that was answered with 200 is there, once.
  @Test func nothingThatWasAcceptedIsLostWhenTheDatabaseCrashesUnderLoad() throws {
    let sent = Locked((accepted: Set<String>(), refused: 0))
    let isOver = Locked(false)
    let running = Monitor(4)
    for sender in 0..<4 {
      Threads.shared.post { [client, mailbox] in
        var number = 0
        while !isOver.withLock({ $0 }) {
          let text = "\(sender)/\(number)"
          number += 1
          let status = try? client.post(client.forward(text, to: mailbox)).status
          sent.withLock { sent in
            if status == 200 { sent.accepted.insert(text) } else { sent.refused += status == 503 ? 1 : 1000 }
          }
          if status != 200 { usleep(20_000) }
        }
        running.withLock { $0 -= 1 }
      }
    }
    for round in 1...3 {
      while sent.withLock({ $0.accepted.count }) < round * 30 { usleep(1000) }
      try database.stop()
      usleep(100_000)
      try database.start()
    }
    isOver.withLock { $0 = true }
    running.wait { $0 == 0 ? () : nil }
    let (accepted, refused) = sent.withLock { $0 }
    #expect((1..<1000).contains(refused))  // 503, and nothing else
    let texts = try client.fetchAll(agent, mailbox)
    #expect(accepted.subtracting(texts).isEmpty)
    #expect(Set(texts).count == texts.count)
    #expect(agency.end() == 0)
  }

  @Test func anAgencyDoesNotStartWithoutItsDatabase() throws {
    #expect(agency.end() == 0)
    try database.stop()
    #expect(throws: AgencyProcess.NotStarted.self) {
      try AgencyProcess(dataFolder: folder.path, options: ["--database", database.uri()])
    }
    try database.start()
    let again = try AgencyProcess(dataFolder: folder.path, options: ["--database", database.uri()])
    #expect(again.identity == agency.identity)
    #expect(again.end() == 0)
  }
}
