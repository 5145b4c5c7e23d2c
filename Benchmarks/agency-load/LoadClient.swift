import AgencyWire
import DIDComm
import HTTP
import JSON
import Sodium

/// A user of the agency under load: an account with one mailbox.
struct LoadClient: Sendable {
  struct Failure: Error { let status: Int }

  let endpoint: String
  let agency: Party
  let http: HTTPClient
  let keys: KeyPair
  let pairwise: KeyPair
  private(set) var agent: Party
  private(set) var mailbox: Party

  /// An account that is in the store.
  init(endpoint: String, agency: Party, http: HTTPClient, account: Filling.AccountSummary) {
    self.endpoint = endpoint
    self.agency = agency
    self.http = http
    keys = account.keys
    pairwise = account.pairwise
    agent = account.agent.party
    mailbox = account.mailbox.party
  }

  /// Provisions, and makes the mailbox: four requests.
  init(endpoint: String, agency: Party, http: HTTPClient) throws {
    self.endpoint = endpoint
    self.agency = agency
    self.http = http
    keys = KeyPair()
    pairwise = KeyPair()
    agent = agency
    mailbox = agency
    let connect = Connect(fromDID: keys.verkey.did.text, fromDIDVerKey: keys.verkey.text)
    let connected: Connected = try ask(connect, of: agency)
    let _: SignedUp = try ask(SignUp(), of: connected.agent)
    let created: AgentCreated = try ask(CreateAgent(), of: connected.agent)
    agent = created.agent
    let create = CreateKey(forDID: pairwise.verkey.did.text, forDIDVerKey: pairwise.verkey.text)
    let mailboxCreated: KeyCreated = try ask(create, of: agent)
    mailbox = mailboxCreated.agent
  }

  private func ask<Answer: AgencyMessage>(_ message: some AgencyMessage, of party: Party) throws -> Answer {
    let json = message.json(type: WireType.of(type(of: message).name))
    let answer = try post(Wrapping(json, from: keys, to: party).carried(by: agency).bytes)
    let opened = try Envelope(parsing: answer).open(with: keys)
    return try Answer(JSON(parsing: opened.message).requireObject())
  }

  /// The body of a request that waits for a message.
  func waitingRequest() throws -> [UInt8] {
    let request = GetMessagesByConnections(filter: WireMessageFilter(statusCodes: ["MS-101"], wait: 600))
    return try Wrapping(request.json(type: GetMessagesByConnections.type), from: keys, to: agent).carried(by: agency)
      .bytes
  }

  private func post(_ body: [UInt8]) throws -> [UInt8] {
    let response = try http.post(body, to: endpoint + "/agency/msg", contentType: "application/ssi-agent-wire")
    guard response.isSuccess else { throw Failure(status: response.status) }
    return response.body
  }

  /// The service for messages of outside agents.
  var service: Service {
    Service(
      recipientKeys: [pairwise.verkey], routingKeys: [mailbox.verkey, agency.verkey],
      endpoint: endpoint + "/agency/msg")
  }

  /// Fetches the unread messages and marks them read: two requests. Returns the number of messages.
  func fetch() throws -> Int {
    let filter = WireMessageFilter(statusCodes: ["MS-103"])
    let answer: MessagesByConnections = try ask(GetMessagesByConnections(filter: filter), of: agent)
    let uids = answer.connections.map { connection in
      WireConnectionUIDs(pairwiseDID: connection.pairwiseDID, uids: connection.messages.map(\.uid))
    }.filter { !$0.uids.isEmpty }
    guard !uids.isEmpty else { return 0 }
    let _: MessageStatusUpdated = try ask(UpdateMessageStatus(statusCode: "MS-106", connections: uids), of: agent)
    return uids.reduce(0) { $0 + $1.uids.count }
  }
}
