import AgencyWire
import DIDComm
import Foundation
import HTTP
import JSON
import SQLite
import TestSupport
import Testing
import Threading

/// The real program where memory, disk and locks are short.
@Suite struct ResourceTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  // MARK: - Files, disk and locks

  /// Its connections, files and notifications are more than a shell usually lets a program have.
  @Test func itTakesAsManyFilesAsItMayHave() throws {
    let process = try AgencyProcess(dataFolder: folder.path, limits: "-Sn 256; ulimit -Hn 3000")
    #expect(try process.fileLimit() == 3000)
    #expect(process.end() == 0)
  }

  /// No file may grow beyond a megabyte: for the agency, the disk is full then.
  @Test func anAgencyThatCannotWriteIsNotHealthyAndGoesOnReading() throws {
    let process = try AgencyProcess(dataFolder: folder.path, limits: "-f 2000")
    let client = Client(endpoint: process.endpoint, agency: process.identity)
    let agent = try client.provision()
    let mailbox = try client.createMailbox(agent)
    let health = { try HTTPClient().get(process.endpoint + "/health").status }
    #expect(try health() == 200)
    var accepted: [String] = []
    // It looks again when the last success is old; then it knows. As long as there is room, more is sent.
    for number in 0..<600 where try health() == 200 {
      let text = "\(number) " + String(repeating: "x", count: 20_000)
      let status = try client.post(client.forward(text, to: mailbox)).status
      if status == 200 { accepted.append(text) } else { usleep(50_000) }
      #expect([200, 503].contains(status))
    }
    #expect(try health() == 503)
    #expect(!accepted.isEmpty)
    let read = try client.messages(agent).flatMap(\.messages)
    #expect(try client.texts(read, mailbox) == Array(accepted.prefix(read.count)))
    #expect(!read.isEmpty)
    #expect(process.end() == 0)

    let again = try AgencyProcess(dataFolder: folder.path)
    let same = Client(endpoint: again.endpoint, agency: again.identity, keys: client.keys)
    #expect(try HTTPClient().get(again.endpoint + "/health").status == 200)
    #expect(try same.fetchAll(agent, mailbox) == accepted)
    #expect(again.end() == 0)
  }

  /// Another process holds the write lock of the database, and more requests than there are handlers wait for it.
  @Test func whatNeedsNoStoreDoesNotWaitForTheLock() throws {
    let process = try AgencyProcess(dataFolder: folder.path)
    let client = Client(endpoint: process.endpoint, agency: process.identity)
    let mailbox = try client.createMailbox(client.provision())
    let other = try SQLite.Connection(path: folder.path + "/agency.db")
    try other.execute("BEGIN IMMEDIATE")
    let senders = Monitor((statuses: [Int](), running: 80))
    for number in 0..<80 {
      Threads(limit: 1).post {
        let status = try? client.post(client.forward("\(number)", to: mailbox)).status
        senders.withLock {
          $0.statuses.append(status ?? 0)
          $0.running -= 1
        }
      }
    }
    for _ in 0..<3 { #expect(try HTTPClient(timeout: 60).get(process.endpoint + "/agency").status == 200) }
    // None of the senders has an answer yet: it was not their end that made room.
    #expect(senders.withLock { $0.statuses.filter { $0 == 200 } } == [])
    try other.execute("ROLLBACK")
    let statuses = senders.wait { $0.running == 0 ? $0.statuses : nil }
    #expect(Set(statuses).subtracting([200, 503]) == [])
    #expect(try client.post(client.forward("after", to: mailbox)).status == 200)
    #expect(process.end() == 0)
  }
}
