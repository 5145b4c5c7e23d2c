import JSON
import MSDK
import TestSupport
import Testing

@Suite struct ExistingConnectionTests {
  /// A connection in one of the golden states, of an invitation with this id and key.
  static func connection(_ state: String, id: String, key: String = key) throws -> JSON {
    var connection = try Connection(
      sourceID: "x", connectionInvitation: invitation(id, key).text
    ).serialized(institutionDID: nil)
    guard state != "invited" else { return try JSON(parsing: connection) }
    connection = try Fixtures.json("connections/\(state).json").text
    return try JSON(parsing: connection).replacing(invitation(id, key))
  }

  static let key = "4wBqpZM9xaSheZzJSMawUKKwhdpChKbZ5eu5ky4Vigw"
  static let otherKey = "7ppk9w8NHnH6ehajvJyU31VcMafwZ3ybRtJWumSyD2wd"

  static func invitation(_ id: String, _ key: String) -> JSON {
    ["@id": .string(id), "label": "Acme", "recipientKeys": [.string(key)], "serviceEndpoint": "http://a"]
  }

  func find(_ invitation: JSON, _ connections: [JSON]) throws -> ExistingConnection {
    try ExistingConnection(for: invitation.text, among: JSON.array(connections).text)
  }

  @Test func theSameInvitationComesFirst() throws {
    let connections = [
      try Self.connection("completed", id: "1", key: Self.otherKey), try Self.connection("completed", id: "2"),
      try Self.connection("invited", id: "3", key: Self.otherKey),
    ]
    #expect(try find(Self.invitation("3", Self.key), connections).same == .inviter, "the same id and another key")
    let found = try find(Self.invitation("3", Self.otherKey), connections)
    #expect(found.index == 2 && found.same == .invitation)
    #expect(found.text == #"{"index":2,"same":"invitation"}"#)
  }

  @Test func onlyACompletedConnectionIsWithTheInviter() throws {
    let connections = [
      try Self.connection("invited", id: "1"), try Self.connection("requested", id: "2"),
      try Self.connection("completed", id: "3"), try Self.connection("completed", id: "4"),
    ]
    let found = try find(Self.invitation("5", Self.key), connections)
    #expect(found.index == 2 && found.same == .inviter)
    #expect(try find(Self.invitation("5", Self.key), Array(connections.prefix(2))).same == .none)
  }

  @Test func anUnknownInviterIsNotFound() throws {
    for connections in [[], [try Self.connection("completed", id: "1")]] {
      let found = try find(Self.invitation("2", Self.otherKey), connections)
      #expect(found.text == #"{"index":null,"same":"none"}"#)
    }
  }

  /// Another connection stands for a redirected one.
  @Test func redirectedConnectionsDoNotCount() throws {
    let redirected = try Fixtures.json("connections/proprietary-redirected.json")
    let invitation = try #require(redirected["data"]?["invite_detail"])
    #expect(try find(invitation, [redirected]).same == .none)
    let accepted = try Fixtures.json("connections/proprietary-accepted.json")
    #expect(try find(#require(accepted["data"]?["invite_detail"]), [redirected, accepted]).index == 1)
  }

  @Test func failedConnectionsDoNotCount() throws {
    let found = try find(Self.invitation("1", Self.key), [Self.connection("failed", id: "1")])
    #expect(found.index == nil && found.same == .none)
  }

  @Test func ownInvitationsDoNotCount() throws {
    let completed = try Self.connection("completed", id: "1")
    var inviter = completed
    inviter["state"] = ["Inviter": try #require(completed["state"]?["Invitee"])]
    let found = try find(Self.invitation("1", Self.key), [inviter, completed])
    #expect(found.index == 1)
  }

  @Test func proprietaryConnectionsAreFoundByEitherForm() throws {
    let golden = try ProprietaryConnectionTests.golden()
    let connection = try Connection(serialized: golden.text)
    for abbreviated in [true, false] {
      let invitation = try JSON(parsing: connection.invitationText(abbreviated: abbreviated))
      #expect(try find(invitation, [golden]).same == .invitation)
      var next = invitation
      next[abbreviated ? "id" : "connReqId"] = "another"
      #expect(try find(next, [golden]).same == .none, "the inviter has proven nothing yet")
      var accepted = golden
      accepted["data"]?["state"] = 4
      #expect(try find(next, [accepted]).same == .none, "no message has come from the inviter's key")
      accepted["data"]?["their_key_proven"] = true
      #expect(try find(next, [accepted]).same == .inviter)
    }
  }

  @Test func connectionsAreGivenAsTextsOrAsObjects() throws {
    let connection = try Self.connection("completed", id: "1")
    #expect(try find(Self.invitation("1", Self.key), [.string(connection.text)]).index == 0)
    #expect(try find(Self.invitation("1", Self.key), [connection]).index == 0)
  }

  @Test func anUnreadableEntryIsNamedAndHidesNoOther() throws {
    let deep = String(repeating: "[", count: 3000)
    var future = try Self.connection("completed", id: "1")
    future["version"] = "3.0"
    let known = try Self.connection("completed", id: "1")
    let found = try find(Self.invitation("1", Self.key), [1, "{}", .string(deep), future, known, .null])
    #expect(found.index == 4 && found.same == .invitation && found.unreadable == [0, 1, 2, 3, 5])
    #expect(found.text == #"{"index":4,"same":"invitation","unreadable":[0,1,2,3,5]}"#)
    #expect(try find(Self.invitation("1", Self.key), ["x"]).text == #"{"index":null,"same":"none","unreadable":[0]}"#)
  }

  @Test(arguments: [("x", "[]"), ("[]", "[]"), ("{}", "{}"), ("{}", "x")])
  func malformedArgumentsAreRefused(invitation: String, connections: String) {
    #expect(throws: (any Error).self) { try ExistingConnection(for: invitation, among: connections) }
  }
}

extension JSON {
  /// A serialized invitee with another invitation.
  fileprivate func replacing(_ invitation: JSON) throws -> JSON {
    var result = self
    var state = try #require(self["state"]?["Invitee"]?.object?.members.first)
    state.value["invitation"] = ["ConnectionInvitation": invitation]
    result["state"] = ["Invitee": .object([state.key: state.value])]
    return result
  }
}
