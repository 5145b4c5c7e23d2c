import JSON
import MSDK

@testable import Aries
@testable import DIDComm

extension FuzzTarget {
  /// Offers and requests of credentials and proofs, the message after them, and states that are restored.
  static let exchanges = FuzzTarget("exchanges") { input in
    guard let json = try? JSON(parsing: input) else { return }
    let text = String(decoding: input, as: UTF8.self)
    if let offer = try? CredentialOffer(json) {
      _ = offer.summary
      _ = try? offer.check(against: json, schema: [])
      _ = try? offer.check(credential: json)
    }
    _ = try? PresentationRequest(json).summary
    _ = try? PresentationPreview(json).request(name: nil)
    if let machine = try? HolderMachine(offer: json) { try checkReceiving(json, by: machine) }
    if let machine = try? IssuerMachine(proposal: json) { try checkReceiving(json, by: machine) }
    if let proposal = try? CredentialProposal(parsing: text) { try checkProposing(proposal, then: json) }
    if let machine = try? ProverMachine(request: json) { try checkReceiving(json, by: machine) }
    if let machine = try? VerifierMachine(proposal: json) { try checkReceiving(json, by: machine) }
    if let restored = try? VerifierMachine.restored(from: text) { try checkReceiving(json, by: restored.machine) }
    if let restored = try? IssuerMachine.restored(from: text) { try checkReceiving(json, by: restored.machine) }
    if let restored = try? HolderMachine.restored(from: text) { try checkReceiving(json, by: restored.machine) }
    if let restored = try? ProverMachine.restored(from: text) { try checkReceiving(json, by: restored.machine) }
  }

  private static func checkProposing(_ proposal: CredentialProposal, then json: JSON) throws {
    var machine = HolderMachine(proposing: proposal, comment: nil, in: .undecided, id: "p")
    try checkStoring(machine)
    guard (try? machine.propose(inVersion: 2, .anonCreds, over: route())) != nil else { return }
    try checkStoring(machine)
    if let message = try? Message(json) {
      _ = try? machine.receive(message, from: .envelope(Material.peer.get().verkey), id: "r")
    }
    try checkStoring(machine)
  }

  private static func checkReceiving(_ json: JSON, by machine: HolderMachine) throws {
    try checkStoring(machine)
    let route = try route()
    var next = machine
    guard (try? next.request("{}", metadata: "", definition: "", id: "r", over: route)) != nil else { return }
    try checkStoring(next)
    guard let message = try? Message(json) else { return }
    if let credential = try? next.credential(in: message, from: .envelope(Material.peer.get().verkey)) {
      _ = try? credential.content()
      _ = next.accept(credential, storedAs: "c", ackID: "a")
    } else {
      _ = try? next.receive(message, from: .envelope(Material.peer.get().verkey), id: "r")
    }
    try checkStoring(next)
  }

  private static func checkReceiving(_ json: JSON, by machine: IssuerMachine) throws {
    try checkStoring(machine)
    var next = machine
    if let message = machine.proposal { _ = try? CredentialProposal(message).summary(of: message) }
    if let message = try? Message(json) { _ = try? next.receive(message, from: .envelope(Material.peer.get().verkey)) }
    try checkStoring(next)
  }

  private static func checkReceiving(_ json: JSON, by machine: ProverMachine) throws {
    try checkStoring(machine)
    var next = machine
    try? next.prepare("{}", id: "p")
    _ = next.send(over: try route())
    try checkStoring(next)
    guard let message = try? Message(json) else { return }
    _ = try? next.receive(message, from: .envelope(Material.peer.get().verkey), id: "r")
    try checkStoring(next)
  }

  private static func checkReceiving(_ json: JSON, by machine: VerifierMachine) throws {
    try checkStoring(machine)
    var next = machine
    _ = next.send(id: "q", inVersion: 2, .indy, over: try route())
    try checkStoring(next)
    guard let message = try? Message(json) else { return }
    if let presentation = try? next.presentation(in: message, from: .envelope(Material.peer.get().verkey)) {
      _ = next.conclude(presentation, Assessment(reasons: []), id: "a")
    } else {
      _ = try? next.receive(message, from: .envelope(Material.peer.get().verkey))
    }
    try checkStoring(next)
  }

  /// A state that was serialized is restored as it was.
  private static func checkStoring<Machine: StoredExchange & Equatable>(_ machine: Machine) throws {
    let restored = try? Machine.restored(from: machine.serialized(sourceID: "s"))
    try expect(restored?.machine == machine, "a state of an exchange is restored otherwise")
  }

  private static func route() throws -> Route {
    let service = Service(recipientKeys: [try Material.peer.get().verkey], endpoint: "http://127.0.0.1:1/")
    let peer = Peer(document: DIDDocument(id: "peer", key: service.recipientKeys[0], service: service))
    let key = try Material.own.get().verkey
    return .connection(ExchangeConnection(own: Pairwise(key: key), peer: peer))
  }
}
