import Foundation
import JSON
import SQLite
import TestSupport
import Testing

@testable import MSDK
@testable import VCX
@testable import Wallet

/// Objects that the wallet keeps: the tests never serialize one, unless they say so.
@Suite(.theAgent) struct KeptObjectTests {
  private let scene: AgentScene

  init() throws { scene = try AgentScene() }

  private var keeping: [String: JSON] { scene.credentials.merging(["keep_objects": true]) { $1 } }

  private func program(_ name: String, _ members: [String: JSON]? = nil) async throws -> KeepingProgram {
    let config = try await scene.config(name, members ?? keeping)
    return try await KeepingProgram(config: config)
  }

  private func connected() async throws -> (faber: KeepingProgram, alice: KeepingProgram) {
    let (faber, alice) = try await (program("faber"), program("alice"))
    _ = try await faber.agent.connected(with: alice.agent)
    return (faber, alice)
  }

  /// Both programs start anew after each step, and find the objects as the last callback has told of them.
  @Test func anExchangeGoesOnAfterEachRestart() async throws {
    var (faber, alice) = try await connected()
    let schema = try await faber.agent.number {
      vcx_schema_create($0, "s", "degree", "1.0", #"["name"]"#, 0, numberCallback)
    }
    let schemaID = try await faber.agent.text { vcx_schema_get_schema_id($0, schema, stringCallback) }
    _ = try await faber.agent.number {
      vcx_credentialdef_create(
        $0, "d", "degree", schemaID, nil, "t", #"{"support_revocation":false}"#, 0, numberCallback)
    }
    try await faber.restart()
    let definition = try await faber.open("credentialdef", "d")
    _ = try await faber.agent.number {
      vcx_issuer_create_credential($0, "c", definition, nil, #"{"name":"Alice"}"#, "degree", "0", numberCallback)
    }
    try await faber.restart()
    var (issued, toAlice) = try await (faber.open("issuer_credential", "c"), faber.open("connection", "other"))
    try await faber.agent.finish { vcx_issuer_send_credential_offer($0, issued, toAlice, doneCallback) }
    try await faber.restart()
    try await alice.restart()
    var toFaber = try await alice.open("connection", "one")
    let offers = try await alice.agent.text { vcx_credential_get_offers($0, toFaber, stringCallback) }
    let offer = try #require(try JSON(parsing: offers).array?.first).text
    _ = try await alice.agent.number { vcx_credential_create_with_offer($0, "c", offer, numberCallback) }
    try await alice.restart()
    var credential = try await alice.open("credential", "c")
    toFaber = try await alice.open("connection", "one")
    try await alice.agent.finish { vcx_credential_send_request($0, credential, toFaber, 0, doneCallback) }
    try await alice.restart()
    issued = try await faber.open("issuer_credential", "c")
    #expect(try await faber.agent.number { vcx_issuer_credential_update_state($0, issued, numberCallback) } == 3)
    try await faber.restart()
    (issued, toAlice) = try await (faber.open("issuer_credential", "c"), faber.open("connection", "other"))
    #expect(try await faber.agent.number { vcx_issuer_credential_get_state($0, issued, numberCallback) } == 3)
    try await faber.agent.finish { vcx_issuer_send_credential($0, issued, toAlice, doneCallback) }
    try await faber.restart()
    credential = try await alice.open("credential", "c")
    #expect(try await alice.agent.number { vcx_credential_update_state($0, credential, numberCallback) } == 4)
    try await alice.restart()
    credential = try await alice.open("credential", "c")
    #expect(try await alice.agent.number { vcx_credential_get_state($0, credential, numberCallback) } == 4)
    issued = try await faber.open("issuer_credential", "c")
    _ = try await faber.agent.number { vcx_issuer_credential_update_state($0, issued, numberCallback) }
    try await faber.restart()
    let states = try await faber.list(#"{"type":"issuer_credential"}"#).map { $0["finished"]?.bool }
    #expect(states == [true])
  }

  /// The record tells the connection, also once the exchange is over and names none.
  @Test func aListTellsWhereEachObjectBelongs() async throws {
    let (faber, alice) = try await connected()
    let connection = try #require(try await faber.list(#"{"type":"connection"}"#).first)
    let other = try #require(try await alice.list("{}").first)
    #expect(connection["source_id"] == "other" && connection["state"] == 4)
    #expect(connection["their_did"] == other["pairwise_did"] && connection["their_did"] != nil)
    #expect(connection["thread"] == other["thread"])
    #expect(connection["finished"] == false)
    _ = try await faber.agent.number { vcx_connection_create($0, "later", numberCallback) }
    #expect(try await faber.list("{}").map { $0["source_id"] } == ["later", "other"])
    #expect(try await faber.list(#"{"limit":1}"#).map { $0["source_id"] } == ["later"])
    #expect(try await faber.list(#"{"state":4}"#).map { $0["source_id"] } == ["other"])
    let did = try #require(connection["pairwise_did"]?.string)
    #expect(try await faber.list(#"{"pairwise_did":"\#(did)"}"#) == [connection])
  }

  @Test(arguments: [
    "[]", #"{"sourceid":"a"}"#, #"{"type":"wallet"}"#, #"{"limit":0}"#, #"{"state":"4"}"#, #"{"thread":1}"#,
  ])
  func aQueryThatCannotBeMeantIsRefused(_ query: String) async throws {
    let faber = try await program("faber")
    let ending = await strings.call(faber.agent.select { msdk_objects_list($0, query, stringCallback) })
    #expect(ending.delivery?.error == 1016)
    #expect(await faber.agent.close() == 0)
  }

  @Test func twoHandlesOfOneRecordLeadToOneObject() async throws {
    let (faber, alice) = try await connected()
    let (first, second) = try await (faber.open("connection", "other"), faber.open("connection", "other"))
    #expect(first != second)
    #expect(vcx_connection_release(first) == 0)
    #expect(try await faber.agent.number { vcx_connection_get_state($0, second, numberCallback) } == 4)
    let invitation = try await faber.agent.number { vcx_connection_create($0, "new", numberCallback) }
    let again = try await faber.open("connection", "new")
    _ = try await faber.agent.text { vcx_connection_connect($0, invitation, nil, stringCallback) }
    #expect(try await faber.agent.number { vcx_connection_get_state($0, again, numberCallback) } == 2)
    for program in [faber, alice] { #expect(await program.agent.close() == 0) }
  }

  @Test func aDeletedObjectIsGone() async throws {
    let (faber, alice) = try await connected()
    let id = try await faber.id("connection", "other")
    let handle = try await faber.open("connection", "other")
    try await faber.agent.finish { msdk_object_delete($0, id, doneCallback) }
    #expect(try await faber.list("{}").isEmpty)
    #expect(await numbers.call { vcx_connection_update_state($0, handle, numberCallback) }.delivery?.error == 1003)
    #expect(await pairs.call(faber.agent.select { msdk_object_open($0, id, pairCallback) }).delivery?.error == 1073)
    #expect(await done.call(faber.agent.select { msdk_object_delete($0, id, doneCallback) }).delivery?.error == 1073)
    let toFaber = try await alice.open("connection", "one")
    try await alice.agent.finish { vcx_connection_delete_connection($0, toFaber, doneCallback) }
    #expect(try await alice.list("{}").isEmpty)
  }

  /// A released object stays in the wallet.
  @Test func releaseForgetsTheHandleOnly() async throws {
    let (faber, _) = try await connected()
    let handle = try await faber.open("connection", "other")
    #expect(vcx_connection_release(handle) == 0)
    #expect(try await faber.list("{}").count == 1)
  }

  @Test func aProgramThatDoesNotAskForItKeepsNothing() async throws {
    let one = try await program("one", [:])
    _ = try await one.agent.number { vcx_connection_create($0, "c", numberCallback) }
    #expect(try await one.list("{}").isEmpty)
    let handle = try await one.agent.number { vcx_connection_create($0, "c", numberCallback) }
    let text = try await one.agent.text { vcx_connection_serialize($0, handle, stringCallback) }
    #expect(try JSON(parsing: text)["msdk_object_id"] == nil)
  }

  /// A program may serialize as before. The text names the record, so that it gets no second one.
  @Test func aTextIsAdopted() async throws {
    var faber = try await program("faber")
    let handle = try await faber.agent.number { vcx_connection_create($0, "c", numberCallback) }
    let before = try await faber.agent.text { vcx_connection_serialize($0, handle, stringCallback) }
    _ = try await faber.agent.text { vcx_connection_connect($0, handle, nil, stringCallback) }
    try await faber.restart()
    _ = try await faber.agent.number { vcx_connection_deserialize($0, before, numberCallback) }
    // The object is as the program's text has it, and the record follows.
    #expect(try await faber.list("{}").map { $0["state"] } == [1])
    let members = try JSON(parsing: before).requireObject().members.filter { $0.key != "msdk_object_id" }
    let old = JSON.object(JSONObject(members.map { ($0.key, $0.value) })).text
    _ = try await faber.agent.number { vcx_connection_deserialize($0, old, numberCallback) }
    #expect(try await faber.list("{}").count == 2)
  }

  /// A program may make several objects from one text, such as a request for many provers.
  @Test func copiesOfAnOpenObjectHaveRecordsOfTheirOwn() async throws {
    let faber = try await program("faber")
    let handle = try await faber.agent.number { vcx_connection_create($0, "c", numberCallback) }
    let text = try await faber.agent.text { vcx_connection_serialize($0, handle, stringCallback) }
    let copy = try await faber.agent.number { vcx_connection_deserialize($0, text, numberCallback) }
    _ = try await faber.agent.text { vcx_connection_connect($0, copy, nil, stringCallback) }
    #expect(try await faber.list("{}").map { $0["state"] } == [2, 1])
  }

  /// The text of a connection that a peer knows is the same connection, however often it is restored.
  @Test func aCopyOfAConnectionSharesItsRecord() async throws {
    let (faber, _) = try await connected()
    let handle = try await faber.open("connection", "other")
    let text = try await faber.agent.text { vcx_connection_serialize($0, handle, stringCallback) }
    for _ in 0..<3 { _ = try await faber.agent.number { vcx_connection_deserialize($0, text, numberCallback) } }
    #expect(try await faber.list("{}").count == 1)
  }

  /// Only exchanges end. The connection stays.
  @Test func finishedExchangesAreDeletedInTime() async throws {
    var alice = try await program("alice")
    _ = try await alice.agent.number { vcx_connection_create($0, "c", numberCallback) }
    let wallet = try Agent.opened(alice.agent.handle).openWallet()
    let records = LibraryRecords(of: "msdk.object", in: wallet)
    for (id, disposable, changed) in [("old", "1", "1000"), ("new", "1", "9999999999"), ("needed", "0", "1000")] {
      let tags: Tags = [
        "type": "credential", "finished": "1", "disposable": disposable, "changed": changed, "source_id": id,
      ]
      try wallet.make([records.putting(id, value: "", tags: tags)])
    }
    alice.config["keep_finished_days"] = "30"
    try await alice.restart()
    for _ in 0..<500 where try await alice.list("{}").count > 3 { try await Task.sleep(for: .milliseconds(10)) }
    #expect(try await Set(alice.list("{}").map { $0["source_id"]?.string }) == ["new", "needed", "c"])
  }

  /// The steps of an inviter, with its wallet's commits.
  private func commitsOfInviting(keeping: Bool) async throws -> [Int] {
    let name = keeping ? "keeping" : "storing"
    let (faber, alice) = try await (
      program(name, keeping ? self.keeping : [:]), program("guest of \(name)", [:])
    )
    var commits: [Int] = []
    func step<Result>(_ work: () async throws -> Result) async throws -> Result {
      let before = try scene.commits(of: name)
      let result = try await work()
      commits.append(try scene.commits(of: name) - before)
      return result
    }
    let agent = faber.agent
    let own = try await step { try await agent.number { vcx_connection_create($0, "guest", numberCallback) } }
    let invitation = try await step {
      try await agent.text { vcx_connection_connect($0, own, nil, stringCallback) }
    }
    let guest = alice.agent
    let others = try await guest.number {
      vcx_connection_create_with_invite($0, "host", invitation, numberCallback)
    }
    _ = try await guest.text { vcx_connection_connect($0, others, "{}", stringCallback) }
    _ = try await step { try await agent.number { vcx_connection_update_state($0, own, numberCallback) } }
    _ = try await guest.number { vcx_connection_update_state($0, others, numberCallback) }
    _ = try await step { try await agent.number { vcx_connection_update_state($0, own, numberCallback) } }
    #expect(await agent.close() == 0)
    #expect(await guest.close() == 0)
    return commits
  }

  /// `connect` makes a key, and keeps it before the peer learns it.
  @Test func keepingCostsOneCommitForEachChange() async throws {
    let (with, without) = try await (commitsOfInviting(keeping: true), commitsOfInviting(keeping: false))
    let costs = zip(with, without).map { $0 - $1 }
    #expect(costs[0] == 1 && costs[1] == 2, "\(with), \(without)")
    #expect(costs[2...].allSatisfy { $0 <= 1 }, "\(with), \(without)")
    #expect(without.reduce(0, +) > 0)
  }

  @Test(arguments: ["-1", "", "a day", "70000"])
  func aBadNumberOfDaysIsRefused(_ days: String) throws {
    let config = try scene.local("alice").with(["keep_finished_days": .string(days)])
    #expect(throws: SettingsError.self) { try Settings(parsing: config.text) }
  }

  @Test func aRecordThatIsGoneComesBackWithTheNextChange() async throws {
    let faber = try await program("faber")
    let handle = try await faber.agent.number { vcx_connection_create($0, "c", numberCallback) }
    let wallet = try Agent.opened(faber.agent.handle).openWallet()
    let id = try await faber.id("connection", "c")
    try LibraryRecords(of: "msdk.object", in: wallet).remove(id, in: wallet)
    #expect(try await faber.list("{}").isEmpty)
    _ = try await faber.agent.text { vcx_connection_connect($0, handle, nil, stringCallback) }
    #expect(try await faber.list("{}").map { $0["state"] } == [2])
  }

  // MARK: A wallet that takes no record of an object, as a full disk takes none

  @Test func anObjectThatCannotBeKeptIsNotCreated() async throws {
    let faber = try await program("faber")
    let refusal = try scene.refuseRecords(of: faber.agent, named: "faber")
    let ending = await numbers.call(faber.agent.select { vcx_connection_create($0, "c", numberCallback) })
    #expect(ending.delivery?.error != 0 && ending.delivery?.value == 0)
    try refusal.end()
    #expect(try await faber.list("{}").isEmpty)
    _ = try await faber.agent.number { vcx_connection_create($0, "c", numberCallback) }
    #expect(try await faber.list("{}").count == 1)
  }

  /// The second call finds the key that the first one has made.
  @Test func aKeyIsKeptBeforeThePeerLearnsIt() async throws {
    let (faber, alice) = try await (program("faber"), program("alice"))
    let own = try await faber.agent.number { vcx_connection_create($0, "c", numberCallback) }
    let invitation = try await faber.agent.text { vcx_connection_connect($0, own, nil, stringCallback) }
    let invited = try await alice.agent.number {
      vcx_connection_create_with_invite($0, "c", invitation, numberCallback)
    }
    let refusal = try scene.refuseRecords(of: alice.agent, named: "alice")
    for _ in 0..<2 {
      let ending = await strings.call { vcx_connection_connect($0, invited, "{}", stringCallback) }
      #expect(ending.delivery?.error != 0)
    }
    #expect(try await faber.agent.number { vcx_connection_update_state($0, own, numberCallback) } == 2)
    try refusal.end()
    _ = try await alice.agent.text { vcx_connection_connect($0, invited, "{}", stringCallback) }
    #expect(try await faber.agent.number { vcx_connection_update_state($0, own, numberCallback) } == 3)
  }

  @Test func aMessageStaysUnreadUntilItsEffectIsKept() async throws {
    let (faber, alice) = try await (program("faber"), program("alice"))
    let own = try await faber.agent.number { vcx_connection_create($0, "c", numberCallback) }
    let invitation = try await faber.agent.text { vcx_connection_connect($0, own, nil, stringCallback) }
    let invited = try await alice.agent.number {
      vcx_connection_create_with_invite($0, "c", invitation, numberCallback)
    }
    _ = try await alice.agent.text { vcx_connection_connect($0, invited, "{}", stringCallback) }
    let refusal = try scene.refuseRecords(of: faber.agent, named: "faber")
    let failed = await numbers.call { vcx_connection_update_state($0, own, numberCallback) }
    #expect(failed.delivery?.error != 0 && failed.delivery?.value == 3)
    #expect(try await faber.unreadCount() == 1)
    #expect(try await faber.list("{}").map { $0["state"] } == [2])
    try refusal.end()
    #expect(try await faber.agent.number { vcx_connection_update_state($0, own, numberCallback) } == 3)
    #expect(try await faber.unreadCount() == 0)
    #expect(try await faber.list("{}").map { $0["state"] } == [3])
    _ = try await alice.agent.number { vcx_connection_update_state($0, invited, numberCallback) }
    #expect(try await faber.agent.number { vcx_connection_update_state($0, own, numberCallback) } == 4)
  }
}

/// A program with an agent that keeps its objects.
private struct KeepingProgram {
  var config: JSON
  private(set) var agent: OpenAgent

  init(config: JSON) async throws {
    self.config = config
    agent = try await OpenAgent(config: config)
  }

  /// Ends the agent and opens it again. All handles are unknown afterwards.
  mutating func restart() async throws {
    #expect(await agent.close() == 0)
    agent = try await OpenAgent(config: config)
  }

  func unreadCount() async throws -> Int {
    let mailboxes = try await agent.text { vcx_messages_download($0, "MS-103", nil, nil, stringCallback) }
    return try (JSON(parsing: mailboxes).array ?? []).map { $0["msgs"]?.array?.count ?? 0 }.reduce(0, +)
  }

  func list(_ query: String) async throws -> [JSON] {
    try await JSON(parsing: agent.text { msdk_objects_list($0, query, stringCallback) }).array ?? []
  }

  /// The id of the only object of this type and name.
  func id(_ type: String, _ sourceID: String) async throws -> String {
    let found = try await list(#"{"type":"\#(type)","source_id":"\#(sourceID)"}"#)
    try #require(found.count == 1)
    return try #require(found[0]["id"]?.string)
  }

  func open(_ type: String, _ sourceID: String) async throws -> UInt32 {
    let id = try await id(type, sourceID)
    let opened = try #require(await pairs.call(agent.select { msdk_object_open($0, id, pairCallback) }).delivery)
    try #require(opened.error == 0, "\(opened.currentError ?? "")")
    #expect(opened.value.text == type)
    return opened.value.number
  }
}

extension AgentScene {
  /// A wallet's refusal of records of objects, until `end`. Other records are written.
  fileprivate struct Refusal {
    let database: Database

    func end() throws { try database.execute("DROP TRIGGER refuse") }
  }

  fileprivate func refuseRecords(of agent: OpenAgent, named name: String) throws -> Refusal {
    let type = try Agent.opened(agent.handle).openWallet().cipher.seal(type: "msdk.object")
    let database = try Database(path: "\(folder.path)/\(name)/sqlite.db", .readWrite)
    let hex = type.map { String(format: "%02x", $0) }.joined()
    try database.execute(
      "CREATE TRIGGER refuse BEFORE INSERT ON items WHEN NEW.type = x'\(hex)' BEGIN SELECT RAISE(ABORT, 'full'); END")
    return Refusal(database: database)
  }

  /// The commits in the log of a wallet's file: the frames that end a transaction. The log is not begun anew in so few writes.
  fileprivate func commits(of wallet: String) throws -> Int {
    let path = "\(folder.path)/\(wallet)/sqlite.db-wal"
    // `Data` leaks memory when it reads an empty file.
    guard try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int != 0 else { return 0 }
    let log = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    let number = { (place: Int) in log[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
    guard log.count > 32 else { return 0 }
    return stride(from: 32, to: log.count, by: 24 + number(8)).count { number($0 + 4) != 0 }
  }
}

extension Agent {
  fileprivate static func opened(_ handle: UInt32) throws -> Agent { try OpenAgents.process.find(handle) }
}

extension LibraryRecords {
  fileprivate func remove(_ id: String, in wallet: Wallet) throws { try wallet.make([removing(id)]) }
}
