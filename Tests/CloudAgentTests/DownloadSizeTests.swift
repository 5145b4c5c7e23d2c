import AgencyWire
import JSON
import Testing

@testable import CloudAgent

/// The sizes at which a download asks again, or ends.
@Suite struct DownloadSizeTests {
  /// How often an agency is asked that answers each time with the same messages and does not say where they end.
  private func requests(for messages: [WireMessage]) throws -> Int {
    var count = 0
    _ = try Download.all(WireMessageFilter()) { _ in
      count += 1
      return Download.Answer(
        connections: [WireConnectionMessages(pairwiseDID: "a", messages: messages)], end: .unsaid)
    }
    return count
  }

  private static func text(_ count: Int) -> JSON { .string(String(repeating: "x", count: count)) }

  /// The second request lists what a full answer may have left out.
  @Test(
    arguments: [
      { text($0) }, { .array(Array(repeating: 7, count: $0)) },
      { ["a": text($0 - 3), "b": ["c": text(1)], "d": [1, 2], "e": 7, "f": nil, "g": true] },
    ] as [@Sendable (Int) -> JSON])
  func anAnswerOf128KibibytesMayBeCut(payload: @Sendable (Int) -> JSON) throws {
    for (bytes, count) in [(131_071, 1), (131_072, 2)] {
      let full = WireMessage(uid: "1", statusCode: "MS-103", payload: payload(bytes))
      let empty = WireMessage(uid: "2", statusCode: "MS-103")
      #expect(try requests(for: [full, empty]) == count)
    }
  }

  /// The id counts too, and 200 bytes for the other members of a message.
  @Test func aDownloadHolds64Mebibytes() throws {
    let part = Self.text(1 << 20)
    for (excess, isTooMuch) in [(0, false), (1, true)] {
      let parts = (1..<64).map { ("\($0)", part) } + [("last", Self.text((1 << 20) - 201 + excess))]
      let message = WireMessage(uid: "1", statusCode: "MS-103", payload: .object(JSONObject(parts)))
      let answer = Download.Answer(
        connections: [WireConnectionMessages(pairwiseDID: "a", messages: [message])], end: .complete)
      if isTooMuch {
        #expect(throws: CloudAgentError.tooMuch) { try Download.all(WireMessageFilter()) { _ in answer } }
      } else {
        #expect(throws: Never.self) { try Download.all(WireMessageFilter()) { _ in answer } }
      }
    }
  }

  /// The room counts the payload, the id and 200 bytes.
  @Test func aDownloadCountsPayloads() throws {
    let message = WireMessage(uid: "1", statusCode: "MS-103", payload: .array(Array(repeating: 7, count: 1000)))
    let answer = Download.Answer(
      connections: [WireConnectionMessages(pairwiseDID: "a", messages: [message])], end: .complete)
    for (room, isTooMuch) in [(1201, false), (1200, true)] {
      var room = room
      if isTooMuch {
        #expect(throws: CloudAgentError.tooMuch) { try Download.all(WireMessageFilter(), room: &room) { _ in answer } }
      } else {
        _ = try Download.all(WireMessageFilter(), room: &room) { _ in answer }
        #expect(room == 0)
      }
    }
  }

  @Test func aVisitOfListedMessagesEndsWhenItsCallerHasEnough() throws {
    var count = 0
    try Download.each(WireMessageFilter(uids: (0..<1001).map { "\($0)" })) { _ in
      count += 1
      return Download.Answer(connections: [], end: .complete)
    } take: { _ in
      false
    }
    #expect(count == 1)
  }

  /// The answer was too long, so that the ids are requested in two parts.
  @Test func aDividedVisitEndsWhenItsCallerHasEnough() throws {
    var taken = 0
    try Download.each(WireMessageFilter(uids: (0..<1001).map { "\($0)" })) { filter in
      guard filter.uids.count <= 250 else { throw CloudAgentError.unreachable(.responseTooLarge) }
      return Download.Answer(connections: [], end: .complete)
    } take: { _ in
      taken += 1
      return false
    }
    #expect(taken == 1)
  }

  /// It does not say that it has left something out.
  @Test func anAgencyWithShortAnswersIsAskedForTheRest() throws {
    var asked: [Int] = []
    let all = try Download.all(WireMessageFilter(uids: (0..<40).map { "\($0)" })) { filter in
      asked.append(filter.uids.count)
      guard asked.count < 10 else { throw CloudAgentError.invalidAnswer("asked too often") }
      let messages = filter.uids.prefix(10).map { WireMessage(uid: $0, statusCode: "MS-103") }
      return Download.Answer(
        connections: [WireConnectionMessages(pairwiseDID: "a", messages: messages)], end: .unsaid)
    }
    #expect(asked == [40, 30, 20, 10] && all.flatMap(\.messages).count == 40)
  }

  @Test func aRequestNames500Messages() throws {
    var asked: [Int] = []
    _ = try Download.all(WireMessageFilter(uids: (0..<1001).map { "\($0)" })) { filter in
      asked.append(filter.uids.count)
      return Download.Answer(connections: [], end: .complete)
    }
    #expect(asked == [500, 500, 1])
  }
}
