import Aries
import DIDComm
import JSON
import MSDK
import TestSupport
import Testing

@Suite struct ProprietaryConnectionTests {
  static func golden() throws -> JSON { try Fixtures.json("connections/proprietary-invited.json") }

  static func invitation() throws -> JSON {
    try #require(golden()["data"]?["invite_detail"])
  }

  @Test func anInvitationBecomesAConnectionThatCanBeShown() throws {
    let invitation = try Self.invitation()
    let connection = try Connection(sourceID: "faber", connectionInvitation: invitation.text)
    #expect(connection.state.number == 3 && connection.isProprietary && connection.pairwiseDID == "")
    #expect(try JSON(parsing: connection.invitationText(abbreviated: false)) == invitation)
    let short = try JSON(parsing: connection.invitationText(abbreviated: true))
    #expect(short["s"]?["dp"]?["k"] == invitation["senderDetail"]?["agentKeyDlgProof"]?["agentDelegatedKey"])
    let again = try Connection(sourceID: "faber", connectionInvitation: short.text)
    #expect(again.serialized(institutionDID: nil) == connection.serialized(institutionDID: nil))
    #expect(try connection.theirDID() == invitation["senderDetail"]?["DID"]?.string)
    #expect(connection.knowsPeerKey)
  }

  @Test func itIsWrittenAsItWasRead() throws {
    let text = try Self.golden().text
    let connection = try Connection(serialized: text)
    #expect(connection.serialized(institutionDID: "9QjmAbQLX1BvBRtM4qDAry") == text)
    #expect(connection.state.number == 3 && connection.sourceID == "faber")
    let made = try Connection(sourceID: "faber", connectionInvitation: Self.invitation().text)
    #expect(made.serialized(institutionDID: nil) == text)
  }

  @Test func aConnectionOfAnotherLibraryKeepsItsMembers() throws {
    var json = try Self.golden()
    var data = try #require(json["data"])
    data["state"] = 4
    data["pw_did"] = "XNKZvMcN2Bx3mu6oMiRfds"
    data["pw_verkey"] = "F45Ey9188uCq5QzTnsJJHC7WczwVSjjpAFxUvJXYJVqR"
    data["redirect_detail"] = ["DID": "x"]
    data["invite_detail"] = nil
    data["future"] = [1]
    json["data"] = data
    let connection = try Connection(serialized: json.text)
    #expect(connection.state.number == 4)
    #expect(connection.serialized(institutionDID: nil) == json.text)
    #expect(connection.invitationText(abbreviated: false) == "null")
    #expect(try connection.redirection() == #"{"DID":"x"}"#)
  }

  @Test(
    arguments: [("state", 7), ("state", "3"), ("state", nil), ("pw_did", nil), ("uuid", 1), ("invite_detail", [:])]
      as [(String, JSON?)])
  func damagedRecordsAreRefused(member: String, value: JSON?) throws {
    var json = try Self.golden()
    var data = try #require(json["data"])
    data[member] = value
    json["data"] = data
    #expect(throws: ConnectionError.self) { try Connection(serialized: json.text) }
  }

  @Test func onlyItKnowsOfRedirection() throws {
    #expect(try Connection(serialized: Self.golden().text).redirection() == "null")
    let aries = try Connection(serialized: Fixtures.json("connections/completed.json").text)
    #expect(!aries.isProprietary)
    #expect(throws: ConnectionError.ariesConnection) { try aries.redirection() }
  }

  @Test(arguments: ["{}", "[]", #"{"s":{}}"#, #"{"senderDetail":{}}"#]) func otherTextsAreNoInvitations(text: String) {
    #expect(throws: InvitationError.self) { try Connection(sourceID: "faber", connectionInvitation: text) }
  }
}
