import Aries
import JSON
import Testing

/// The facts of an exchange in each of its states, a letter for each fact that is there.
@Suite struct ExchangeFactTests {
  private func letters(_ facts: [(String, Bool)]) -> String { facts.filter(\.1).map(\.0).joined() }

  /// An offer, the way of the next message.
  @Test(arguments: [
    ("proposing", ""), ("proposed", "w"), ("proposed instead", "w"), ("offered again", "ow"),
    ("offered", "o"), ("requested", "ow"), ("requested without a connection", "ow"), ("finished", "o"),
    ("rejected", "o"), ("failed", "o"),
  ])
  func aHolderHasTheFactsOfItsState(state: String, facts: String) throws {
    let machine = try HolderMachineTests.machine(state)
    #expect(letters([("o", machine.offer != nil), ("w", machine.route != nil)]) == facts)
    #expect(machine.thread.thid == HolderMachineTests.thread)
  }

  /// An offer, the way of the next message, the delivered credential.
  @Test(arguments: [
    ("proposed", "w"), ("planned again", ""), ("offered again", "ow"),
    ("planned", ""), ("prepared", "o"), ("offered", "ow"), ("offered without a connection", "ow"),
    ("requested", "ow"), ("issued", "owd"), ("accepted", "od"), ("revoked", "od"), ("declined", "o"), ("failed", "o"),
  ])
  func anIssuerHasTheFactsOfItsState(state: String, facts: String) throws {
    let machine = try IssuerMachineTests.machine(state)
    let found = [("o", machine.offer != nil), ("w", machine.route != nil), ("d", machine.delivery != nil)]
    #expect(letters(found) == facts)
    #expect(machine.thread.thid == IssuerMachineTests.thread)
  }

  /// A request, a presentation, a report, the way of the next message.
  @Test(arguments: [
    ("proposing", ""), ("proposed", "w"), ("proposed instead", "w"), ("requested", "q"), ("prepared", "qp"),
    ("unprepared", "qr"), ("sent", "qpw"), ("sent without a connection", "qpw"), ("finished", "qp"),
    ("rejected", "qr"),
  ])
  func aProverHasTheFactsOfItsState(state: String, facts: String) throws {
    let machine = try ProverMachineTests.machine(state)
    let found = [
      ("q", machine.request != nil), ("p", machine.presentation != nil), ("r", machine.report != nil),
      ("w", machine.route != nil),
    ]
    #expect(letters(found) == facts)
    #expect(
      machine.thread.thid == (["proposing", "proposed"].contains(state) ? "proposal-1" : ProverMachineTests.thread))
  }

  /// A request, a presentation, a report, the way of the next message.
  @Test(arguments: [
    ("initiated", ""), ("prepared", "q"), ("bound", "qw"), ("sent", "qw"), ("proposal", ""), ("proposed", "w"),
    ("verified", "qp"), ("not verified", "qpr"), ("rejected", "qr"),
  ])
  func aVerifierHasTheFactsOfItsState(state: String, facts: String) throws {
    let machine = try VerifierMachineTests.machine(state)
    let found = [
      ("q", machine.request != nil), ("p", machine.presentation != nil), ("r", machine.report != nil),
      ("w", machine.route != nil),
    ]
    #expect(letters(found) == facts)
  }
}
