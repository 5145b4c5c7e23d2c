import Aries
import DIDComm
import JSON
import TestSupport
import Testing

/// The facts that an exchange keeps for the time after its last message.
@Suite struct ExchangeEndTests {
  typealias Scene = ExchangeScene
  static let place = IssuerMachine.Place(registryID: "registry", index: 3, tailsFolder: "tails")

  private func receive(_ kind: String, _ machine: inout IssuerMachine) throws {
    let message = try #require(try IssuerMachineTests.messages("issue_2_0").first { $0.kind == kind }).json
    _ = try machine.receive(Message(message), from: Scene.sender)
  }

  /// The holder has the credential all the same.
  @Test(arguments: ["report", "failing ack"]) func aCredentialThatItsHolderRefusesCanBeRevoked(kind: String) throws {
    var machine = try IssuerMachineTests.machine("issued")
    try receive(kind, &machine)
    #expect(machine.delivery?.place == Self.place)
    #expect(machine.revoke(at: 7, notifying: nil, id: "n") == .nothing && machine.delivery?.revoked == 7)
  }

  /// The process that sent the credential has not stored the state after it, or the state after the request either.
  @Test(arguments: ["offered", "requested"]) func aCredentialThatWasSentBeforeHasItsPlace(state: String) throws {
    var machine = try IssuerMachineTests.machine(state)
    machine.noteIssued(at: Self.place)
    #expect(machine == (try IssuerMachineTests.machine("issued")))
    try receive("ack", &machine)
    #expect(machine == (try IssuerMachineTests.machine("accepted")))
  }

  @Test func anExchangeThatHasEndedKeepsItsEnd() throws {
    var machine = try IssuerMachineTests.machine("accepted")
    machine.noteIssued(at: nil)
    #expect(machine == (try IssuerMachineTests.machine("accepted")))
  }

  /// The request is answered, and its nonce serves once. The program may look at the other presentation.
  @Test(arguments: ["verified", "not verified"]) func anotherPresentationOfTheThreadIsLeft(state: String) throws {
    var machine = try VerifierMachineTests.machine(state)
    let other = try Message(VerifierMachineTests.presentation().with(["@id": "another"]))
    #expect(try machine.presentation(in: other, from: Scene.sender) == nil)
    #expect(try machine.receive(other, from: Scene.sender) == .leave)
  }

  /// The next answer arrives in the mailbox that the invitation named.
  @Test func theWayOfAReplyKeepsTheMailbox() throws {
    let service = Service(recipientKeys: [Scene.key(8)], endpoint: "http://a.example")
    let answer = try PresentProofMessage(
      .present, VerifierMachineTests.presentation().with(["~service": service.decorator]))
    guard case .connection(let reply)? = VerifierMachineTests.invitation.answering(answer) else {
      throw NothingSent(action: .nothing)
    }
    #expect(reply.own == Scene.own && reply.isConnectionless && !reply.isInvitation)
  }
}
