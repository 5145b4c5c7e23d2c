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

  // MARK: - Memory

  /// Bodies of a megabyte, full of small values, as strangers may send them. The long ones have as many values as are read.
  private static let bodies: [String: String] = [
    "objects": "{},", "arrays": "[],", "numbers": "1,", "strings": #""","#, "members": #"{"a":1},"#,
    "nested": "[[[[1]]]],", "long strings": #""1234567","#, "long members": #"{"1234567890123":1},"#,
  ]

  private func body(_ kind: String) -> [UInt8] {
    let unit = Self.bodies[kind] ?? ""
    return Array((#"{"a":["# + String(repeating: unit, count: ((1 << 20) - 20) / unit.utf8.count) + "1]}").utf8)
  }

  @Test(.withoutSanitizer, arguments: bodies.keys.sorted())
  func aBodyTakesAtMostEightTimesItsSize(kind: String) throws {
    let process = try AgencyProcess(dataFolder: folder.path)
    let http = HTTPClient()
    func post(_ body: [UInt8]) throws -> Int {
      try http.post(body, to: process.endpoint + "/agency/msg", contentType: "x/y").status
    }
    #expect(try post(Array("{}".utf8)) == 400)
    let before = try process.memory("VmHWM")
    let body = body(kind)
    // Bodies one after the other take no more than one: a thread finds the memory that another has freed.
    for _ in 0..<3 { #expect(try post(body) == 400) }
    let taken = try process.memory("VmHWM") - before
    #expect(taken <= 8 * body.count, "\(taken) bytes for \(body.count)")
  }

  /// The bodies that are held at the same time are bounded in all: 32 MB unless the settings say otherwise.
  @Test(.withoutSanitizer, arguments: ["objects", "long members"])
  func manyBodiesAtOnceTakeABoundedAmount(kind: String) throws {
    let process = try AgencyProcess(dataFolder: folder.path, limits: "-v 4000000")
    let body = body(kind)
    let (before, endpoint) = (try process.memory("VmHWM"), process.endpoint)
    let outcome = Monitor((statuses: [Int](), running: 64))
    for _ in 0..<64 {
      Threads(limit: 1).post {
        let status = try? HTTPClient().post(body, to: endpoint + "/agency/msg", contentType: "x/y").status
        outcome.withLock {
          $0.statuses.append(status ?? 0)
          $0.running -= 1
        }
      }
    }
    let statuses = outcome.wait { $0.running == 0 ? $0.statuses : nil }
    #expect(Set(statuses).subtracting([400, 503]) == [])
    #expect(try process.memory("VmHWM") - before <= 8 * (32 << 20))
    #expect(try HTTPClient().get(process.endpoint + "/agency").status == 200)
    #expect(process.end() == 0)
  }

  /// Clients announce long bodies that never come, to an agency with an address space of 2 GB.
  @Test(.withoutSanitizer) func announcedBodiesTakeNoMemory() throws {
    let process = try AgencyProcess(dataFolder: folder.path, limits: "-v 2000000")
    let port = Client(endpoint: process.endpoint, agency: process.identity).port
    let silent = try (0..<200).map { _ in try RawConnection(port: port) }
    for connection in silent {
      connection.send("POST /agency/msg HTTP/1.1\r\nHost: x\r\nContent-Length: 16000000\r\n\r\n{")
    }
    #expect(try HTTPClient().get(process.endpoint + "/agency").status == 200)
    #expect(process.end() == 0)
  }

  /// Clients ask for the backup of their account again and again, and never read the answers.
  @Test(.withoutSanitizer) func backupsThatNobodyReadsTakeABoundedAmount() throws {
    let process = try AgencyProcess(dataFolder: folder.path)
    let client = Client(endpoint: process.endpoint, agency: process.identity)
    let device = try BackupDevice(client)
    try device.begin()
    let wallet = [UInt8](repeating: 7, count: 4_900_000)
    try device.store(wallet)
    #expect(try device.restore(with: device.recoveryKey) == wallet)
    let before = try process.memory("VmHWM")
    let request = try Wrapping(client.request(RestoreBackup()), from: device.recoveryKey, to: device.agent)
      .carried(by: device.agent, from: client.keys).carried(by: client.agency).bytes
    let unread = try (0..<64).map { _ in
      let connection = try RawConnection(port: client.port, receiving: 2048)
      connection.send("POST /agency/msg HTTP/1.1\r\nHost: x\r\nContent-Length: \(request.count)\r\n\r\n")
      connection.send(request)
      return connection
    }
    let statuses = unread.map { String(($0.read(atMost: 12) ?? "").prefix(12)) }
    // Some get the backup. The others are refused: there is no memory, or the account has asked too often.
    #expect(statuses.contains("HTTP/1.1 200"))
    #expect(Set(statuses).subtracting(["HTTP/1.1 200", "HTTP/1.1 429", "HTTP/1.1 503"]) == [], "\(Set(statuses))")
    #expect(statuses.count { $0 == "HTTP/1.1 200" } < 64)
    let taken = try process.memory("VmHWM") - before
    #expect(taken < 80_000_000, "\(taken)")
    for connection in unread { connection.finishSending() }
    #expect(try HTTPClient().get(process.endpoint + "/agency").status == 200)
    #expect(process.end() == 0)
  }

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
  @Test func requestsWithoutTheStoreDoNotWaitForTheLock() throws {
    let process = try AgencyProcess(dataFolder: folder.path)
    let client = Client(endpoint: process.endpoint, agency: process.identity)
    let mailbox = try client.createMailbox(client.provision())
    let other = try Database(path: folder.path + "/agency.db")
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
