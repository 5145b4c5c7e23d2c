import AgencyWire
import Aries
import DIDComm
import HTTP
import JSON
import Sodium
import TestSupport
import Testing

@testable import CloudAgent

/// The types of the contract, as an agency's messages give them.
@Suite struct WireTests {
  @Test func aStoredMessageIsPassedOnWhole() {
    let wire = WireMessage(
      uid: "u", statusCode: "MS-104", senderDID: "S", type: "t", payload: #"{"a":1}"#, refMsgID: "r")
    let expected = StoredMessage(
      uid: "u", status: .accepted, senderDID: "S", type: "t", payload: #"{"a":1}"#, envelope: ["a": 1], refMsgID: "r")
    #expect(StoredMessage(wire) == expected)
    let connection = ConnectionMessages(WireConnectionMessages(pairwiseDID: "D", messages: [wire]))
    #expect(connection == ConnectionMessages(pairwiseDID: "D", messages: [expected]))
  }

  @Test(
    arguments: [(.push, .push), (.webhook, .webhook), (.sponsor, .sponsor), (.sponsorPush, .sponsorPush)]
      as [(ComMethod.Kind, WireComMethod.Kind)])
  func aComMethodKeepsItsKind(kind: ComMethod.Kind, wireKind: WireComMethod.Kind) {
    let method = WireComMethod(ComMethod(id: "1", kind: kind, value: "v"))
    #expect(method == WireComMethod(id: "1", kind: wireKind, value: "v"))
  }

  @Test func aFilterKeepsAllItsConditions() {
    let filter = MessageFilter(uids: ["u"], statuses: [.received], excludesPayload: true, after: "t")
    let expected = WireMessageFilter(uids: ["u"], statusCodes: ["MS-103"], excludesPayload: true, afterUID: "t")
    #expect(WireMessageFilter(filter) == expected)
    #expect(WireMessageFilter(MessageFilter()) == WireMessageFilter())
  }

  @Test func aRefusalKeepsItsWordsAndItsTrace() {
    let body = Array(#"{"statusCode":"GNR-115","statusMsg":"no","errorTraceId":"7e1f"}"#.utf8)
    #expect(Refusal(body: body) == Refusal(statusCode: "GNR-115", statusMessage: "no", traceID: "7e1f"))
    #expect(Refusal(body: Array("<html>".utf8)) == nil)
  }

  /// An attempt at one agency must not be taken for one at another, nor for one with another token.
  @Test func anAttemptIsKnownByItsAgencyAndItsToken() throws {
    let parties = (0..<2).map { _ in Party(did: "same", verkey: KeyPair().verkey) }
    let members = ["sponseeId", "sponsorId", "nonce", "timestamp", "sig", "sponsorVerKey"]
    func mark(changing member: String? = nil, at agency: Int = 0) throws -> String {
      let pairs = members.map { ($0, JSON.string($0 == member ? "other" : $0)) }
      return try SponsorToken(parsing: JSON.object(JSONObject(pairs)).text).mark(at: parties[agency])
    }
    #expect(try mark() == mark() && mark(at: 1) != mark())
    for member in ["sponsorId", "nonce", "sig"] { #expect(try mark(changing: member) != mark(), "\(member)") }
  }
}

/// An agency that is asked for one mailbox after the other.
@Suite struct OneByOneTests {
  private struct Directory: MailboxDirectory {
    let all: [Mailbox]
    func mailboxes(of pairwiseDIDs: [String]) -> [Mailbox] {
      all.filter { pairwiseDIDs.isEmpty || pairwiseDIDs.contains($0.pairwiseDID.text) }
    }
  }

  private let agency: ScriptedAgency
  private let channel: AgencyChannel
  private let owner = KeyPair()
  private let pairwise = [KeyPair(), KeyPair()]
  private let agent: Party

  init() throws {
    agency = try ScriptedAgency(ignoring: ["GET_MSGS_BY_CONNS"])
    channel = AgencyChannel(
      endpoint: agency.endpoint, agency: agency.party, keys: AgencyClientTests.Keys([owner] + pairwise),
      http: HTTPClient())
    agent = try channel.provision(owner: owner.verkey)
  }

  private func client(_ mailboxes: [Mailbox]) -> AgencyClient {
    AgencyClient(channel: channel, owner: owner.verkey, agent: agent, directory: Directory(all: mailboxes))
  }

  private func mailboxes() throws -> [Mailbox] { try pairwise.map { try client([]).openMailbox(for: $0.verkey) } }

  /// As after a restored backup that is older than the mailbox.
  @Test func aMailboxWhoseKeyIsMissingHidesNoOther() throws {
    let mailbox = try mailboxes()[0]
    let lost = Mailbox(key: KeyPair().verkey, name: mailbox.name)
    let found = try client([lost, mailbox]).messages(of: [], MessageFilter())
    #expect(found.map(\.pairwiseDID) == [mailbox.pairwiseDID.text])
  }

  @Test func onlyTheRequestedMailboxesAreAsked() throws {
    let mailboxes = try mailboxes()
    let client = client(mailboxes)
    for _ in 0..<2 {
      let before = agency.requests.count { $0 == "GET_MSGS" }
      let found = try client.messages(of: [mailboxes[1].pairwiseDID.text], MessageFilter())
      #expect(found.map(\.pairwiseDID) == [mailboxes[1].pairwiseDID.text])
      #expect(agency.requests.count { $0 == "GET_MSGS" } == before + 1)
    }
  }

  enum Trouble: CaseIterable {
    case report, list, length

    var error: CloudAgentError {
      switch self {
      case .report: .declined("no")
      case .list: .invalidAnswer("the JSON value is not an object")
      case .length: .unreachable(.responseTooLarge)
      }
    }

    func forge(_ message: inout JSON) {
      switch self {
      case .report: message = ForgedAnswerTests.report("no")
      case .list: message = []
      case .length: message["padding"] = .string(String(repeating: "x", count: 4 << 20))
      }
    }
  }

  /// Trouble that is not about one mailbox is told: its messages would be missing from the list without a word.
  @Test(arguments: Trouble.allCases) func troubleWithOneMailboxIsTold(trouble: Trouble) throws {
    let mailboxes = try mailboxes()
    let client = client(mailboxes)
    #expect(try client.messages(of: [], MessageFilter()).count == 2)
    let troubled = try mailboxes[0].agent.verkey
    agency.forge { answer, _ in if answer.sender?.verkey == troubled { trouble.forge(&answer.message) } }
    #expect(throws: trouble.error) { try client.messages(of: [], MessageFilter()) }
  }

  @Test func theRefusalOfAllMailboxesIsTold() throws {
    let client = client(try mailboxes())
    #expect(try client.messages(of: [], MessageFilter()).count == 2)
    agency.forge { answer, request in if request == "GET_MSGS" { answer.status = 404 } }
    #expect(throws: CloudAgentError.refused(status: 404, nil)) { try client.messages(of: [], MessageFilter()) }
  }

  /// It may be an agency in trouble, and not one that knows less.
  @Test func withoutAMailboxTheRefusalIsTold() throws {
    let error = #expect(throws: CloudAgentError.self) { try client([]).messages(of: [], MessageFilter()) }
    guard case .refused(status: 500, _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }
}
