import AgencyWire
import Aries
import CloudAgent
import DIDComm
import JSON
import MSDK
import Sodium
import TestSupport
import Testing
import Threading
import Wallet

extension SDKTests {
  /// Downloads from an agency that has to be asked for each connection by itself.
  @Suite final class TerseAgencyTests {
    let world: ScriptedWorld
    let inviters: [ScriptedInviter]

    init() throws {
      world = try ScriptedWorld(ignoring: ["GET_MSGS_BY_CONNS", "UPDATE_CONN_STATUS"])
      inviters = [try ScriptedInviter(), try ScriptedInviter()]
    }

    deinit { for inviter in inviters { inviter.server.stop() } }

    var agency: ScriptedAgency { world.agency }
    var session: MSDK.Session { get throws { try world.session } }

    /// A connection with each inviter, and a message from it.
    func connect() throws -> [Connection] {
      try inviters.enumerated().map { number, inviter in
        var connection = try Connection(sourceID: "\(number)", connectionInvitation: inviter.invitation.text)
        try connection.connect(ConnectionOptions(parsing: nil), with: session)
        try inviter.respond()
        try connection.poll(with: session)
        #expect(connection.state.number == 4)
        try inviter.send(BasicMessage(id: "message-\(number)", content: "hello").json)
        return connection
      }
    }

    /// The new messages: pairwise DID and content.
    func download(of pairwiseDIDs: String? = nil, uids: String? = nil) throws -> [String: [String]] {
      let text = try session.downloadMessages(statuses: "MS-103", uids: uids, pairwiseDIDs: pairwiseDIDs)
      let entries = try JSON(parsing: text).requireArray().map { entry in
        let messages = try #require(entry["msgs"]?.array).map { try #require($0["decryptedPayload"]?.string) }
        return (try #require(entry["pairwiseDID"]?.string), try messages.map(id))
      }
      return Dictionary(uniqueKeysWithValues: entries)
    }

    func id(_ payload: String) throws -> String {
      let message = try #require(try JSON(parsing: payload)["@msg"]?.string)
      return try JSON(parsing: message).requireObject().string("@id")
    }

    /// How often the messages of several connections were asked for.
    var attempts: Int { agency.requests.count { $0 == "GET_MSGS_BY_CONNS" } }

    @Test func theMessagesOfAllConnectionsAreFound() throws {
      let dids = try connect().map(\.pairwiseDID)
      for _ in 0..<3 { #expect(try download() == [dids[0]: ["message-0"], dids[1]: ["message-1"]]) }
      #expect(try download(of: dids[1]) == [dids[1]: ["message-1"]])
      #expect(try download(of: "9QjmAbQLX1BvBRtM4qDAry") == [:])
      #expect(attempts == 1, "what the agency does not know is remembered")
    }

    @Test func aMessageIsFoundByItsIDAndMarked() throws {
      let dids = try connect().map(\.pairwiseDID)
      let text = try session.downloadMessages(statuses: "MS-103", uids: nil, pairwiseDIDs: dids[1])
      let uid = try #require(try JSON(parsing: text).requireArray().first?["msgs"]?.array?.first?["uid"]?.string)
      #expect(try JSON(parsing: session.downloadMessage(uid: uid))["pairwiseDID"] == .string(dids[1]))
      try session.updateMessages(status: "MS-106", #"[{"pairwiseDID":"\#(dids[1])","uids":["\#(uid)"]}]"#)
      #expect(try download() == [dids[0]: ["message-0"], dids[1]: []])
    }

    @Test func theConnectionsAreKnownInANewProcess() throws {
      let dids = try connect().map(\.pairwiseDID)
      Agent.ofTest.stop(deletingWallet: false)
      try Agent.ofTest.start(Settings(parsing: world.config))
      #expect(try download() == [dids[0]: ["message-0"], dids[1]: ["message-1"]])
      Agent.ofTest.stop(deletingWallet: false)
      try Agent.ofTest.start(Settings(parsing: world.config))
      #expect(try download(of: dids[0]) == [dids[0]: ["message-0"]])
    }

    @Test func aConnectionThatWasMadeElsewhereIsKnownOnceItIsPolled() throws {
      var connections = try connect()
      let dids = connections.map(\.pairwiseDID)
      try Agent.ofTest.openWallet().apply(.delete(type: "msdk.mailbox", id: dids[0]))
      #expect(try download() == [dids[1]: ["message-1"]])
      connections[0] = try Connection(serialized: connections[0].serialized(institutionDID: nil))
      try connections[0].poll(with: session)
      #expect(try download() == [dids[0]: ["message-0"], dids[1]: ["message-1"]])
    }

    @Test func aNoteThatTheApplicationBrokeIsRepaired() throws {
      var connections = try connect()
      let dids = connections.map(\.pairwiseDID)
      try Agent.ofTest.openWallet().apply(.updateValue(type: "msdk.mailbox", id: dids[0], value: "{"))
      #expect(try download() == [dids[1]: ["message-1"]])
      try connections[0].poll(with: session)
      #expect(try download().count == 2)
    }

    /// The Cloud Agent does not say where its answers end. It lists the ids of its messages.
    @Test func messagesThatWerePassedOverAreNotDownloadedAgain() throws {
      var connection = try connect()[0]
      for _ in 0..<2 { try connection.poll(with: session) }
      let requests = agency.received.count
      try connection.poll(with: session)
      let asked = agency.received.dropFirst(requests)
      #expect(asked.count == 1 && asked.first?["excludePayload"] == "Y")
    }

    @Test func aDeletedConnectionIsAskedForNoMore() throws {
      let connections = try connect()
      try connections[0].delete(with: session)
      #expect(try download() == [connections[1].pairwiseDID: ["message-1"]])
    }

    @Test(arguments: [400, 404, 500, 503]) func anAgencyInTroubleIsNotTakenForOneThatKnowsLess(status: Int) throws {
      let dids = try connect().map(\.pairwiseDID)
      agency.answer(status)
      let refusal = CloudAgentError.refused(status: status, Refusal(body: Array(#"{"errorTraceId":"7e1f"}"#.utf8)))
      #expect(throws: refusal) { try download() }
      agency.answer(200)
      #expect(try download().count == dids.count)
      #expect(attempts == 1)
      agency.answer(status)
      #expect(throws: refusal) { try download() }
    }

    /// A mailbox that was closed elsewhere does not hide the others. Trouble that is not about one mailbox is told.
    @Test func aMailboxThatIsRefusedHidesNoOther() throws {
      let dids = Set(try connect().map(\.pairwiseDID))
      forgeFirst { $0.status = 404 }
      let found = try download()
      #expect(found.count == 1 && dids.contains(found.keys.first ?? ""))

      agency.forge { answer, request in
        if request == "GET_MSGS" { answer.status = 404 }
      }
      #expect(throws: CloudAgentError.refused(status: 404, nil)) { try download() }
      forgeFirst { $0.sender = nil }
      #expect(throws: CloudAgentError.invalidAnswer("it is not from the agent that was asked")) { try download() }
    }

    /// Forges the answer of the mailbox that is asked first.
    func forgeFirst(_ forgery: @escaping @Sendable (inout ScriptedAgency.Answer) -> Void) {
      let asked = Locked(0)
      agency.forge { answer, request in
        guard request == "GET_MSGS" else { return }
        let count = asked.withLock { count in
          count += 1
          return count
        }
        if count == 1 { forgery(&answer) }
      }
    }

    @Test func withoutConnectionsTheRefusalIsReported() throws {
      #expect(throws: CloudAgentError.self) { try download() }
    }
  }
}
