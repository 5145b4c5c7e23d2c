import AgencyWire
import DIDComm
import Foundation
import JSON
import Sodium
import TestSupport
import Testing
import Threading

@testable import AgencyServer

/// The list of accounts as the program prints it, and its changes of accounts.
@Suite struct AccountTableTests {
  let folder: TemporaryFolder
  private let time = Locked<Int64>(1_700_000_000)
  /// An account with a mailbox, an unread and two read messages; then an account of a sponsor's user.
  private let dids: [String]

  init() throws {
    folder = try TemporaryFolder()
    let storage = try SQLiteStorage(path: folder.path + "/agency.db", clock: { [time] in time.withLock { $0 } })
    defer { storage.close() }
    let account = try Store.agent(in: storage)
    let mailbox = try Store.mailbox(of: account, in: storage)
    for text in ["a", "bc", "def"] {
      let mail = Mail(uid: text, payload: Array(text.utf8), digest: Array(text.utf8), arrival: 1)
      _ = try storage.deliver(mail, to: mailbox, quota: Quota())
    }
    let read = WireConnectionUIDs(pairwiseDID: mailbox.forDID.text, uids: ["a", "bc"])
    _ = try storage.setStatus("MS-106", of: [read], of: account)
    time.withLock { $0 += 86_400 }
    try storage.noteVisit(of: account)
    // A user's text that would turn the rest of the line around in a terminal.
    let sponsorship = Sponsorship(sponsorID: "bank", sponseeID: "user\u{202e}42", marks: [], expiry: 0)
    let owner = KeyPair().verkey
    let provisioned = try storage.provision(owner, ownerDID: owner.did, sponsorship, orElse: Store.newKey())
    guard case .agent(let sponsored) = provisioned else { throw Store.Unexpected() }
    dids = [account.party.did, sponsored.party.did]
  }

  private func lines(_ arguments: String..., place: [String]? = nil) throws -> [String] {
    let result = try ProgramTests().run(["accounts"] + arguments + (place ?? ["--data", folder.path]))
    #expect(result.status == 0 && result.errors.isEmpty)
    return result.output.split(separator: "\n").map(String.init)
  }

  @Test func aProgramReadsEachMemberOfAnAccount() throws {
    let expected: [JSON] = [
      [
        "did": .string(dids[0]), "state": "connected", "created": 1_700_000_000, "lastSeen": 1_700_086_400,
        "mailboxes": 1, "unread": 1, "read": 2, "bytes": 6,
      ],
      [
        "did": .string(dids[1]), "state": "created", "sponsorId": "bank", "sponseeId": "user\u{202e}42",
        "created": 1_700_086_400, "lastSeen": 1_700_086_400, "mailboxes": 0, "unread": 0, "read": 0, "bytes": 0,
      ],
      ["total": ["accounts": 2, "mailboxes": 1, "unread": 1, "read": 2, "bytes": 6]],
    ]
    #expect(try lines("--json").map { try JSON(parsing: Array($0.utf8)) } == expected)
  }

  @Test func theSettingsLocateTheAccountsToo() throws {
    let config = folder.path + "/agency.json"
    try Data((["data": .string(folder.path)] as JSON).bytes).write(to: URL(filePath: config))
    #expect(try lines("--json", place: ["--config", config]) == lines("--json"))
  }

  @Test func peopleReadTheSameInColumns() throws {
    let words = try lines().map { $0.split(separator: " ").map(String.init) }
    let (day, next) = (["2023-11-14", "22:13"], ["2023-11-15", "22:13"])
    #expect(
      words.dropFirst() == [
        [dids[0], "connected"] + day + next + ["1", "1", "2", "6"],
        [dids[1], "created"] + next + next + ["0", "0", "0", "0", "bank", "/", "user?42"],
        ["2", "accounts", "1", "1", "2", "6"],
      ])
    let head = ["DID", "STATE", "CREATED", "LAST", "SEEN", "MAILBOXES", "UNREAD", "READ", "BYTES"]
    #expect(words.first == head + ["SPONSOR", "/", "SPONSEE"])
  }

  @Test func numbersEndBelowTheirHeadingsAndLinesEndWithoutSpaces() throws {
    let lines = try lines().map { Array($0) }
    #expect(lines.allSatisfy { $0.last != " " })
    let head = String(lines[0])
    let ends = try [" MAILBOXES", " UNREAD", " READ", " BYTES"].map { name in
      head.distance(from: head.startIndex, to: try #require(head.range(of: name)).upperBound)
    }
    for (line, end) in lines.dropFirst().flatMap({ line in ends.map { (line, $0) } }) {
      try #require(line.count >= end)
      #expect(line[end - 1].isNumber && (end == line.count || line[end] == " "))
    }
  }
}

extension ProgramTests {
  @Test func theOperatorLocksUnlocksAndDeletesAnAccount() throws {
    let folder = try TemporaryFolder()
    let process = try AgencyProcess(dataFolder: folder.path)
    let client = Client(endpoint: process.endpoint, agency: process.identity)
    let agent = try client.provision()
    let fetch = client.request(GetMessagesByConnections(filter: WireMessageFilter()))
    for (change, status) in [("lock", 404), ("unlock", 200), ("delete", 404)] {
      let result = try run([change, agent.did, "--data", folder.path])
      #expect(result.status == 0 && result.errors.isEmpty)
      #expect(try client.send(fetch, to: agent).status == status, "\(change)")
    }
    #expect(try client.provision() != agent)
    #expect(process.end() == 0)
  }
}
