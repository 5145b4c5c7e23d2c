import DIDComm
import JSON
import TestSupport
import Testing

@testable import Aries

/// An issuer takes its offer back, a verifier its request, and a prover its proposal.
@Suite struct WithdrawalTests {
  typealias Scene = ExchangeScene

  @Test(arguments: ["offered", "requested"]) func anIssuerWithdrawsItsOffer(state: String) throws {
    var machine = try IssuerMachineTests.machine(state)
    let report = try #require(try machine.decline(because: "too late", id: "r", over: Scene.connection).sent).message
    #expect(report["description"] == ["code": "issuance-abandoned", "en": "credential-offer was withdrawn."])
    #expect(report["comment"] == "too late")
    #expect(report["~thread"]?["thid"]?.string == IssuerMachineTests.thread)
    guard case .finished(let finished) = machine.state, case .rejected = finished.status else {
      throw Unexpected(machine: machine)
    }
    #expect(finished.status.report?.json == report)
  }

  @Test(arguments: ["planned", "issued", "accepted", "declined"])
  func anIssuerWithdrawsNothingElse(state: String) throws {
    var machine = try IssuerMachineTests.machine(state)
    #expect(throws: ProtocolError.outOfTurn) {
      try machine.decline(because: nil, id: "r", over: Scene.connection)
    }
    #expect(try machine == IssuerMachineTests.machine(state))
  }

  @Test func aHolderWhoHasAskedLearnsOfTheWithdrawal() throws {
    var (issuer, holder) = (try IssuerMachineTests.machine("requested"), try HolderMachineTests.machine("requested"))
    let report = try #require(try issuer.decline(because: nil, id: "r", over: Scene.connection).sent).message
    #expect(try holder.receive(Message(report), from: Scene.sender, id: "x") == .nothing)
    guard case .finished(let finished) = holder.state, case .failed = finished.status else {
      throw Unexpected(machine: holder)
    }
  }

  @Test(arguments: [1, 2]) func aVerifierWithdrawsItsRequest(major: Int) throws {
    var machine = try VerifierMachineTests.machine("sent", major)
    let request = machine.request
    let report = try #require(try machine.decline(because: "too late", id: "r", over: Scene.connection).sent).message
    #expect(report["description"] == ["code": "abandoned", "en": "Presentation Request was withdrawn"])
    #expect(report["~thread"]?["thid"] == "request-1" && report["@type"]?.string?.contains("/\(major).0/") == true)
    #expect(machine.report?.json == report && machine.request == request)
    // A presentation that crosses the report is not judged.
    #expect(try machine.presentation(in: Message(VerifierMachineTests.presentation(major)), from: Scene.sender) == nil)
    #expect(throws: ProtocolError.outOfTurn) {
      try machine.decline(because: nil, id: "r", over: Scene.connection)
    }
  }

  @Test(arguments: ["proposed", "proposed instead"]) func aProverWithdrawsItsProposal(state: String) throws {
    var machine = try ProverMachineTests.machine(state)
    let thread = machine.thread.thid
    let report = try #require(try machine.decline(because: nil, id: "r", over: Scene.connection).sent).message
    #expect(report["description"] == ["code": "rejection", "en": "Presentation proposal was withdrawn"])
    #expect(report["~thread"]?["thid"]?.string == thread && machine.report?.json == report)
    guard case .finished(let finished) = machine.state, case .rejected = finished.status else {
      throw Unexpected(machine: machine)
    }
  }
}
