import DIDComm
import JSON
import MSDK
import TestSupport
import Testing

@Suite struct SerializedConnectionTests {
  /// One golden text for each state, as msdk 0.1.0 writes them, and the number of the state.
  static let golden: [(name: String, state: UInt32)] = [
    ("invited", 2), ("requested", 3), ("completed", 4), ("failed", 0), ("failed-by-hangup", 0),
    ("inviter-failed-by-hangup", 0), ("invited-out-of-band", 2),
    ("half-connected", 2), ("requested-didexchange-1.0", 3), ("requested-didexchange-1.1", 3),
    ("completed-didexchange-1.0", 4), ("completed-didexchange-1.1", 4), ("connectionless", 4), ("planning", 1),
    ("planning-out-of-band", 1), ("inviting", 2), ("inviting-without-handshake", 4), ("responded-connections", 3),
    ("responded-didexchange-1.0", 3), ("responded-didexchange-1.1", 3), ("inviter-completed-connections", 4),
    ("inviter-completed-didexchange-1.0", 4), ("inviter-completed-didexchange-1.1", 4),
    ("proprietary-planned", 1), ("proprietary-offered", 2), ("proprietary-invited", 3), ("proprietary-accepted", 4),
    ("proprietary-inviter-accepted", 4), ("proprietary-redirected", 8), ("proprietary-inviter-redirected", 8),
  ]

  func text(_ name: String) throws -> String { try Fixtures.json("connections/\(name).json").text }

  @Test(arguments: golden) func everyStateIsWrittenAsItWasRead(name: String, state: UInt32) throws {
    let text = try text(name)
    let connection = try Connection(serialized: text)
    #expect(connection.serialized(institutionDID: "did:sov:9QjmAbQLX1BvBRtM4qDAry") == text)
    #expect(connection.state.number == state)
    let data = try #require(try JSON(parsing: text)["data"])
    #expect(data["state"] == .integer(Int64(state)))
    #expect(data["pw_did"] == .string(connection.pairwiseDID))
  }

  /// Texts of older versions lack the peer.
  @Test func aConnectionThatEndedAfterItsHandshakeKeepsItsPeer() throws {
    let completed = try Connection(serialized: text("completed"))
    var json = try JSON(parsing: text("failed-by-hangup"))
    json["state"]?["Invitee"]?["Failed"]?["did_doc"] =
      try JSON(parsing: text("completed"))["state"]?["Invitee"]?["Completed"]?["did_doc"]
    let connection = try Connection(serialized: json.text)
    #expect(try connection.theirDID() == completed.theirDID())
    #expect(try JSON(parsing: connection.serialized(institutionDID: nil))["state"] == json["state"])
    json["state"]?["Invitee"]?["Failed"]?["did_doc"] = .null
    #expect(try Connection(serialized: json.text).state.number == 0)
  }

  @Test(arguments: [
    #"{"Invitee":{"Responded":{}}}"#, #"{"Inviter":{"Requested":{}}}"#, #"{"Invitee":{"Initialized":{}}}"#,
    #"{"Bystander":{"Completed":{}}}"#, #"{"Invitee":{}}"#, "{}", #"{"Inviter":{"Invited":{}}}"#,
  ])
  func statesThatDoNotExistAreRefused(state: String) throws {
    var json = try Fixtures.json("connections/completed.json")
    json["state"] = try JSON(parsing: state)
    #expect(throws: ConnectionError.self) { try Connection(serialized: json.text) }
  }

  @Test func aStateOfEvernymsLibraryIsRead() throws {
    let connection = try Connection(serialized: text("evernym-completed"))
    #expect(connection.state.number == 4)
    #expect(connection.pairwiseDID == "XNKZvMcN2Bx3mu6oMiRfds")
    #expect(connection.sourceID == "s1")
  }

  @Test func aMalformedRoutingKeyIsKeptAndNotUsed() throws {
    var json = try Fixtures.json("connections/completed.json")
    let completed = try #require(json["state"]?["Invitee"]?["Completed"]?.object)
    var (document, invitation) = try (
      #require(completed["did_doc"]?.object), #require(completed["invitation"]?["ConnectionInvitation"]?.object)
    )
    var service = try #require(document["service"]?.array?.first?.object)
    service["routingKeys"] = ["no key"]
    document["service"] = .array([.object(service)])
    invitation["routingKeys"] = ["no key"]
    var state = completed
    state["did_doc"] = .object(document)
    state["invitation"] = ["ConnectionInvitation": .object(invitation)]
    json["state"] = ["Invitee": ["Completed": .object(state)]]

    let connection = try Connection(serialized: json.text)
    #expect(connection.state.number == 4)
    #expect(connection.serialized(institutionDID: "did:sov:9QjmAbQLX1BvBRtM4qDAry") == json.text)
    #expect(throws: EnvelopeError.malformedRoutingKey) {
      try DIDDocument(.object(document), isStored: true).service.pack([1], from: nil)
    }
    #expect(throws: DIDDocumentError.self) { try DIDDocument(.object(document)) }
  }

  @Test(arguments: ["3.0", "2.1", "10.0"]) func aStateFromTheFutureIsRefused(version: String) throws {
    var json = try Fixtures.json("connections/completed.json")
    json["version"] = .string(version)
    #expect(throws: ConnectionError.unsupportedVersion("version \(version)")) {
      try Connection(serialized: json.text)
    }
  }

  @Test(arguments: ["data", "state", "version"]) func anErrorNamesTheMissingMember(member: String) throws {
    var json = try Fixtures.json("connections/completed.json")
    json[member] = nil
    #expect(throws: ConnectionError.malformedState("member \"\(member)\" is missing")) {
      try Connection(serialized: json.text)
    }
  }

  @Test(arguments: ["", "[]", "{}", "null", #"{"version":"2.0","data":{},"state":{"Invitee":{"Lost":{}}}}"#])
  func otherTextsAreRefused(text: String) {
    #expect(throws: ConnectionError.self) { try Connection(serialized: text) }
  }

  @Test(arguments: UInt64(0)..<600) func damagedTextsAreRefusedOrRead(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var bytes = Array(try text(Self.golden[Int(seed) % Self.golden.count].name).utf8)
    let position = Int.random(in: bytes.indices, using: &random)
    bytes[position] = UInt8.random(in: 32...126, using: &random)
    // Texts without a required form may contain many characters. Every text that is read must be writable again.
    if let connection = try? Connection(serialized: String(decoding: bytes, as: UTF8.self)) {
      _ = try Connection(serialized: connection.serialized(institutionDID: nil))
    }
  }
}
