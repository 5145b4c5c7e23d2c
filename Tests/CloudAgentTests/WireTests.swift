import AgencyWire
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
    func mailboxes(of pairwiseDIDs: [String]) -> [Mailbox] { all }
  }

  /// As after a restored backup that is older than the mailbox.
  @Test func aMailboxWhoseKeyIsMissingHidesNoOther() throws {
    let agency = try ScriptedAgency(ignoring: ["GET_MSGS_BY_CONNS"])
    let (owner, pairwise) = (KeyPair(), KeyPair())
    let channel = AgencyChannel(
      endpoint: agency.endpoint, agency: agency.party, keys: AgencyClientTests.Keys([owner, pairwise]),
      http: HTTPClient())
    let agent = try channel.provision(owner: owner.verkey)
    func client(_ mailboxes: [Mailbox]) -> AgencyClient {
      AgencyClient(channel: channel, owner: owner.verkey, agent: agent, directory: Directory(all: mailboxes))
    }
    let mailbox = try client([]).openMailbox(for: pairwise.verkey)
    let lost = Mailbox(key: KeyPair().verkey, agent: mailbox.agent)
    let found = try client([lost, mailbox]).messages(of: [], MessageFilter())
    #expect(found.map(\.pairwiseDID) == [mailbox.pairwiseDID.text])
  }
}
