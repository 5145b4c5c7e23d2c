import AgencyWire
import Foundation
import HTTP
import JSON
import Testing

@testable import CloudAgent

/// Downloads from an agency of which only the answers are there.
@Suite struct DownloadTests {
  private func uids(_ connections: [WireConnectionMessages]) -> [String: [String]] {
    Dictionary(uniqueKeysWithValues: connections.map { ($0.pairwiseDID, $0.messages.map(\.uid)) })
  }

  private static func messages(_ count: Int) -> [(did: String, uid: String)] {
    (0..<count).map { (["a", "b"][$0 % 2], "\($0)") }
  }

  @Test func aShortAnswerIsTheWholeDownload() throws {
    let mailboxes = Mailboxes(Self.messages(4), size: 1000)
    let all = try Download.all(WireMessageFilter(statusCodes: ["MS-103"]), ask: mailboxes.answer)
    #expect(uids(all) == ["a": ["0", "2"], "b": ["1", "3"]])
    #expect(mailboxes.requests.count == 1)
  }

  @Test(arguments: [(40, 1), (41, 2), (100, 7), (1203, 400)])
  func everythingComesInOrderHoweverLittleFitsInAnAnswer(count: Int, perAnswer: Int) throws {
    let mailboxes = Mailboxes(Self.messages(count), size: 140_000 / perAnswer, budget: 140_000)
    let all = try Download.all(WireMessageFilter(statusCodes: ["MS-103"]), ask: mailboxes.answer)
    let isComplete =
      uids(all) == [
        "a": stride(from: 0, to: count, by: 2).map { "\($0)" }, "b": stride(from: 1, to: count, by: 2).map { "\($0)" },
      ]
    #expect(isComplete)
    #expect(mailboxes.requests.allSatisfy { $0.statusCodes == ["MS-103"] && $0.uids.count <= 500 })
  }

  @Test func messagesThatVanishMeanwhileAreLeftOut() throws {
    let mailboxes = Mailboxes(Self.messages(1400), size: 1000, budget: 200_000)
    mailboxes.vanishing = Set((300..<1100).map { "\($0)" })
    let all = try Download.all(WireMessageFilter(), ask: mailboxes.answer)
    #expect(all.flatMap(\.messages).count == 600)
  }

  @Test func anAgencyThatSendsOtherMessagesEachTimeEndsTheDownload() throws {
    var count = 0
    let asked = (0..<600).map { "\($0)" }
    _ = try Download.all(WireMessageFilter(uids: asked)) { _ in
      count += 1
      guard count < 100 else { throw CloudAgentError.invalidAnswer("asked too often") }
      let other = WireMessage(uid: "other \(count)", statusCode: "MS-103", payload: nil)
      return Download.Answer(
        connections: [WireConnectionMessages(pairwiseDID: "a", messages: [other])], end: .unsaid)
    }
    #expect(count == 2)
  }

  @Test func aListOfUIDsStaysTheLimit() throws {
    let mailboxes = Mailboxes(Self.messages(100), size: 50_000, budget: 200_000)
    let asked = (10..<30).map { "\($0)" }
    let all = try Download.all(WireMessageFilter(uids: asked), ask: mailboxes.answer)
    #expect(Set(all.flatMap(\.messages).map(\.uid)) == Set(asked))
  }

  @Test func aLongListOfUIDsTakesSeveralRequests() throws {
    let mailboxes = Mailboxes(Self.messages(2000), size: 10)
    mailboxes.vanishing = ["700"]
    let asked = (100..<1600).map { "\($0)" } + ["unknown"]
    let all = try Download.all(WireMessageFilter(uids: asked), ask: mailboxes.answer)
    #expect(Set(all.flatMap(\.messages).map(\.uid)) == Set(asked).subtracting(["700", "unknown"]))
    #expect(mailboxes.requests.allSatisfy { $0.uids.count <= 500 })
  }

  @Test func tooManyBytesAreAnErrorAndNoShorterResult() throws {
    let mailboxes = Mailboxes(Self.messages(80), size: 1 << 20, budget: 1 << 20)
    #expect(throws: CloudAgentError.tooMuch) { try Download.all(WireMessageFilter(), ask: mailboxes.answer) }
    let pages = Pages(messages: 80, size: 1 << 20, perAnswer: 1)
    #expect(throws: CloudAgentError.tooMuch) { try Download.all(WireMessageFilter(), ask: pages.answer) }
    var count = 0
    try Download.each(WireMessageFilter(), ask: pages.answer) { answer in
      count += answer.flatMap(\.messages).count
      return true
    }
    #expect(count == 80, "answers that nobody keeps do not count")
  }

  @Test func withoutPayloadsThereIsOneRequest() throws {
    let mailboxes = Mailboxes(Self.messages(5000), size: 1000)
    let all = try Download.all(WireMessageFilter(excludesPayload: true), ask: mailboxes.answer)
    #expect(all.flatMap(\.messages).count == 5000 && mailboxes.requests.count == 1)
  }

  // MARK: agencies that say where an answer ends

  /// Says where each answer ends, and ends listings too.
  private final class Pages {
    let messages: Int
    let size: Int
    let perAnswer: Int
    private(set) var requests: [WireMessageFilter] = []

    init(messages: Int, size: Int, perAnswer: Int) {
      self.messages = messages
      self.size = size
      self.perAnswer = perAnswer
    }

    func answer(_ filter: WireMessageFilter) throws -> Download.Answer {
      requests.append(filter)
      let first = try filter.after.map { try #require(Int($0)) + 1 } ?? 0
      let wanted = (first..<messages).filter { filter.uids.isEmpty || filter.uids.contains("\($0)") }
      let chosen = wanted.prefix(perAnswer)
      let payload = filter.excludesPayload ? nil : JSON.string(String(repeating: "x", count: size))
      let stored = chosen.map { WireMessage(uid: "\($0)", statusCode: "MS-103", payload: payload) }
      return Download.Answer(
        connections: [WireConnectionMessages(pairwiseDID: "a", messages: stored)],
        end: chosen.count == wanted.count ? .complete : .cut(next: "\(chosen.last ?? 0)"))
    }
  }

  @Test(arguments: [false, true]) func anAnswerThatGoesOnIsFollowedToItsEnd(isListing: Bool) throws {
    let pages = Pages(messages: 12_001, size: 10, perAnswer: 5000)
    let filter = WireMessageFilter(statusCodes: ["MS-103"], excludesPayload: isListing)
    let all = try Download.all(filter, ask: pages.answer)
    #expect(all.map(\.pairwiseDID) == ["a"])
    #expect(all.flatMap(\.messages).map(\.uid) == (0..<12_001).map { "\($0)" })
    #expect(pages.requests.map(\.after) == [nil, "4999", "9999"])
    #expect(pages.requests.allSatisfy { $0.statusCodes == ["MS-103"] && $0.excludesPayload == isListing })
  }

  @Test func aListOfUIDsIsFollowedToo() throws {
    let pages = Pages(messages: 1000, size: 10, perAnswer: 7)
    let asked = (100..<900).map { "\($0)" }
    let all = try Download.all(WireMessageFilter(uids: asked + ["unknown"]), ask: pages.answer)
    #expect(all.flatMap(\.messages).map(\.uid) == asked)
    #expect(pages.requests.allSatisfy { $0.uids.count <= 500 })
  }

  @Test func aVisitEndsWhenItsCallerHasEnough() throws {
    let pages = Pages(messages: 100, size: 10, perAnswer: 10)
    var seen: [String] = []
    try Download.each(WireMessageFilter(), ask: pages.answer) { answer in
      seen += answer.flatMap(\.messages).map(\.uid)
      return seen.count < 20
    }
    #expect(seen == (0..<20).map { "\($0)" } && pages.requests.count == 2)
  }

  // MARK: agencies that lie

  private static func answer(_ uids: [String], _ end: AnswerEnd) -> Download.Answer {
    let messages = uids.map { WireMessage(uid: $0, statusCode: "MS-103", payload: nil) }
    return Download.Answer(connections: [WireConnectionMessages(pairwiseDID: "a", messages: messages)], end: end)
  }

  @Test(arguments: [[], ["1"]]) func anAgencyThatPromisesMoreAndBringsNothingIsNotFollowed(again: [String]) throws {
    var count = 0
    #expect(throws: CloudAgentError.invalidAnswer("it promises more messages and brings none")) {
      try Download.all(WireMessageFilter()) { _ in
        count += 1
        try #require(count <= 2)  // or the download has no end
        return Self.answer(count == 1 ? ["1"] : again, .cut(next: "\(count)"))
      }
    }
    #expect(count == 2)
  }

  @Test func anAgencyThatStopsSayingWhereItsAnswersEndIsNotBelieved() throws {
    #expect(throws: CloudAgentError.invalidAnswer("it does not say whether there are more messages")) {
      try Download.all(WireMessageFilter()) {
        Self.answer([$0.after ?? "1"], $0.after == nil ? .cut(next: "2") : .unsaid)
      }
    }
  }

  @Test func anAgencyThatInventsMessagesForEverEndsTheDownload() throws {
    var count = 0
    let invent: Download.Asking = { _ in
      count += 1
      guard count < 100 else { throw CloudAgentError.invalidAnswer("asked too often") }
      let padding = String(repeating: "x", count: 2000)
      return Self.answer((0..<1000).map { "\(count) \($0) " + padding }, .cut(next: "\(count)"))
    }
    #expect(throws: CloudAgentError.tooMuch) { try Download.all(WireMessageFilter(), ask: invent) }
    count = 0
    #expect(throws: CloudAgentError.tooMuch) { try Download.each(WireMessageFilter(), ask: invent) { _ in true } }
  }

  // MARK: sizes

  /// An answer of an agency that does not end it may be longer than the client takes.
  @Test func longListsAreRequestedInParts() throws {
    let mailboxes = Mailboxes(Self.messages(900), size: 10)
    let all = try Download.all(WireMessageFilter()) { filter in
      let asked = filter.uids.isEmpty ? 900 : filter.uids.count
      guard filter.excludesPayload || asked <= 60 else { throw CloudAgentError.unreachable(.responseTooLarge) }
      return mailboxes.answer(filter)
    }
    #expect(Set(all.flatMap(\.messages).map(\.uid)) == Set((0..<900).map { "\($0)" }))
  }

  @Test func aMessageThatIsTooLongAloneIsAnError() throws {
    let mailboxes = Mailboxes(Self.messages(5), size: 10)
    #expect(throws: CloudAgentError.unreachable(.responseTooLarge)) {
      try Download.all(WireMessageFilter()) { filter in
        guard filter.excludesPayload else { throw CloudAgentError.unreachable(.responseTooLarge) }
        return mailboxes.answer(filter)
      }
    }
    #expect(throws: CloudAgentError.unreachable(.responseTooLarge)) {
      try Download.all(WireMessageFilter()) { _ in throw CloudAgentError.unreachable(.responseTooLarge) }
    }
  }

  /// The rest is neither in the answer nor in the listing: a shorter result would hide it.
  @Test(arguments: [[], ["1"]]) func aListingThatNamesNoMoreDoesNotCompleteALongAnswer(known: [String]) throws {
    var count = 0
    #expect(throws: CloudAgentError.unreachable(.responseTooLarge)) {
      try Download.all(WireMessageFilter()) { filter in
        count += 1
        if filter.excludesPayload { return Self.answer(known, .complete) }
        guard count == 1, known == ["1"] else { throw CloudAgentError.unreachable(.responseTooLarge) }
        return Self.answer(known, .cut(next: "1"))
      }
    }
  }

  @Test func aDownloadMayFillItsRoomToTheLastByte() throws {
    let pages = Pages(messages: 30, size: 1000, perAnswer: 7)
    let plenty = 1 << 20
    var room = plenty
    _ = try Download.all(WireMessageFilter(), room: &room, ask: pages.answer)
    let needed = plenty - room
    room = needed
    #expect(try Download.all(WireMessageFilter(), room: &room, ask: pages.answer).flatMap(\.messages).count == 30)
    #expect(room == 0)
    room = needed - 1
    #expect(throws: CloudAgentError.tooMuch) { try Download.all(WireMessageFilter(), room: &room, ask: pages.answer) }
  }

  @Test func requestedMessagesComeFromAnAgencyWithShortAnswers() throws {
    let mailboxes = Mailboxes(Self.messages(40), size: 1000, budget: 4000)
    let asked = (10..<30).map { "\($0)" }
    let all = try Download.all(WireMessageFilter(uids: asked), ask: mailboxes.answer)
    #expect(Set(all.flatMap(\.messages).map(\.uid)) == Set(asked))
    #expect(mailboxes.requests.allSatisfy { !$0.excludesPayload })
  }

  @Test func aListingMayHoldPayloadsThatNobodyAskedFor() throws {
    let mailboxes = Mailboxes(Self.messages(4), size: 200_000)
    var count = 0
    let all = try Download.all(WireMessageFilter(excludesPayload: true)) { filter in
      count += 1
      guard count < 10 else { throw CloudAgentError.invalidAnswer("asked too often") }
      var filter = filter
      filter.excludesPayload = false
      return mailboxes.answer(filter)
    }
    #expect(all.flatMap(\.messages).count == 4 && count == 1)
  }

  /// Looking each connection up among all others would take sixteen times as long for four times as many. The time of the
  /// processor counts, so that other work on the machine does not.
  @Test func manyConnectionsAreDownloadedInTimeLinearInTheirNumber() throws {
    let few = try Self.processorTime(ofDownloading: 5000)
    let many = try Self.processorTime(ofDownloading: 20_000)
    #expect(many < 9 * few)
  }

  /// The nanoseconds that this thread needs for a list of so many connections, which comes in two answers.
  private static func processorTime(ofDownloading count: Int) throws -> Int {
    let message = WireMessage(uid: "1", statusCode: "MS-103", payload: nil)
    let answers = [[message], []].map { messages in
      (0..<count).map { number in
        WireConnectionMessages(
          pairwiseDID: "did:example:with-a-prefix-that-all-of-them-have:\(number)",
          messages: number == 0 ? messages : [])
      }
    }
    let begin = threadTime()
    let all = try Download.all(WireMessageFilter()) { filter in
      let isFirst = filter.after == nil
      return Download.Answer(connections: answers[isFirst ? 0 : 1], end: isFirst ? .cut(next: "1") : .complete)
    }
    defer { #expect(all.count == count) }
    return threadTime() - begin
  }

  private static func threadTime() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}
