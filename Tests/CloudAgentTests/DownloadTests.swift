import AgencyWire
import JSON
import Testing

@testable import CloudAgent

/// Downloads from an agency of which only the answers are there.
@Suite struct DownloadTests {
  /// Serves the oldest messages first until an answer is full, as agencies do.
  private final class Mailboxes {
    var messages: [(did: String, uid: String)]
    let size: Int
    let budget: Int
    private(set) var requests: [MessageFilter] = []
    /// Messages that the listing names and that are gone when they are asked for.
    var vanishing: Set<String> = []

    init(_ messages: [(did: String, uid: String)], size: Int, budget: Int = 1_000_000) {
      self.messages = messages
      self.size = size
      self.budget = budget
    }

    func answer(_ filter: MessageFilter) -> [ConnectionMessages] {
      requests.append(filter)
      let isListing = filter.excludesPayload
      let wanted = messages.filter { filter.uids.isEmpty || filter.uids.contains($0.uid) }
        .filter { isListing || !vanishing.contains($0.uid) }
      let chosen = isListing ? wanted : Array(wanted.prefix(max(1, budget / size)))
      let text = isListing ? nil : JSON.string(String(repeating: "x", count: size))
      return ["a", "b"].map { did in
        let own = chosen.filter { $0.did == did }
        return ConnectionMessages(
          pairwiseDID: did, messages: own.map { StoredMessage(uid: $0.uid, statusCode: "MS-103", payload: text) })
      }
    }
  }

  private func uids(_ connections: [ConnectionMessages]) -> [String: [String]] {
    Dictionary(uniqueKeysWithValues: connections.map { ($0.pairwiseDID, $0.messages.map(\.uid)) })
  }

  private static func messages(_ count: Int) -> [(did: String, uid: String)] {
    (0..<count).map { (["a", "b"][$0 % 2], "\($0)") }
  }

  @Test func aShortAnswerIsTheWholeDownload() throws {
    let mailboxes = Mailboxes(Self.messages(4), size: 1000)
    let all = try Download.all(MessageFilter(statusCodes: ["MS-103"]), ask: mailboxes.answer)
    #expect(uids(all) == ["a": ["0", "2"], "b": ["1", "3"]])
    #expect(mailboxes.requests.count == 1)
  }

  @Test(arguments: [(40, 1), (41, 2), (100, 7), (1203, 400)])
  func everythingComesInOrderHoweverLittleFitsInAnAnswer(count: Int, perAnswer: Int) throws {
    let mailboxes = Mailboxes(Self.messages(count), size: 140_000 / perAnswer, budget: 140_000)
    let all = try Download.all(MessageFilter(statusCodes: ["MS-103"]), ask: mailboxes.answer)
    let isComplete =
      uids(all) == [
        "a": stride(from: 0, to: count, by: 2).map { "\($0)" }, "b": stride(from: 1, to: count, by: 2).map { "\($0)" },
      ]
    #expect(isComplete)
    #expect(mailboxes.requests.allSatisfy { $0.statusCodes == ["MS-103"] && $0.uids.count <= 500 })
  }

  @Test func whatVanishesMeanwhileIsLeftOut() throws {
    let mailboxes = Mailboxes(Self.messages(1400), size: 1000, budget: 200_000)
    mailboxes.vanishing = Set((300..<1100).map { "\($0)" })
    let all = try Download.all(MessageFilter(), ask: mailboxes.answer)
    #expect(all.flatMap(\.messages).count == 600)
  }

  @Test func anAgencyThatSendsOtherMessagesEachTimeEndsTheDownload() throws {
    var count = 0
    let asked = (0..<600).map { "\($0)" }
    _ = try Download.all(MessageFilter(uids: asked)) { _ in
      count += 1
      guard count < 100 else { throw CloudAgentError.invalidAnswer("asked too often") }
      let other = StoredMessage(uid: "other \(count)", statusCode: "MS-103", payload: nil)
      return [ConnectionMessages(pairwiseDID: "a", messages: [other])]
    }
    #expect(count == 2)
  }

  @Test func aListOfUIDsStaysTheLimit() throws {
    let mailboxes = Mailboxes(Self.messages(100), size: 50_000, budget: 200_000)
    let asked = (10..<30).map { "\($0)" }
    let all = try Download.all(MessageFilter(uids: asked), ask: mailboxes.answer)
    #expect(Set(all.flatMap(\.messages).map(\.uid)) == Set(asked))
  }

  @Test func aLongListOfUIDsTakesSeveralRequests() throws {
    let mailboxes = Mailboxes(Self.messages(2000), size: 10)
    mailboxes.vanishing = ["700"]
    let asked = (100..<1600).map { "\($0)" } + ["unknown"]
    let all = try Download.all(MessageFilter(uids: asked)) { mailboxes.answer($0).flatMap(\.messages) }
    #expect(Set(all.map(\.uid)) == Set(asked).subtracting(["700", "unknown"]))
    #expect(mailboxes.requests.allSatisfy { $0.uids.count <= 500 })
  }

  @Test func aDownloadEndsBeforeItIsTooMuchForTheMemory() throws {
    let mailboxes = Mailboxes(Self.messages(80), size: 1 << 20, budget: 1 << 20)
    let all = try Download.all(MessageFilter(), ask: mailboxes.answer)
    #expect(all.flatMap(\.messages).count == 64)
  }

  @Test func aMailboxAloneIsDownloadedInTheSameWay() throws {
    let mailboxes = Mailboxes(Self.messages(50), size: 20_000, budget: 150_000)
    let all = try Download.all(MessageFilter()) { mailboxes.answer($0).flatMap(\.messages) }
    #expect(Set(all.map(\.uid)).count == 50 && all.count == 50)
  }

  @Test func withoutPayloadsThereIsOneRequest() throws {
    let mailboxes = Mailboxes(Self.messages(5000), size: 1000)
    let all = try Download.all(MessageFilter(excludesPayload: true), ask: mailboxes.answer)
    #expect(all.flatMap(\.messages).count == 5000 && mailboxes.requests.count == 1)
  }
}
