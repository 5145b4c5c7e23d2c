import Aries
import DIDComm
import JSON
import Sodium
import TestSupport
import Testing

@testable import MSDK

/// Members of a serialized connection that decide about what it does later.
@Suite struct ConnectionRestoringTests {
  private func stored(_ name: String) throws -> JSON { try Fixtures.json("connections/\(name).json") }

  /// A connection with this change of its state.
  private func connection(_ name: String, _ path: [String], _ value: JSON?) throws -> Connection {
    var json = try stored(name)
    var state = try #require(json["state"]).replacing(path[...], with: value ?? .null)
    if value == nil {
      var inner = try #require(state[path[0]]?[path[1]])
      inner[path[2]] = nil
      state[path[0]]?[path[1]] = inner
    }
    json["state"] = state
    return try Connection(serialized: json.text)
  }

  @Test func aNullThreadCountsAsAbsent() throws {
    for value in [nil, .null] as [JSON?] {
      #expect(
        try connection("completed", ["Invitee", "Completed", "thread"], value).machine.thread == Thread(thid: ""))
      #expect(try connection("failed", ["Invitee", "Failed", "thread"], value).machine.thread == Thread(thid: ""))
    }
    #expect(throws: ConnectionError.self) { try connection("completed", ["Invitee", "Completed", "thread"], 1) }
  }

  @Test func aNullInvitationCountsAsAbsent() throws {
    for value in [nil, .null, [:]] as [JSON?] {
      #expect(try connection("completed", ["Invitee", "Completed", "invitation"], value).invitation == nil)
      #expect(throws: ConnectionError.self) {
        try connection("requested", ["Invitee", "Requested", "invitation"], value)
      }
    }
  }

  /// An older version has packed for all keys of an invitation, and has kept no ping.
  @Test func anOlderStateHasOneKeyAndNoUnboundProof() throws {
    let document = try #require(try stored("completed")["state"]?["Invitee"]?["Completed"]?["did_doc"])
    var json = try stored("requested")
    var fields = try #require(json["state"]?["Invitee"]?["Requested"])
    let (first, second) = (KeyPair().verkey.text, KeyPair().verkey.text)
    fields["invitation"]?["ConnectionInvitation"]?["recipientKeys"] = [.string(first), .string(second)]
    fields["presented"] = document
    json["state"] = ["Invitee": ["Requested": fields]]
    for ping in [nil, "ping-1"] {
      json["state"]?["Invitee"]?["Requested"]?["ping"] = ping.map(JSON.string)
      let connection = try Connection(serialized: json.text)
      guard case .requested(let machine) = connection.machine else {
        Issue.record("\(connection.machine)")
        continue
      }
      #expect(machine.inviter.recipientKeys.map(\.text) == [first])
      #expect(machine.presented?.ping == ping && (machine.presented == nil) == (ping == nil))
      #expect(try Connection(serialized: connection.serialized(institutionDID: nil)).machine == connection.machine)
    }
  }

  @Test func theConfirmationOfADIDIsStored() throws {
    let states = [("completed", ["Invitee", "Completed"]), ("responded-connections", ["Inviter", "Responded"])]
    for value in [nil, true] as [JSON?] {
      for (name, path) in states {
        let restored = try connection(name, path + ["did_confirmed"], value)
        #expect(restored.peer?.isConfirmed == (value == true))
        let again = try Connection(serialized: restored.serialized(institutionDID: nil))
        #expect(again.machine == restored.machine)
      }
    }
  }

  @Test func theIDOfAnOlderStateIsNotTheInvitersDID() throws {
    let id = "did:sov:WgWxqztrNooG92RXvxSTWv"
    var json = try stored("connectionless")
    var fields = try #require(json["state"]?["Invitee"]?["Completed"])
    fields["did_doc"]?["id"] = .string(id)
    fields["invitation"]?["OutofbandInvitation"]?["@id"] = .string(id)
    json["state"] = ["Invitee": ["Completed": fields]]
    let connection = try Connection(serialized: json.text)
    #expect(try connection.theirDID() == connection.peer?.key.did.text)
  }

  /// The other place may be another peer's: a text of another library has it, too.
  @Test func theInvitationGivesTheAddressOfTheInviter() throws {
    let own = try Connection(serialized: stored("requested").text)
    let changed = try connection("requested", ["Invitee", "Requested", "did_doc", "service"], [])
    guard case .requested(let one) = own.machine, case .requested(let other) = changed.machine else {
      Issue.record("another state")
      return
    }
    #expect(other.inviter == one.inviter && other.inviter == own.invitation?.service)
  }

  /// An inviter with a public DID: its service came from a ledger.
  @Test func theAddressOfAPublicDIDIsStored() throws {
    let did = "did:sov:WgWxqztrNooG92RXvxSTWv"
    let path = ["Invitee", "Requested", "invitation", "OutofbandInvitation"]
    let invitation: JSON = [
      "@id": "i", "services": [.string(did)], "handshake_protocols": ["https://didcomm.org/connections/1.0"],
    ]
    var json = try stored("requested")
    json["state"]?["Invitee"]?["Requested"]?["invitation"] = nil
    json["state"] = try #require(json["state"]).replacing(path[...], with: invitation)
    // The invitee refuses to send past a routing key that it cannot read, and can still be stored.
    let routing = ["Invitee", "Requested", "did_doc", "service[]", "routingKeys"]
    json["state"] = try #require(json["state"]).replacing(routing[...], with: ["no key"])
    let connection = try Connection(serialized: json.text)
    guard case .requested(let machine) = connection.machine else {
      Issue.record("another state")
      return
    }
    #expect(machine.inviter.endpoint == "http://inviter.example" && connection.invitation?.service == nil)
  }

  @Test func ofTwoStatesOrInvitationsTheFirstCounts() throws {
    var json = try stored("completed")
    json["state"]?["Invitee"]?["Failed"] = [:]
    json["state"]?["Inviter"] = ["Responded": [:]]
    let other: JSON = ["@id": "other"]
    json["state"]?["Invitee"]?["Completed"]?["invitation"]?["OutofbandInvitation"] = other
    let connection = try Connection(serialized: json.text)
    #expect(connection.state.number == 4)
    guard case .connection? = connection.invitation else {
      Issue.record("another invitation")
      return
    }
  }

  @Test func aKeyWithoutAnAgentIsNoMailbox() throws {
    for (member, isOpen) in [("pw_did", true), ("agent_vk", false)] {
      var json = try stored("completed")
      json["data"]?[member] = ""
      let connection = try Connection(serialized: json.text)
      #expect((connection.pairwise?.mailbox != nil) == isOpen && connection.pairwise?.key != nil)
    }
    var json = try stored("completed")
    json["data"]?["pw_verkey"] = ""
    #expect(try Connection(serialized: json.text).pairwise == nil)
  }

  @Test(arguments: ["1", "0.9", "x", ""]) func anOlderVersionIsNotKnown(version: String) throws {
    let text = try stored("completed").with(["version": .string(version)]).text
    #expect(throws: ConnectionError.malformedState("version \(version) is not known")) {
      try Connection(serialized: text)
    }
  }

  // MARK: the peer's keys

  @Test func theFirstKeyOfThePeerSigns() throws {
    let keys = [KeyPair(), KeyPair()]
    let service = Service(recipientKeys: keys.map(\.verkey), endpoint: "http://a.example")
    let completed = Completed(
      role: .inviter, peer: Peer(document: service.document(id: keys[0].verkey.did.text)), thread: Thread(thid: "t"),
      invitation: nil)
    let connection = Connection(sourceID: "s", machine: .completed(completed))
    #expect(try connection.verifies(keys[0].sign([1]), of: [1]))
    #expect(try !connection.verifies(keys[1].sign([1]), of: [1]))
    let data = try JSON(parsing: connection.serialized(institutionDID: nil))["data"]
    #expect(data?["their_pw_verkey"]?.string == keys[0].verkey.text)
  }

  // MARK: the way of exchanges

  @Test func onlyWithoutAHandshakeAKeyIsNotNeeded() throws {
    var json = try stored("completed")
    json["data"]?["pw_verkey"] = ""
    let connected = try Connection(serialized: json.text)
    #expect(throws: ConnectionError.noMailbox) { try connected.route() }
    json = try stored("connectionless")
    json["data"]?["pw_verkey"] = ""
    let connectionless = try Connection(serialized: json.text)
    let service = try #require(connectionless.peer?.service)
    #expect(try connectionless.route() == .service(service))
    for name in ["invited", "requested", "planning", "responded-connections", "failed", "inviting"] {
      let other = try Connection(serialized: stored(name).text)
      #expect(throws: ConnectionError.notCompleted) { try other.route() }
    }
  }

  /// Peers that write the newer invitations speak the newer protocols.
  @Test func theInvitationDecidesAboutTheVersionOfExchanges() throws {
    for (name, version) in [
      ("completed", 1), ("completed-didexchange-1.1", 2), ("inviter-completed-didexchange-1.1", 2), ("requested", nil),
    ] as [(String, Int?)] {
      let connection = try Connection(serialized: stored(name).text)
      #expect(connection.version(of: "issue-credential") == version, "\(name)")
    }
  }

  // MARK: answers that are given once

  @Test func eachConnectionAnswersUnderAnIDOfItsOwn() throws {
    func connection() -> Connection {
      Connection(
        sourceID: "s", machine: .planned(.connection), pairwise: Pairwise(key: KeyPair().verkey))
    }
    let (one, other) = (connection(), connection())
    let messages = ["a", "b"].map { AnsweredOnce(HandshakeReuse(id: $0, invitation: "i", minor: 1)) }
    #expect(one.answerID(to: messages[0]) == one.answerID(to: messages[0]))
    let ids = [one, other].flatMap { connection in messages.map(connection.answerID) }
    #expect(Set(ids).count == 4)
  }

  /// The program may hand in a message before the library runs.
  @Test func aReuseBeforeTheHandshakeNeedsNoWallet() throws {
    struct NotRunning: Error {}
    var connection = try Connection(serialized: stored("invited").text)
    let before = connection.machine
    let reuse = HandshakeReuse(id: "r", invitation: "i", minor: 1).json
    try connection.receive(reuse.text, with: { () throws -> MSDK.Session in throw NotRunning() }())
    #expect(connection.machine == before)
  }

  /// Only inviters of the proprietary protocol are redirected.
  @Test func aRedirectionIsLeftToTheApplicationByOtherConnections() throws {
    struct NotRunning: Error {}
    let redirection = Redirection(
      did: "x", verkey: KeyPair().verkey, publicDID: nil, to: KeyPair(), ownPublicDID: nil)
    let message: JSON = [
      "@type": "did:sov:123456789abcdefghi1234;spec/connecting/0.6/REDIRECT_CONN_REQ", "@id": "1",
      "replyToMsgId": "i", "redirectDetail": .object(redirection.json),
    ]
    var connection = try Connection(serialized: stored("completed").text)
    let before = connection.machine
    try connection.receive(message.text, with: { () throws -> MSDK.Session in throw NotRunning() }())
    #expect(connection.machine == before)
  }
}
