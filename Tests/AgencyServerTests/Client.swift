import AgencyServer
import AgencyWire
import DIDComm
import HTTP
import HTTPServing
import JSON
import Sodium

/// A client of an agency as the tests need it: it speaks the protocol, and can be made to speak it wrongly.
struct Client {
  let endpoint: String
  let agency: Party
  let keys: KeyPair
  let http = HTTPClient(timeout: 20)
  /// The type of the message with a name.
  var type: @Sendable (String) -> String = { WireType.of($0) }

  /// Held so that it runs as long as there is a client.
  private var server: AgencyServer?

  init(_ server: AgencyServer, keys: KeyPair = KeyPair()) {
    self.init(endpoint: server.endpoint, agency: server.identity, keys: keys)
    self.server = server
  }

  init(endpoint: String, agency: Party, keys: KeyPair = KeyPair()) {
    self.endpoint = endpoint
    self.agency = agency
    self.keys = keys
  }

  var did: String { keys.verkey.did.text }

  /// The port that the agency listens on.
  var port: UInt16 { UInt16(endpoint.split(separator: ":").last ?? "") ?? 0 }

  /// The body of each answer to a request that is not permitted.
  static let notFound = Array(#"{"statusCode":"GNR-113","statusMsg":"not found"}"#.utf8)

  // MARK: - Requests

  func post(_ body: [UInt8]) throws -> HTTPClient.Response {
    try http.post(body, to: endpoint + "/agency/msg", contentType: "application/ssi-agent-wire")
  }

  func request(_ message: some AgencyMessage) -> JSON {
    message.json(type: type(Swift.type(of: message).name))
  }

  /// A request in two layers: for the agency itself, or for an agent.
  func send(_ message: JSON, to party: Party, from sender: KeyPair? = nil) throws -> HTTPClient.Response {
    try post(Wrapping(message, from: sender ?? keys, to: party).carried(by: agency).bytes)
  }

  /// A request in three layers: for a mailbox, through its agent.
  func send(
    _ message: JSON, to mailbox: Party, of pairwise: KeyPair, through agent: Party, from sender: KeyPair? = nil
  ) throws -> HTTPClient.Response {
    let wrapping = try Wrapping(message, from: pairwise, to: mailbox)
    return try post(wrapping.carried(by: agent, from: sender ?? keys).carried(by: agency).bytes)
  }

  /// The content of an answer, which must come from `party` and be for this client.
  func open(_ response: HTTPClient.Response, from party: Party) throws -> JSON {
    guard response.status == 200 else { throw Unexpected(status: response.status, body: response.body) }
    let opened = try Envelope(parsing: response.body).open(with: keys)
    guard opened.sender == party.verkey else { throw WrongSender() }
    return try JSON(parsing: opened.message)
  }

  func ask<Answer: AgencyMessage>(_ message: some AgencyMessage, of party: Party) throws -> Answer {
    let json = try open(send(request(message), to: party), from: party)
    return try Answer(json.requireObject())
  }

  func ask<Answer: AgencyMessage>(
    _ message: some AgencyMessage, of mailbox: Mailbox, through agent: Party
  ) throws -> Answer {
    let response = try send(request(message), to: mailbox.party, of: mailbox.keys, through: agent)
    return try Answer(open(response, from: mailbox.party).requireObject())
  }

  struct Unexpected: Error {
    let status: Int
    let body: [UInt8]
  }

  struct WrongSender: Error {}

  // MARK: - The usual course

  /// The three requests of provisioning.
  func provision() throws -> Party {
    let connected: Connected = try ask(Connect(fromDID: did, fromDIDVerKey: keys.verkey.text), of: agency)
    let _: SignedUp = try ask(SignUp(), of: connected.agent)
    let created: AgentCreated = try ask(CreateAgent(), of: connected.agent)
    return created.agent
  }

  /// The request with a token that "sponsor" has signed for "user" at 2024-05-17T09:30:00Z.
  func sponsored(by sponsor: KeyPair) throws -> Party {
    let (nonce, timestamp) = (String.randomUUID(), "2024-05-17T09:30:00Z")
    let signature = sponsor.sign(Array((nonce + timestamp + "user" + "sponsor").utf8))
    let token = ProvisionToken(
      sponseeID: "user", sponsorID: "sponsor", nonce: nonce, timestamp: timestamp,
      signature: Base64.encode(signature, .standard), sponsorVerKey: sponsor.verkey.text)
    let request = CreateSponsoredAgent(token: token, fromDID: did, fromVerKey: keys.verkey.text, thread: "t")
    let response = try send(request.json(type: CreateSponsoredAgent.type), to: agency)
    return try SponsoredAgentCreated(open(response, from: agency).requireObject()).agent
  }

  struct Mailbox {
    let party: Party
    /// The user's side.
    let keys: KeyPair

    var forDID: String { keys.verkey.did.text }
  }

  func createMailbox(_ agent: Party, keys: KeyPair = KeyPair()) throws -> Mailbox {
    let request = CreateKey(forDID: keys.verkey.did.text, forDIDVerKey: keys.verkey.text)
    let created: KeyCreated = try ask(request, of: agent)
    return Mailbox(party: created.agent, keys: keys)
  }

  /// The post of an outside agent that puts `text` into the mailbox.
  func forward(_ text: String, to mailbox: Mailbox, hint: MessageHint = MessageHint()) throws -> [UInt8] {
    let service = Service(
      recipientKeys: [mailbox.keys.verkey], routingKeys: [mailbox.party.verkey, agency.verkey], endpoint: endpoint)
    return try service.pack(Array(text.utf8), from: nil, hint: hint)
  }

  func texts(_ messages: [WireMessage], _ mailbox: Mailbox) throws -> [String] {
    try messages.map { message in
      let envelope = try Envelope(message.envelope ?? .null)
      return String(decoding: try envelope.open(with: mailbox.keys).message, as: UTF8.self)
    }
  }

  func messages(_ agent: Party, dids: [String] = [], _ filter: WireMessageFilter = WireMessageFilter()) throws
    -> [WireConnectionMessages]
  {
    let answer: MessagesByConnections = try ask(
      GetMessagesByConnections(pairwiseDIDs: dids, filter: filter), of: agent)
    return answer.connections
  }

  /// The texts of all that is unread: fetches and marks as read until nothing is left, for an answer holds a part of a
  /// full mailbox.
  func fetchAll(_ agent: Party, _ mailbox: Mailbox) throws -> [String] {
    var texts: [String] = []
    while true {
      let messages = try self.messages(agent, WireMessageFilter(statusCodes: ["MS-103"])).flatMap(\.messages)
      guard !messages.isEmpty else { return texts }
      texts += try self.texts(messages, mailbox)
      let read = WireConnectionUIDs(pairwiseDID: mailbox.forDID, uids: messages.map(\.uid))
      let _: MessageStatusUpdated = try ask(UpdateMessageStatus(statusCode: "MS-106", connections: [read]), of: agent)
    }
  }
}
