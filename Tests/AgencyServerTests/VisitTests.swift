import Testing
import Threading

@testable import AgencyServer

/// The memory for an answer. One address cannot take that of all by means of many accounts.
@Suite struct VisitTests {
  @Test(arguments: [
    (Visitor.address("192.0.2.1"), ["account 7", "answers to 192.0.2.1"]), (.machine, ["account 7"]),
  ])
  func theAccountAndItsAddressPayForAnAnswer(visitor: Visitor, parties: [String]) throws {
    let asked = Locked<[(count: Int, parties: [String])]>([])
    let visit = Visit(of: visitor) { count, parties in
      asked.withLock { $0.append((count, parties)) }
      return count <= 30
    }
    try visit.reserveAnswer(of: 10, for: 7)
    #expect(throws: RequestError.tooBusy) { try visit.reserveAnswer(of: 11, for: 7) }
    #expect(asked.withLock { $0.map(\.count) } == [30, 33])
    #expect(asked.withLock { $0.map(\.parties) } == [parties, parties])
  }
}
