import Aries
import JSON
import TestSupport
import Testing

/// The states of an issuer as JSON, with a golden text for each.
@Suite struct StoredIssuerTests {
  @Test func aStateOfEvernymsLibraryGoesOn() throws {
    let states = try Fixtures.json("issuer/issuer_states.json").requireObject().object("states")
    let numbers = ["planned": "1", "offered": "2", "requested": "3", "issued": "4"]
    for (name, json) in states.members {
      let (sourceID, machine, _) = try IssuerMachine.restored(from: json.text)
      #expect(sourceID == "issuer-1")
      let again = try IssuerMachine.restored(from: machine.serialized(sourceID: "issuer-1")).machine
      #expect(again == machine, "\(name)")
      if let number = numbers[IssuerMachineTests.name(of: machine)] { #expect(name.hasPrefix(number), "\(name)") }
      if name.contains("msdk members") {
        let place = IssuerMachine.Place(
          registryID:
            "V4SGRU86Z58d6TV7PBUe6f:4:V4SGRU86Z58d6TV7PBUe6f:3:CL:12:tag1:CL_ACCUM:tag1", index: 1,
          tailsFolder: "tails")
        #expect(machine.delivery?.place == place)
      }
    }
  }

  static let states = [
    "planned", "prepared", "offered", "offered without a connection", "requested", "issued", "accepted", "revoked",
    "declined", "failed", "proposed", "planned again", "offered again",
  ]

  @Test(arguments: states) func everyStateIsReadAndWritten(name: String) throws {
    let golden = try Fixtures.json("exchanges/issuer-\(name.replacing(" ", with: "-")).json").text
    let machine = try IssuerMachineTests.machine(name)
    #expect(machine.serialized(sourceID: "s1") == golden)
    #expect(try IssuerMachine.restored(from: golden).machine == machine)
  }

  @Test func aStoredStateWithoutItsThreadGetsTheSameOneEachTime() throws {
    let states = try Fixtures.json("issuer/issuer_states.json").requireObject().object("states")
    let text = try #require(states["1 Initial"]).text
    #expect(try IssuerMachine.restored(from: text).machine == IssuerMachine.restored(from: text).machine)
  }
}
