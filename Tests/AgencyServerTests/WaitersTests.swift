import AgencyWire
import DIDComm
import Testing
import Threading

@testable import AgencyServer

/// The places for waiting clients.
@Suite struct WaitersTests {
  private let store: Store

  init() throws { store = try Store(.sqlite) }

  private func selection(of account: Account? = nil, dids: [String] = [], after: Int64 = 0) -> MessageSelection {
    var selection = MessageSelection(
      scope: .agent(account ?? store.agent, pairwiseDIDs: dids), filter: WireMessageFilter(wait: 9), budget: 1000)
    selection.after = after
    return selection
  }

  /// The number of signs that the place's alarm gives.
  private func signs(at place: WaitingPlace) -> Locked<Int> {
    let count = Locked(0)
    place.alarm.listen { count.withLock { $0 += 1 } }
    return count
  }

  @Test func aPlaceIsFreeWhenItsLastReferenceGoes() throws {
    let waiters = Waiters(Waiters.Limits())
    var place = waiters.enter(selection(), from: .machine)
    #expect(place != nil && waiters.count == 1)
    place = nil
    #expect(waiters.count == 0)
  }

  @Test func placesAreLimitedForAllAndForEachAccountAndAddress() throws {
    var limits = Waiters.Limits()
    (limits.all, limits.perAccount, limits.perAddress) = (4, 2, 3)
    let waiters = Waiters(limits)
    let others = try (0..<3).map { _ in try Store.agent(in: store.storage) }
    let (here, there) = (Visitor.address("here"), Visitor.address("there"))
    var places = [waiters.enter(selection(), from: here), waiters.enter(selection(), from: here)]
    #expect(waiters.enter(selection(), from: there) == nil)
    places.append(waiters.enter(selection(of: others[0]), from: here))
    #expect(waiters.enter(selection(of: others[1]), from: here) == nil)
    places.append(waiters.enter(selection(of: others[1]), from: there))
    #expect(waiters.enter(selection(of: others[2]), from: .machine) == nil)
    #expect(places.allSatisfy { $0 != nil } && waiters.count == 4)
    places.removeFirst()
    #expect(waiters.enter(selection(), from: here) != nil)
  }

  /// Otherwise a client could take much memory with one place.
  @Test func aRequestThatNamesManyMailboxesTakesSeveralPlaces() {
    let waiters = Waiters(Waiters.Limits())
    let dids = (0..<100).map { _ in String(repeating: "x", count: 22) }
    let place = waiters.enter(selection(dids: dids), from: .machine)
    #expect(place != nil && waiters.count == 3)
    #expect(waiters.enter(selection(dids: Array(repeating: dids, count: 10).flatMap { $0 }), from: .machine) == nil)
  }

  @Test func theAlarmOfAPlaceIsForItsMailboxesAndForNewMessages() throws {
    let waiters = Waiters(Waiters.Limits())
    let place = try #require(waiters.enter(selection(dids: ["a", "b"], after: 5), from: .machine))
    let count = signs(at: place)
    let (own, foreign) = (store.agent.id, store.agent.id + 1)
    waiters.hear(of: [
      Arrival(accountID: foreign, pairwiseDID: "a"), Arrival(accountID: own, pairwiseDID: "c"),
      Arrival(accountID: own, pairwiseDID: "a", messageID: 5),
    ])
    #expect(count.withLock { $0 } == 0)
    waiters.hear(of: [Arrival(accountID: own, pairwiseDID: "a", messageID: 6)])
    waiters.hear(of: [Arrival(accountID: own, pairwiseDID: "b")])
    #expect(count.withLock { $0 } == 2)
  }

  @Test func aPlaceWithoutNamesHearsOfAllMailboxesOfItsAccount() throws {
    let waiters = Waiters(Waiters.Limits())
    let place = try #require(waiters.enter(selection(), from: .machine))
    waiters.hear(of: [Arrival(in: store.mailbox)])
    #expect(signs(at: place).withLock { $0 } == 1)
  }
}
