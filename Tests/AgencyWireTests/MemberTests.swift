import DIDComm
import JSON
import Sodium
import TestSupport
import Testing

@testable import AgencyWire

/// The names and members of messages, as other clients and agencies write them.
@Suite struct MemberTests {
  private static let verkey = "F45Ey9188uCq5QzTnsJJHC7WczwVSjjpAFxUvJXYJVqR"

  private func check<Message: AgencyMessage>(_ message: Message, _ name: String, _ text: String) throws {
    let members = try JSON(parsing: text)
    #expect(Message.name == name)
    #expect(JSON.object(message.members) == members, "\(name)")
    #expect(try JSON(parsing: message.text(type: "x"))["@type"] == "x")
    #expect(try Message(members.requireObject()) == message, "\(name)")
  }

  @Test func settingsAreWrittenAsOthersDo() throws {
    let method = WireComMethod(id: "phone", kind: .sponsor, value: "user-42")
    try check(
      UpdateComMethod(method: method), "UPDATE_COM_METHOD",
      #"{"comMethod":{"id":"phone","type":3,"value":"user-42"}}"#)
    try check(ComMethodUpdated(id: "phone"), "COM_METHOD_UPDATED", #"{"id":"phone"}"#)
    try check(
      UpdateConfigs(configs: [Config(name: "name", value: "Alice"), Config(name: "logoUrl", value: "x")]),
      "UPDATE_CONFIGS", #"{"configs":[{"name":"name","value":"Alice"},{"name":"logoUrl","value":"x"}]}"#)
    try check(ConfigsUpdated(), "CONFIGS_UPDATED", "{}")
    try check(GetUpgradeInfo(pairwiseDIDs: ["D"]), "GET_UPGRADE_INFO", #"{"pairwiseDIDs":["D"]}"#)
    try check(UpgradeInfo(data: ["D": ["x": 1]]), "UPGRADE_INFO", #"{"data":{"D":{"x":1}}}"#)
  }

  @Test func requestsForMessagesAreWrittenAsOthersDo() throws {
    var filter = WireMessageFilter(uids: ["u"], statusCodes: ["MS-103"], excludesPayload: true, afterUID: "t", wait: 60)
    filter.after = "place"
    let selection =
      #""uids":["u"],"statusCodes":["MS-103"],"excludePayload":"Y","after":"place","afterUid":"t","wait":60"#
    try check(GetMessages(filter: filter), "GET_MSGS", "{\(selection)}")
    try check(
      GetMessagesByConnections(pairwiseDIDs: ["D"], filter: filter), "GET_MSGS_BY_CONNS",
      #"{"pairwiseDIDs":["D"],\#(selection)}"#)
    try check(
      UpdateMessageStatus(statusCode: "MS-106", connections: [WireConnectionUIDs(pairwiseDID: "D", uids: ["u"])]),
      "UPDATE_MSG_STATUS_BY_CONNS", #"{"statusCode":"MS-106","uidsByConns":[{"pairwiseDID":"D","uids":["u"]}]}"#)
    try check(UpdateConnectionStatus(statusCode: "CS-103"), "UPDATE_CONN_STATUS", #"{"statusCode":"CS-103"}"#)
    #expect(UpdateConnectionStatus.deleted == "CS-103")
  }

  @Test func answersWithMessagesAreWrittenAsOthersDo() throws {
    let stored = WireMessage(
      uid: "u", statusCode: "MS-103", senderDID: "S", type: "t", payload: ["a": 1], refMsgID: "r")
    let message =
      #"{"uid":"u","statusCode":"MS-103","senderDID":"S","type":"t","payload":{"a":1},"refMsgId":"r"}"#
    try check(Messages(messages: [stored], end: .cut(next: "p")), "MSGS", #"{"msgs":[\#(message)],"next":"p"}"#)
    try check(Messages(messages: [], end: .open(next: "p", wait: 60)), "MSGS", #"{"msgs":[],"next":"p","wait":60}"#)
    try check(
      MessagesByConnections(
        connections: [WireConnectionMessages(pairwiseDID: "D", messages: [stored])], end: .complete),
      "MSGS_BY_CONNS", #"{"msgsByConns":[{"pairwiseDID":"D","msgs":[\#(message)]}],"next":null}"#)
    let failure = MessageStatusUpdated.Failure(pairwiseDID: "E", statusCode: "GNR-115", statusMessage: "no")
    try check(
      MessageStatusUpdated(updated: [WireConnectionUIDs(pairwiseDID: "D", uids: ["u"])], failed: [failure]),
      "MSG_STATUS_UPDATED_BY_CONNS",
      #"{"updatedUidsByConns":[{"pairwiseDID":"D","uids":["u"]}],"#
        + #""failed":[{"pairwiseDID":"E","statusCode":"GNR-115","statusMsg":"no"}]}"#)
    try check(ConnectionStatusUpdated(statusCode: "CS-103"), "CONN_STATUS_UPDATED", #"{"statusCode":"CS-103"}"#)
  }

  /// Clients need all members, also where the agency has nothing to say.
  @Test func aStoredMessageHasAllItsMembers() throws {
    let stored = WireMessage(uid: "u", statusCode: "MS-103", payloadText: Array("{}".utf8))
    let text = Messages(messages: [stored]).text(type: "x")
    let message = try JSON(parsing: text)["msgs"]?.array?.first
    #expect(
      message == [
        "uid": "u", "statusCode": "MS-103", "senderDID": "", "type": "aries", "payload": [:], "refMsgId": nil,
      ])
    let short = try WireMessage(JSON(parsing: #"{"uid":"u","statusCode":"MS-103"}"#))
    #expect(short.senderDID == "" && short.type == "unknown" && short.refMsgID == nil)
    let bare = #"{"updatedUidsByConns":[]}"#
    #expect(try MessageStatusUpdated(JSON(parsing: bare).requireObject()).failed.isEmpty)
    let terse = #"{"updatedUidsByConns":[],"failed":[{"pairwiseDID":"E"}]}"#
    let failure = MessageStatusUpdated.Failure(pairwiseDID: "E", statusCode: "", statusMessage: "")
    #expect(try MessageStatusUpdated(JSON(parsing: terse).requireObject()).failed == [failure])
  }

  @Test func provisioningIsWrittenAsOthersDo() throws {
    let agent = Party(did: "D", verkey: try VerKey(Self.verkey))
    try check(Connect(fromDID: "D", fromDIDVerKey: "V"), "CONNECT", #"{"fromDID":"D","fromDIDVerKey":"V"}"#)
    try check(CreateKey(forDID: "D", forDIDVerKey: "V"), "CREATE_KEY", #"{"forDID":"D","forDIDVerKey":"V"}"#)
    let naming = #"{"withPairwiseDID":"D","withPairwiseDIDVerKey":"\#(Self.verkey)"}"#
    try check(Connected(agent: agent), "CONNECTED", naming)
    try check(AgentCreated(agent: agent), "AGENT_CREATED", naming)
    try check(KeyCreated(agent: agent), "KEY_CREATED", naming)
    try check(SignUp(), "SIGNUP", "{}")
    try check(SignedUp(), "SIGNED_UP", "{}")
    try check(CreateAgent(), "CREATE_AGENT", "{}")
    try check(
      SponsoredAgentCreated(id: "1", agent: agent, thread: "t"), "AGENT_CREATED",
      #"{"@id":"1","selfDID":"D","agentVerKey":"\#(Self.verkey)","~thread":{"thid":"t"}}"#)
    try check(
      ProvisioningProblem(id: "1", text: "no", thread: "t"), "problem-report",
      #"{"@id":"1","msg":"no","~thread":{"thid":"t"}}"#)
    try check(GetToken(sponseeID: "u", sponsorID: "s"), "get-token", #"{"sponseeId":"u","sponsorId":"s"}"#)
    #expect(TokenSent.name == "send-token" && CreateSponsoredAgent.name == "CREATE_AGENT")
  }

  @Test func backupsAreWrittenAsOthersDo() throws {
    try check(
      InitBackup(recoveryVerKey: "k", address: "a", cloudAddress: [0, 127, 128, 255]), "WALLET_INIT_BACKUP",
      #"{"params":{"recoveryVk":"k","ddAddress":"a","cloudAddress":[0,127,128,255]}}"#)
    try check(BackupReady(), "WALLET_BACKUP_READY", "{}")
    try check(BackUpWallet(wallet: [251, 255]), "WALLET_BACKUP", #"{"wallet":"+/8="}"#)
    try check(BackupStored(), "WALLET_BACKUP_ACK", "{}")
    try check(RestoreBackup(), "WALLET_BACKUP_RESTORE", "{}")
    try check(BackupRestored(wallet: [251, 255]), "WALLET_BACKUP_RESTORED", #"{"wallet":"+/8="}"#)
    let drop = #"{"recoveryVerKey":"k","address":"a","locator":"l","locatorSignature":[1,200]}"#
    let request = try RetrieveDeadDrop(JSON(parsing: drop).requireObject())
    try check(request, "DEAD_DROP_RETRIEVE", drop)
    #expect(request.recoveryVerKey == "k" && request.address == "a" && request.locator == "l")
    #expect(request.locatorSignature == [1, 200])
    try check(
      DeadDropResult(address: "a", data: [251, 255]), "DEAD_DROP_RETRIEVE_RESULT",
      #"{"entry":{"address":"a","data":"+/8="}}"#)
    try check(DeadDropResult(address: "", data: nil), "DEAD_DROP_RETRIEVE_RESULT", #"{"entry":null}"#)
  }

  @Test func aRefusalIsWrittenAsOthersDo() throws {
    let refusal = WireRefusal(statusCode: "GNR-115", statusMessage: "no")
    #expect(try JSON(parsing: refusal.body) == ["statusCode": "GNR-115", "statusMsg": "no"])
    #expect(WireRefusal(body: Array(#"{"statusCode":"GNR-115","statusMsg":"no"}"#.utf8)) == refusal)
  }
}
