import AgencyWire
import Aries
import DIDComm
import HTTP
import JSON
import Platform
import Sodium
import TestSupport
import Testing
import Threading

@testable import CloudAgent

/// Lines to agencies that let requests wait, and to agencies that cannot.
@Suite struct AgencyLineTests {
  private let owner = KeyPair()

  private func line(to agency: LayerAgency) -> any AnnouncerLine {
    let channel = AgencyChannel(
      endpoint: agency.endpoint, agency: agency.party, keys: AgencyClientTests.Keys([owner]), http: HTTPClient())
    let pairwise = KeyPair()
    let mailbox = Mailbox(key: pairwise.verkey, keeper: LayerAgency.party(agency.mailbox))
    return AgencyClient(
      channel: channel, owner: owner.verkey, agent: LayerAgency.party(agency.agent),
      directory: AgencyClientTests.Directory(mailbox)
    ).line()
  }

  private static func answer(_ uids: [String], _ more: [String: JSON]) -> JSON {
    let messages = uids.map { uid -> JSON in
      ["uid": .string(uid), "statusCode": "MS-103", "senderDID": "", "type": "aries", "payload": ["a": 1]]
    }
    let answer: JSON = [
      "@type": "MSGS_BY_CONNS", "msgsByConns": [["pairwiseDID": "did", "msgs": .array(messages)]],
    ]
    return answer.with(more)
  }

  /// Counts the requests, from 1 on.
  private static func counter() -> @Sendable () -> Int {
    let count = Locked(0)
    return {
      count.withLock { count in
        count += 1
        return count
      }
    }
  }

  private var soon: MonotonicTime { .now.after(milliseconds: 60_000) }

  @Test func anAgencyThatCannotWaitBreaksTheLine() throws {
    let agency = try LayerAgency { _, _ in Self.answer([], ["next": .null]) }
    let line = line(to: agency)
    #expect(throws: CloudAgentError.self) { try line.next(until: soon) }
    #expect(agency.layers.count == 1)
  }

  @Test func theFirstCallOpensAndTheNextOnesBringMessages() throws {
    let next = Self.counter()
    let agency = try LayerAgency { _, _ in
      let number = next()
      return Self.answer(number == 1 ? ["old"] : ["new \(number)"], ["next": .string("\(number)"), "wait": 40])
    }
    let line = line(to: agency)
    guard case .waiting = try line.next(until: soon) else { return #expect(Bool(false)) }
    guard case .brought(let connections) = try line.next(until: soon) else { return #expect(Bool(false)) }
    #expect(connections.flatMap(\.messages).map(\.uid) == ["new 2"])
  }

  /// Otherwise the client would ask again and again.
  @Test func anAgencyWithoutAPlaceBreaksTheLine() throws {
    let agency = try LayerAgency { _, _ in Self.answer([], ["next": "x", "wait": 0]) }
    let line = line(to: agency)
    _ = try line.next(until: soon)
    #expect(throws: CloudAgentError.self) { try line.next(until: soon) }
    #expect(agency.layers.count == 1)
  }

  /// The answer to a wait as long as the client's time limit would always come too late.
  @Test func aRequestWaitsForLessThanTheTimeLimitOfTheClient() throws {
    let next = Self.counter()
    let agency = try LayerAgency { _, _ in
      Self.answer(next() == 1 ? [] : ["new"], ["next": "x", "wait": 600])
    }
    let line = line(to: agency)
    _ = try line.next(until: .now.after(milliseconds: 600_000))
    _ = try line.next(until: .now.after(milliseconds: 600_000))
    #expect(agency.waited == [0, Int64(HTTPClient.timeout - 5)])
  }

  /// Packing is most of the work of a client that waits.
  @Test func aRequestIsPackedAgainOnlyAfterMessages() throws {
    let next = Self.counter()
    let agency = try LayerAgency { _, _ in
      let number = next()
      let isNews = number == 4
      if number > 1, !isNews { usleep(600_000) }
      return Self.answer(isNews ? ["new"] : [], ["next": .string("\(number)"), "wait": 1])
    }
    let line = line(to: agency)
    for _ in 0..<5 { _ = try line.next(until: soon) }
    let requests = agency.received
    try #require(requests.count == 5)
    #expect(requests[1] == requests[2] && requests[2] == requests[3])
    #expect(requests[0] != requests[1] && requests[3] != requests[4])
    #expect(agency.waited == [0, 1, 1, 1, 1])
  }

  @Test func aCancelledLineThrows() throws {
    let agency = try LayerAgency { _, _ in Self.answer([], ["next": "x", "wait": 40]) }
    let line = line(to: agency)
    _ = try line.next(until: soon)
    line.cancel()
    #expect(throws: CloudAgentError.self) { try line.next(until: soon) }
    #expect(agency.layers.count == 1)
  }
}
