import AgencyWire
import Aries
import CloudAgent
import DIDComm
import HTTP
import JSON
import Sodium
import TestSupport
import Testing
import Threading

/// The client of an agency believes no answer but that of the agent it has asked.
@Suite struct ForgedAnswerTests {
  /// Every request of a client, with the name of its answer.
  enum Request: String, CaseIterable {
    case provision = "CONNECTED"
    case provisionWithToken = "AGENT_CREATED"
    case token = "send-token"
    case openMailbox = "KEY_CREATED"
    case closeMailbox = "CONN_STATUS_UPDATED"
    case messages = "MSGS"
    case messagesOfAll = "MSGS_BY_CONNS"
    case setComMethod = "COM_METHOD_UPDATED"
    case setStatus = "MSG_STATUS_UPDATED_BY_CONNS"
  }

  let agency: ScriptedAgency
  let channel: AgencyChannel
  let client: AgencyClient
  let owner = KeyPair()
  let agent: Party
  let mailbox: Mailbox
  let pairwise = KeyPair()
  let nextPairwise = KeyPair()

  init() throws {
    agency = try ScriptedAgency()
    let keys = AgencyClientTests.Keys([owner, pairwise, nextPairwise])
    channel = AgencyChannel(
      endpoint: agency.endpoint + "/", agency: agency.party, keys: keys, http: HTTPClient())
    agent = try channel.provision(owner: owner.verkey)
    // The client opens the mailbox that its directory is to hold.
    let none = Mailbox(key: pairwise.verkey, keeper: agent)
    let opening = AgencyClient(
      channel: channel, owner: owner.verkey, agent: agent, directory: AgencyClientTests.Directory(none))
    mailbox = try opening.openMailbox(for: pairwise.verkey)
    client = AgencyClient(
      channel: channel, owner: owner.verkey, agent: agent, directory: AgencyClientTests.Directory(mailbox))
  }

  func send(_ request: Request) throws {
    switch request {
    case .provision: _ = try channel.provision(owner: owner.verkey)
    case .provisionWithToken:
      let token = ProvisionToken(
        sponseeID: "a", sponsorID: "b", nonce: "c", timestamp: "d", signature: "e", sponsorVerKey: "f")
      _ = try channel.provision(owner: owner.verkey, token: SponsorToken(parsing: token.json.text))
    case .token: _ = try channel.token(for: "a", of: "b", reader: owner.verkey)
    case .openMailbox: _ = try client.openMailbox(for: nextPairwise.verkey)
    case .closeMailbox: try client.closeMailbox(mailbox)
    case .messages: _ = try client.messages(in: mailbox, MessageFilter())
    case .messagesOfAll: _ = try client.messages(of: [], MessageFilter())
    case .setComMethod: try client.setComMethod(ComMethod(id: "phone", kind: .push, value: "x"))
    case .setStatus: try client.setStatus(.reviewed, of: [])
    }
  }

  /// Sends the request to an agency that changes its answer.
  func send(_ request: Request, forging forgery: @escaping ScriptedAgency.Forgery) throws {
    agency.forge(forgery)
    try send(request)
  }

  static func isInvalid(_ error: any Error) -> Bool {
    if case .invalidAnswer? = error as? CloudAgentError { true } else { false }
  }

  static let wrongSender = CloudAgentError.invalidAnswer("it is not from the agent that was asked")

  // MARK: The sender

  @Test(arguments: Request.allCases) func anHonestAnswerIsTaken(request: Request) {
    #expect(throws: Never.self) { try send(request) }
  }

  @Test(arguments: Request.allCases) func anAnswerOfAnotherKeyIsRefused(request: Request) {
    #expect(throws: Self.wrongSender) { try send(request) { answer, _ in answer.sender = KeyPair() } }
  }

  @Test(arguments: Request.allCases) func anAnswerThatShowsNoKeyIsRefused(request: Request) {
    #expect(throws: Self.wrongSender) { try send(request) { answer, _ in answer.sender = nil } }
  }

  /// An agency hosts many agents: one must not answer for another, and neither does the agency for its agents.
  @Test(arguments: Request.allCases) func anAnswerOfAnotherPartyOfTheAgencyIsRefused(request: Request) {
    let (agency, agent) = (agency.keys, agency.pair(of: agent.verkey))
    #expect(throws: Self.wrongSender) {
      try send(request) { answer, _ in answer.sender = answer.sender?.verkey == agency.verkey ? agent : agency }
    }
  }

  @Test(arguments: Request.allCases) func anAnswerForSomebodyElseIsRefused(request: Request) {
    #expect(
      performing: { try send(request) { answer, _ in answer.recipient = KeyPair().verkey } }, throws: Self.isInvalid)
  }

  // MARK: mailboxes

  /// As Verity does: from the mailbox's new key to the pairwise key.
  @Test func theNewMailboxMayAnswerForItself() throws {
    let key = nextPairwise.verkey
    #expect(throws: Never.self) {
      try send(.openMailbox) { answer, _ in
        answer.sender = answer.mailbox
        answer.recipient = key
      }
    }
  }

  @Test func theNewMailboxAnswersThePairwiseKeyOnly() throws {
    #expect(throws: Self.wrongSender) {
      try send(.openMailbox) { answer, _ in answer.sender = answer.mailbox }
    }
  }

  @Test func nobodyElseAnswersThePairwiseKey() throws {
    let key = nextPairwise.verkey
    #expect(throws: Self.wrongSender) {
      try send(.openMailbox) { answer, _ in
        answer.sender = KeyPair()
        answer.recipient = key
      }
    }
  }

  /// Agencies may make another agent for each of the three requests.
  @Test func theLastAnswerNamesTheCloudAgent() throws {
    let key = KeyPair().verkey
    agency.forge { answer, request in
      guard request == "CREATE_AGENT" else { return }
      answer.message["withPairwiseDID"] = "DID"
      answer.message["withPairwiseDIDVerKey"] = .string(key.text)
    }
    #expect(try channel.provision(owner: owner.verkey) == Party(did: "DID", verkey: key))
  }

  // MARK: which answer

  @Test(arguments: Request.allCases) func anAnswerOfAnotherKindIsRefused(request: Request) {
    for type in ["did:sov:123456789abcdefghi1234;spec/pairwise/0.6/OTHER", request.rawValue, "x" + request.rawValue] {
      #expect(throws: CloudAgentError.invalidAnswer("it is no \(request.rawValue)")) {
        try send(request) { answer, _ in answer.message["@type"] = .string(type) }
      }
    }
  }

  @Test(arguments: Request.allCases) func anAnswerWithoutItsMembersIsRefused(request: Request) {
    #expect(
      performing: { try send(request) { answer, _ in answer.message = ["@type": answer.message["@type"] ?? .null] } },
      throws: Self.isInvalid)
  }

  @Test(arguments: Request.allCases) func anAnswerThatIsNoObjectIsRefused(request: Request) {
    #expect(performing: { try send(request) { answer, _ in answer.message = [] } }, throws: Self.isInvalid)
  }

  @Test(arguments: Request.allCases) func anAnswerWithAnotherStatusIsARefusal(request: Request) {
    #expect(throws: CloudAgentError.refused(status: 300, nil)) {
      try send(request) { answer, _ in answer.status = 300 }
    }
  }

  @Test func anAnswerAboutAnotherComMethodIsRefused() {
    #expect(throws: CloudAgentError.invalidAnswer("it is about another com method")) {
      try send(.setComMethod) { answer, _ in answer.message["id"] = "tablet" }
    }
  }

  @Test func anAgentOfAnotherRequestIsRefused() {
    #expect(throws: CloudAgentError.invalidAnswer("it belongs to another request")) {
      try send(.provisionWithToken) { answer, _ in answer.message["~thread"] = ["thid": "another"] }
    }
  }

  @Test func anAgencyMayOmitTheThread() {
    #expect(throws: Never.self) { try send(.provisionWithToken) { answer, _ in answer.message["~thread"] = nil } }
  }

  /// Only an agency that says where its answers end is known to list messages as they came.
  @Test(arguments: [(nil, false), (.null, true)] as [(JSON?, Bool)])
  func aListIsInOrderIfTheAgencySaysWhereItEnds(next: JSON?, isInOrder: Bool) throws {
    agency.forge { answer, _ in answer.message["next"] = next }
    #expect(try client.list(mailbox, [], after: nil) == MessageList(uids: [], isInOrder: isInOrder))
  }

  @Test func aListGoesOnToItsEnd() throws {
    let pages = Locked(0)
    agency.forge { answer, _ in
      let page = pages.withLock { page in
        page += 1
        return page
      }
      answer.message["msgs"] = [["uid": .string("\(page)"), "statusCode": "MS-103"]]
      answer.message["next"] = page < 3 ? .string("\(page)") : .null
    }
    #expect(try client.list(mailbox, [], after: nil) == MessageList(uids: ["1", "2", "3"], isInOrder: true))
  }

  @Test func aListNeedsNoPayloads() throws {
    _ = try client.list(mailbox, [.received], after: "uid-1")
    let request = try #require(agency.received.last)
    #expect(request["excludePayload"] == "Y" && request["statusCodes"] == ["MS-103"] && request["afterUid"] == "uid-1")
    _ = try client.messages(in: mailbox, MessageFilter(uids: ["uid-2"]))
    let other = try #require(agency.received.last)
    #expect(other["excludePayload"] == nil && other["afterUid"] == nil && other["uids"] == ["uid-2"])
  }

  @Test func theOwnersOwnMessagesAreSelected() throws {
    _ = try client.ownMessages(MessageFilter(uids: ["uid-1"], statuses: [.received]))
    let request = try #require(agency.received.last)
    #expect(request["uids"] == ["uid-1"] && request["statusCodes"] == ["MS-103"])
  }

  // MARK: problem reports

  static func report(_ text: JSON) -> JSON {
    ["@type": "did:sov:123456789abcdefghi1234;spec/agent-provisioning/0.7/problem-report", "msg": text]
  }

  @Test(arguments: Request.allCases) func theReportOfTheAgentIsToldInItsWords(request: Request) {
    #expect(throws: CloudAgentError.declined("no")) {
      try send(request) { answer, _ in answer.message = Self.report("no") }
    }
  }

  @Test(arguments: Request.allCases) func theReportOfAStrangerIsNotTold(request: Request) {
    for stranger in [KeyPair(), nil] {
      #expect(
        performing: {
          try send(request) { answer, _ in
            answer.message = Self.report("no")
            answer.sender = stranger
          }
        }, throws: Self.isInvalid)
    }
  }

  @Test func aLongReportIsCutAndAnUnreadableOneIsEmpty() {
    for (text, told) in [(.string(String(repeating: "x", count: 300)), String(repeating: "x", count: 256)), (1, "")]
      as [(JSON, String)]
    {
      #expect(throws: CloudAgentError.declined(told)) {
        try send(.token) { answer, _ in answer.message = Self.report(text) }
      }
    }
  }

  // MARK: keys

  @Test func nothingIsSentFromAKeyThatIsMissing() {
    let sent = agency.requests.count
    let stranger = KeyPair().verkey
    #expect(throws: CloudAgentError.missingKey(stranger)) { try channel.provision(owner: stranger) }
    let foreign = Mailbox(key: stranger, name: mailbox.name)
    #expect(throws: CloudAgentError.missingKey(stranger)) { try client.messages(in: foreign, MessageFilter()) }
    #expect(agency.requests.count == sent)
  }
}
