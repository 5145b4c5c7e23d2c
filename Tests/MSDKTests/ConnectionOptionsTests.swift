import Aries
import JSON
import Testing

@testable import MSDK

/// The options of `connect`, and what they choose.
@Suite struct ConnectionOptionsTests {
  private func options(_ members: JSON) throws -> ConnectionOptions { try ConnectionOptions(parsing: members.text) }

  private func invitation(_ handshakes: [String]) throws -> Invitation {
    .outOfBand(
      try OutOfBandInvitation([
        "@id": "i", "handshake_protocols": JSON(handshakes.map { "https://didcomm.org/" + $0 }),
        "services": [
          ["recipientKeys": ["F45Ey9188uCq5QzTnsJJHC7WczwVSjjpAFxUvJXYJVqR"], "serviceEndpoint": "http://a.example"]
        ],
      ]))
  }

  private var plan: InvitationPlan {
    get throws { .outOfBand(try OutOfBandPlan(goalCode: nil, goal: nil, handshake: true, request: nil)) }
  }

  @Test func withoutOptionsNothingIsChosen() throws {
    for text in [nil, "", " \n", "{}"] {
      let options = try ConnectionOptions(parsing: text)
      #expect(!options.usesPublicDID && options.mailbox == nil && options.handshake == nil && options.didMethod == nil)
      #expect(throws: Never.self) { try options.requireNoHandshake() }
      #expect(try options.handshakes(for: plan) == Handshake.all)
    }
    #expect(try options(["use_public_did": true]).usesPublicDID)
    #expect(try !options(["use_public_did": false]).usesPublicDID)
  }

  @Test(arguments: ConnectionOptions.members.sorted()) func everyMemberIsChecked(member: String) throws {
    #expect(throws: ConnectionError.self) { try options([member: 7]) }
    #expect(throws: Never.self) { try options([member: .null]) }
  }

  @Test func anInviteeTakesTheHandshakeOfItsOptions() throws {
    let both = try invitation(["connections/1.0", "didexchange/1.1"])
    #expect(try options([:]).handshake(for: both) == nil)
    #expect(try options(["use_did_method": "unqualified"]).handshake(for: both) == nil)
    #expect(try options(["handshake_protocol": "connections/1.0"]).handshake(for: both) == .connections)
    #expect(try options(["use_did_method": "did:peer:4"]).handshake(for: both) == .didExchange(.v1_1))
    #expect(
      try options(["use_did_method": "did:peer:2", "handshake_protocol": "didexchange/1.0"]).handshake(for: both)
        == .didExchange(.v1_0))
    let older = try invitation(["connections/1.0"])
    #expect(throws: ConnectionError.handshakeNotOffered("https://didcomm.org/didexchange/1.0")) {
      try options(["handshake_protocol": "didexchange/1.0"]).handshake(for: older)
    }
    for members in [
      ["use_did_method": "did:peer:4"], ["use_did_method": "did:peer:4", "handshake_protocol": "connections/1.0"],
    ]
      as [JSON]
    {
      #expect(throws: ConnectionError.didMethodNotPossible) { try options(members).handshake(for: older) }
    }
  }

  @Test func anInviterOffersTheHandshakesOfItsOptions() throws {
    #expect(try options(["handshake_protocol": "connections/1.0"]).handshakes(for: plan) == [.connections])
    #expect(try options(["use_did_method": "unqualified"]).handshakes(for: .connection) == Handshake.all)
    let exchanges: [Handshake] = [.didExchange(.v1_1), .didExchange(.v1_0)]
    #expect(try options(["use_did_method": "did:peer:2"]).handshakes(for: plan) == exchanges)
    #expect(
      try options(["use_did_method": "did:peer:2", "handshake_protocol": "didexchange/1.0"]).handshakes(for: plan)
        == [.didExchange(.v1_0)])
    let none = try options(["use_did_method": "did:peer:4", "handshake_protocol": "connections/1.0"])
    #expect(throws: ConnectionError.didMethodNotPossible) { try none.handshakes(for: plan) }
    #expect(throws: ConnectionError.didMethodNotPossible) {
      try options(["use_did_method": "did:peer:4"]).handshakes(for: .connection)
    }
  }

  @Test func aProtocolWithoutAHandshakeTakesNoOptionsOfOne() throws {
    #expect(throws: Never.self) { try options(["use_did_method": "unqualified"]).requireNoHandshake() }
    #expect(throws: ConnectionError.didMethodNotPossible) {
      try options(["use_did_method": "did:peer:2"]).requireNoHandshake()
    }
    #expect(throws: ConnectionError.handshakeNotOffered("https://didcomm.org/connections/1.0")) {
      try options(["handshake_protocol": "connections/1.0"]).requireNoHandshake()
    }
  }

  /// A name of the caller's stays a line of the log.
  @Test func anErrorShowsTheBeginningOfAnUnknownName() {
    let name = "a\u{1b}[1m\n" + String(repeating: "b", count: 100) + "\u{7f}"
    let text = "\(ConnectionError.unknownOption(name))"
    #expect(text == "connection options: unknown member \"a[1m" + String(repeating: "b", count: 58) + "\"")
  }
}
