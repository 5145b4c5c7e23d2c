import Aries
import DIDComm
import JSON
import TestSupport
import Testing

/// One golden text for each state, as msdk 0.1.0 writes them.
@Suite struct StoredExchangeTests {
  typealias Scene = ExchangeScene

  static let holders = [
    "proposing", "proposed", "proposed instead", "offered again", "offered", "requested",
    "requested without a connection", "requested with a mailbox", "finished", "rejected", "failed",
  ]
  static let provers = [
    "proposing", "proposed", "proposed instead", "requested", "prepared", "unprepared", "sent",
    "sent without a connection", "finished", "rejected",
  ]

  func golden(_ name: String) throws -> String {
    try Fixtures.json("exchanges/\(name.replacing(" ", with: "-")).json").text
  }

  @Test(arguments: holders) func everyStateOfAHolderIsReadAndWritten(name: String) throws {
    let machine = try HolderMachineTests.machine(name)
    try check(machine, "holder-\(name)")
  }

  @Test(arguments: provers) func everyStateOfAProverIsReadAndWritten(name: String) throws {
    let machine = try ProverMachineTests.machine(name)
    try check(machine, "prover-\(name)")
  }

  private func check<Machine: StoredExchange & Equatable>(_ machine: Machine, _ name: String) throws {
    let golden = try golden(name)
    #expect(machine.serialized(sourceID: "s1") == golden)
    let restored = try Machine.restored(from: golden)
    #expect(restored.machine == machine)
    #expect(restored.sourceID == "s1")
  }

  @Test func aCredentialOfEvernymsLibraryGoesOn() throws {
    let (name, restored, _) = try HolderMachine.restored(from: golden("evernym-holder-requested"))
    var machine = restored
    #expect(name == "degree")
    guard case .requested(let state) = machine.state, case .connection(let connection) = state.route else {
      throw Unexpected(machine: machine)
    }
    #expect(connection.peer.service == Scene.peerService)
    #expect(connection.own.key == Scene.ownKey)
    #expect(state.metadata.contains("master_secret_name"))
    let issue = try Message(Scene.message("issue_1_0", "issue"))
    let credential = try #require(try machine.credential(in: issue, from: Scene.sender))
    let ack = try #require(machine.accept(credential, storedAs: "c", ackID: "a").sent).message
    #expect(ack["~thread"]?["sender_order"] == 1)
    #expect(ack["~thread"]?["received_orders"] == [Scene.peerKey.did.text: 1])
  }

  @Test func aProofOfEvernymsLibraryGoesOn() throws {
    var (_, machine, _) = try ProverMachine.restored(from: golden("evernym-prover-prepared"))
    let sent = try #require(machine.send(over: Scene.connection).sent).message
    // It stored the message without its type.
    #expect(sent["@type"] == "https://didcomm.org/present-proof/1.0/presentation")
    #expect(sent["~thread"]?["thid"] == "0d0f1a4e-6f1c-4c57-9d62-2f8a5b0c0002")
    guard case .sent(let state) = machine.state else { throw Unexpected(machine: machine) }
    #expect(state.presentation.dialect.major == 1)
  }

  @Test(arguments: [
    (#""Success""#, "succeeded"), (#""Undefined""#, "undefined"), (#"{"Rejected":null}"#, "rejected"),
    (#"{"Rejected":{"@id":"1","description":{"code":"rejection"}}}"#, "rejected"),
    (#"{"Failed":{"@id":"1"}}"#, "failed"),
  ])
  func everyEndIsRead(status: String, name: String) throws {
    var json = try Fixtures.json("exchanges/holder-finished.json")
    let finished = try #require(json["data"]?["holder_sm"]?["state"]?["Finished"])
    let state = finished.with(["status": try JSON(parsing: status), "offer": .null, "credential": .null])
    json["data"] = ["holder_sm": ["source_id": "s", "state": ["Finished": state]]]
    guard case .finished(let read) = try HolderMachine.restored(from: json.text).machine.state else {
      throw NothingSent(action: .nothing)
    }
    #expect("\(read.status)".hasPrefix(name))
    #expect(read.offer == nil)
  }

  @Test func anErrorNamesAnUnusableState() throws {
    let text = try golden("holder-offered")
    for version in ["1.0", "3.0"] {
      #expect(throws: StateError.proprietary) {
        try HolderMachine.restored(from: text.replacing(#""version":"2.0""#, with: #""version":"\#(version)""#))
      }
    }
    #expect(throws: StateError.unsupportedVersion("4.0")) {
      try HolderMachine.restored(from: text.replacing(#""version":"2.0""#, with: #""version":"4.0""#))
    }
    for broken in [
      "", "[]", "{}", text.replacing("OfferReceived", with: "Received"), text.replacing("holder_sm", with: "sm"),
      text.replacing(#""thread":"#, with: #""other":"#), text.replacing(#""offer":"#, with: #""other":"#),
      text.replacing(#""source_id":"#, with: #""other":"#), text.replacing(#""@id":"#, with: #""id":"#),
    ] {
      #expect { try HolderMachine.restored(from: broken) } throws: { error in
        if case StateError.malformed = error { true } else { false }
      }
    }
    #expect(throws: StateError.self) { try ProverMachine.restored(from: text) }
  }

  @Test func aStoredMessageKeepsItsType() throws {
    var json = try JSON(parsing: golden("holder-offered"))
    let type: JSON = "issue-credential/1.0/offer-credential"
    json["data"]?["holder_sm"]?["state"]?["OfferReceived"]?["offer"]?["@type"] = type
    #expect(try HolderMachine.restored(from: json.text).machine.offer?.json["@type"] == type)
  }

  @Test func ofTwoStatesTheFirstCounts() throws {
    var json = try JSON(parsing: golden("holder-offered"))
    json["data"]?["holder_sm"]?["state"]?["Finished"] = [:]
    guard case .offered = try HolderMachine.restored(from: json.text).machine.state else {
      Issue.record("another state")
      return
    }
    json["data"]?["holder_sm"]?["state"] = [:]
    #expect(throws: StateError.self) { try HolderMachine.restored(from: json.text) }
  }

  /// The orders of RFC 0008 go on from the beginning.
  @Test func aStoredThreadWithoutOrdersGetsThem() throws {
    let text = try golden("holder-offered")
    var json = try JSON(parsing: text)
    let path = json["data"]?["holder_sm"]?["state"]?["OfferReceived"]?["thread"]
    let thid = try #require(path?["thid"])
    json["data"]?["holder_sm"]?["state"]?["OfferReceived"]?["thread"] = ["thid": thid]
    #expect(try HolderMachine.restored(from: json.text).machine.serialized(sourceID: "s1") == text)
  }

  /// Messages on such a thread could be sent, and the state after them not restored.
  @Test func aThreadWithoutIDOrWithALongOneIsRefused() throws {
    let text = try golden("holder-offered")
    let state = try #require(try JSON(parsing: text)["data"]?["holder_sm"]?["state"]?["OfferReceived"])
    let thid = try #require(state["thread"]?["thid"]?.string)
    for other in ["", String(repeating: "t", count: 257)] {
      let broken = text.replacing(#""thread":{"thid":"\#(thid)""#, with: #""thread":{"thid":"\#(other)""#)
      try #require(broken != text)
      #expect(throws: StateError.self) { try HolderMachine.restored(from: broken) }
    }
  }

  /// A service without one of its routing keys would be reached past its mediator.
  @Test func aServiceWithAMalformedRoutingKeyIsRefused() throws {
    let text = try golden("holder-requested-without-a-connection")
    let broken = text.replacing(#""routingKeys":["#, with: #""routingKeys":["no key","#)
    try #require(broken != text)
    #expect(throws: StateError.self) { try HolderMachine.restored(from: broken) }
  }
}
