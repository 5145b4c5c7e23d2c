import AgencyWire
import DIDComm
import JSON
import Logging
import Sodium

@testable import AgencyServer
@testable import HTTPServing

extension FuzzTarget {
  /// Requests to an agency, from its desk down to its store.
  static let requests = FuzzTarget("requests") { input in
    guard let (way, text) = input.choice else { return }
    let client = try agencyClient.get()
    let rest = client.named(in: text)
    let json = try? JSON(parsing: rest)
    switch (way % 7, json) {
    case (0, let json?): client.send(json, to: client.agency.party, from: client.owner)
    case (1, let json?): client.send(json, to: client.agent, from: client.owner)
    case (2, let json?): client.send(json, to: client.mailbox, from: client.pairwise)
    case (3, let json?): client.send(json, to: client.mailbox, from: client.owner)
    case (4, _): try client.post(Envelope.pack(rest, for: [client.agency.party.verkey]))
    case (5, _): client.get(String(decoding: rest, as: UTF8.self))
    default: client.post(rest)
    }
  }

  private static let agencyClient = Result { try AgencyClient() }
}

/// An agency without a socket, with one agent and one mailbox, and their owner.
private struct AgencyClient {
  let agency: Agency
  let owner: KeyPair
  let pairwise: KeyPair
  private(set) var agent: Party
  private(set) var mailbox: Party
  private let desk: Routes

  init() throws {
    let storage = try StorageLocation(database: nil, dataFolder: Material.folder()).open { 1_700_000_000 }
    var rules = Agency.Rules()
    rules.trustedProxy = "127.0.0.1"
    let masterKey = MasterKey(SecretBytes(copying: [UInt8](repeating: 5, count: 32)))
    agency = try Agency(storage: storage, masterKey: masterKey, rules: rules, clock: { 1_700_000_000 })
    desk = Routes(agency, log: LogChannel())
    (owner, pairwise) = (try Material.own.get(), try Material.peer.get())
    (agent, mailbox) = (agency.party, agency.party)
    let (did, key) = (owner.verkey.did.text, owner.verkey.text)
    let connected: Connected = try ask(Connect(fromDID: did, fromDIDVerKey: key), of: agency.party)
    let _: SignedUp = try ask(SignUp(), of: connected.agent)
    let created: AgentCreated = try ask(CreateAgent(), of: connected.agent)
    agent = created.agent
    let forKey = CreateKey(forDID: pairwise.verkey.did.text, forDIDVerKey: pairwise.verkey.text)
    let opened: KeyCreated = try ask(forKey, of: agent)
    mailbox = opened.agent
  }

  /// The input with the DIDs of this run, whose keys are new ones, where it has `@MAILBOX`, `@AGENT` and `@AGENCY`.
  func named(in input: [UInt8]) -> [UInt8] {
    guard let text = String(validating: input, as: UTF8.self) else { return input }
    let named = text.replacing("@MAILBOX", with: mailbox.did).replacing("@AGENT", with: agent.did)
    return Array(named.replacing("@AGENCY", with: agency.party.did).utf8)
  }

  private func ask<Answer: AgencyMessage>(_ message: some AgencyMessage, of party: Party) throws -> Answer {
    let json = message.json(type: WireType.of(type(of: message).name))
    let answer = try Envelope(
      parsing: post(Wrapping(json, from: owner, to: party).carried(by: agency.party).bytes).body)
    return try Answer(JSON(parsing: answer.open(with: owner).message).requireObject())
  }

  func send(_ json: JSON, to party: Party, from sender: KeyPair) {
    guard let wrapping = try? Wrapping(json, from: sender, to: party).carried(by: agency.party) else { return }
    post(wrapping.bytes)
  }

  @discardableResult
  func post(_ body: [UInt8]) -> HTTPServer.Response { serve("POST", "/agency/msg", body: body) }

  /// Asks with the lines of `text`: path, name and value of the query, address that a proxy tells.
  func get(_ text: String) {
    let lines = text.split(separator: "\n", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
    let line = { (index: Int) in index < lines.count ? lines[index] : "" }
    serve("GET", lines.count > 1 ? "\(line(0))?\(line(1))=\(line(2))" : line(0), proxied: line(3))
  }

  @discardableResult
  private func serve(
    _ method: String, _ target: String, proxied: String = "127.0.0.1", body: [UInt8] = []
  ) -> HTTPServer.Response {
    desk.serve(
      HTTPServer.Request(
        method: method, target: target, headers: [(name: "X-Forwarded-For", value: proxied)], body: body,
        client: "127.0.0.1"))
  }
}
