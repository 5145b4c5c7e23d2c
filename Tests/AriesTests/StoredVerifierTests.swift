import Aries
import JSON
import TestSupport
import Testing

/// The states of a verifier as JSON, with a golden text for each.
@Suite struct StoredVerifierTests {
  static let stored = [
    "initiated", "prepared", "bound", "sent", "proposal", "proposed", "verified", "not verified", "rejected",
  ]

  @Test(arguments: stored) func everyStateIsReadAndWritten(name: String) throws {
    let machine = try VerifierMachineTests.machine(name)
    let path = "exchanges/verifier-\(name.replacing(" ", with: "-")).json"
    let golden = try Fixtures.json(path).text
    #expect(machine.serialized(sourceID: "s1") == golden)
    let restored = try VerifierMachine.restored(from: golden)
    #expect(restored.machine == machine)
    #expect(restored.sourceID == "s1")
  }

  @Test func anInvitationIsRestored() throws {
    var machine = try VerifierMachineTests.machine("prepared")
    machine.bind(to: VerifierMachineTests.invitation)
    #expect(try VerifierMachine.restored(from: machine.serialized(sourceID: "s")).machine == machine)
  }

  @Test func theStatesOfEvernymsLibraryGoOn() throws {
    let states = try Fixtures.json("exchanges/evernym-verifier.json").requireObject()
    #expect(states.count == 8)
    for (name, json) in states.members {
      let (_, machine, _) = try VerifierMachine.restored(from: json.text)
      let written = try JSON(parsing: machine.serialized(sourceID: "verifier-1"))
      let key = try #require(json["data"]?["verifier_sm"]?["state"]?.object?.keys.first)
      #expect(written["data"]?["verifier_sm"]?["state"]?.object?.keys == [key], "\(name)")
      if key == "Initiated" { #expect(written == json) }
    }
  }

  @Test func theNullsOfAStoredRequestAreNotSent() throws {
    let json = try Fixtures.json("exchanges/evernym-verifier.json")["1 Initiated"] ?? .null
    var (_, machine, _) = try VerifierMachine.restored(from: json.text)
    let sent = try #require(machine.send(id: "q", inVersion: 2, .indy, over: ExchangeScene.connection).sent).message
    #expect(try !PresentProofMessage(.request, sent).content().text.contains("null"))
  }
}
