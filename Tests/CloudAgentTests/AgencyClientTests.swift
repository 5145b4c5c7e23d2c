import AgencyWire
import Aries
import CloudAgent
import DIDComm
import HTTP
import HTTPServing
import JSON
import Sodium
import Testing
import Threading

/// How the client of an agency takes answers that no well-behaved agency gives. The other answers are tested against a
/// real agency, with the SDK.
@Suite struct AgencyClientTests {
  struct Keys: KeyRing {
    let pairs: [VerKey: KeyPair]
    init(_ pairs: [KeyPair]) { self.pairs = Dictionary(uniqueKeysWithValues: pairs.map { ($0.verkey, $0) }) }
    func keyPair(for key: VerKey) -> KeyPair? { pairs[key] }
  }

  /// Knows one mailbox, and how often it was asked for.
  final class Directory: MailboxDirectory {
    let mailbox: Mailbox
    let reads = Locked(0)
    init(_ mailbox: Mailbox) { self.mailbox = mailbox }

    func mailboxes(of pairwiseDIDs: [String]) -> [Mailbox] {
      reads.withLock { $0 += 1 }
      return [mailbox]
    }
  }

  let directory: Directory
  let owner = KeyPair()
  let pairwise = KeyPair()
  let agencyKey = KeyPair()

  /// The client's behaviour with a server that gives one answer to everything.
  @discardableResult
  func withServer<Result>(
    answering response: HTTPServer.Response, _ body: (AgencyClient) throws -> Result
  ) throws -> Result {
    let server = try HTTPServer { _ in response }
    defer { server.stop() }
    return try body(client(of: server.endpoint))
  }

  func client(of endpoint: String) -> AgencyClient {
    let channel = AgencyChannel(
      endpoint: endpoint, agency: Party(did: "Agency", verkey: agencyKey.verkey), keys: Keys([owner, pairwise]),
      http: HTTPClient())
    return AgencyClient(
      channel: channel, owner: owner.verkey, agent: Party(did: "Agent", verkey: KeyPair().verkey), directory: directory)
  }

  let mailbox: Mailbox

  init() {
    mailbox = Mailbox(key: pairwise.verkey, keeper: Party(did: "Mailbox", verkey: KeyPair().verkey))
    directory = Directory(mailbox)
  }

  // MARK: messages of several mailboxes

  /// Whether the answer is one after which each mailbox is asked for by itself. Here that fails too, and the first
  /// refusal is the one to be told.
  @Test(
    arguments: [
      (500, ["errorTraceId": "7e1f"], true), (500, [:], true), (501, [:], true), (404, [:], true), (405, [:], true),
      (400, [:], true), (400, ["statusCode": "GNR-115"], false), (500, ["statusCode": "GNR-105"], false),
      (401, [:], false), (413, [:], false), (429, [:], false), (502, [:], false), (503, ["errorTraceId": "x"], false),
    ] as [(Int, JSON, Bool)])
  func onlyARefusalOfAnUnknownRequestIsFollowedByTheOtherRequest(status: Int, body: JSON, isAskedFor: Bool) throws {
    #expect(throws: CloudAgentError.refused(status: status, Refusal(body: body.bytes))) {
      try withServer(
        answering: HTTPServer.Response(status: status, headers: [("Retry-After", "60")], body: body.bytes)
      ) {
        _ = try $0.messages(of: [], MessageFilter())
      }
    }
    #expect(directory.reads.withLock { $0 } == (isAskedFor ? 1 : 0))
  }

  // MARK: the size of answers

  @Test func anAgencyDescribesItselfInFewWords() throws {
    let identity = { (padding: Int) -> HTTPServer.Response in
      let json: JSON = ["DID": "Agency", "verKey": .string(agencyKey.verkey.text)]
      return HTTPServer.Response(body: json.bytes + [UInt8](repeating: 0x20, count: padding))
    }
    let most = (64 << 10) - identity(0).body.count
    try withServer(answering: identity(most)) { try $0.checkHealth() }
    #expect(throws: CloudAgentError.unreachable(.responseTooLarge)) {
      try withServer(answering: identity(most + 1)) { try $0.checkHealth() }
    }
  }

  @Test func anAnswerOverFourMegabytesIsRefused() {
    #expect(throws: CloudAgentError.unreachable(.responseTooLarge)) {
      try withServer(answering: HTTPServer.Response(body: [UInt8](repeating: 0x20, count: (4 << 20) + 1))) {
        _ = try $0.messages(of: [], MessageFilter())
      }
    }
  }

  /// It is read, and turns out to be no envelope.
  @Test func anAnswerOfFourMegabytesIsTaken() {
    #expect {
      try withServer(answering: HTTPServer.Response(body: [UInt8](repeating: 0x20, count: 4 << 20))) {
        _ = try $0.messages(of: [], MessageFilter())
      }
    } throws: { error in
      if case .invalidAnswer? = error as? CloudAgentError { true } else { false }
    }
  }

  // MARK: closing

  @Test(
    arguments: [
      (404, [:]), (404, ["statusCode": "GNR-113"]), (500, ["errorTraceId": "7e1f"]), (400, ["statusCode": "CS-103"]),
      (400, ["statusCode": "CS-102"]),
    ] as [(Int, JSON)])
  func aMailboxThatIsNotThereIsClosed(status: Int, body: JSON) throws {
    try withServer(answering: HTTPServer.Response(status: status, body: body.bytes)) {
      try $0.closeMailbox(mailbox)
    }
  }

  @Test(
    arguments: [
      (500, [:]), (500, ["statusCode": "GNR-105"]), (503, ["errorTraceId": "7e1f"]), (400, ["statusCode": "GNR-115"]),
      (401, [:]), (413, [:]),
    ] as [(Int, JSON)])
  func everyOtherRefusalIsReported(status: Int, body: JSON) throws {
    let refusal = CloudAgentError.refused(status: status, Refusal(body: body.bytes))
    #expect(throws: refusal) {
      try withServer(answering: HTTPServer.Response(status: status, body: body.bytes)) {
        try $0.closeMailbox(mailbox)
      }
    }
  }

  @Test(arguments: [(404, true), (405, true), (501, true), (400, false), (500, false), (503, false)])
  func aRefusalByAServerThatIsNoCloudAgentNamesTheLikelyFault(status: Int, hints: Bool) {
    for refusal in [nil, Refusal(body: Array(#"{"statusCode":"GNR-105","statusMsg":"x"}"#.utf8))] {
      let text = "\(CloudAgentError.refused(status: status, refusal))"
      #expect(text.contains("HTTP \(status)") && text.contains("is this address that of the Cloud Agent") == hints)
    }
  }

  @Test func anUnreadableAnswerIsAnError() throws {
    #expect(throws: CloudAgentError.self) {
      try withServer(answering: HTTPServer.Response(body: Array("OK".utf8))) { try $0.closeMailbox(mailbox) }
    }
  }

  // MARK: health

  @Test func theConfiguredAgencyIsHealthy() throws {
    let identity: JSON = ["DID": "Agency", "verKey": .string(agencyKey.verkey.text), "more": 1]
    try withServer(answering: HTTPServer.Response(body: identity.bytes)) { try $0.checkHealth() }
  }

  @Test(
    arguments: [
      "OK", "[]", "{}", #"{"DID":"Agency"}"#, #"{"DID":1,"verKey":"x"}"#,
      #"{"DID":"Agency","verKey":"F45Ey9188uCq5QzTnsJJHC7WczwVSjjpAFxUvJXYJVqR"}"#,
    ])
  func otherIdentitiesAreNoValidAnswer(body: String) throws {
    do {
      try withServer(answering: HTTPServer.Response(body: Array(body.utf8))) { try $0.checkHealth() }
      Issue.record("healthy")
    } catch let error as CloudAgentError {
      guard case .invalidAnswer = error else {
        Issue.record("\(error)")
        return
      }
    }
  }

  /// Its identity may be that of the place where the agency was.
  @Test func anAgencyThatHasMovedIsNotHealthy() throws {
    let identity: JSON = ["DID": "Agency", "verKey": .string(agencyKey.verkey.text)]
    #expect(throws: CloudAgentError.refused(status: 302, nil)) {
      try withServer(answering: HTTPServer.Response(status: 302, body: identity.bytes)) { try $0.checkHealth() }
    }
  }

  @Test func aBusyAgencyIsAskedAgain() throws {
    let identity: JSON = ["DID": "Agency", "verKey": .string(agencyKey.verkey.text)]
    let count = Locked(0)
    let server = try HTTPServer { _ in
      let isFirst = count.withLock { count in
        count += 1
        return count == 1
      }
      return isFirst
        ? HTTPServer.Response(status: 429, headers: [("Retry-After", "0")]) : HTTPServer.Response(body: identity.bytes)
    }
    defer { server.stop() }
    try client(of: server.endpoint).checkHealth()
    #expect(count.withLock { $0 } == 2)
  }

  @Test func anAgencyThatRefusesOrIsGoneIsNotHealthy() throws {
    #expect(throws: CloudAgentError.refused(status: 500, nil)) {
      try withServer(answering: HTTPServer.Response(status: 500)) { try $0.checkHealth() }
    }
    do {
      try client(of: "http://127.0.0.1:1").checkHealth()
      Issue.record("healthy")
    } catch let error as CloudAgentError {
      guard case .unreachable = error else {
        Issue.record("\(error)")
        return
      }
    }
  }
}
