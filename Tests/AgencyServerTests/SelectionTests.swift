import AgencyWire
import Sodium
import TestSupport
import Testing

@testable import AgencyServer

/// The messages that a request selects, in each kind of store.
@Suite struct SelectionTests {
  @Test func onlyTheCodesOfMessagesAreSearched() {
    #expect(Agency.searched([]) == [] && Agency.searched((200..<300).map { "MS-\($0)" }) == ["MS-200"])
    #expect(Agency.searched(["MS-103", "MS-900", "MS-101", "MS-103"]) == ["MS-101", "MS-103"])
  }

  @Test(arguments: StoreKind.allCases)
  func messagesComeBackOldestFirstAndByWhatIsAskedFor(kind: StoreKind) throws {
    let store = try Store(kind)
    let texts = (0..<20).map { "message \($0)" }
    for text in texts { try store.deliver(text) }
    #expect(try store.texts() == texts)
    let all = try store.messages()
    #expect(all.allSatisfy { $0.status == "MS-103" && $0.pairwiseDID == store.mailbox.forDID.text })
    let read = WireConnectionUIDs(
      pairwiseDID: store.mailbox.forDID.text, uids: [all[3].uid, "unknown", all[1].uid])
    let foreign = WireConnectionUIDs(pairwiseDID: KeyPair().verkey.did.text, uids: [all[4].uid])
    let updated = try store.storage.setStatus("MS-106", of: [read, foreign], of: store.agent)
    #expect(updated.map(\.uids) == [[all[3].uid, all[1].uid], []])
    #expect(try store.messages(WireMessageFilter(statusCodes: ["MS-106"])).map(\.uid) == [all[1].uid, all[3].uid])
    let some = WireMessageFilter(uids: [all[5].uid, all[3].uid, "unknown"], excludesPayload: true)
    let kept = try store.messages(some)
    #expect(kept.map(\.uid) == [all[3].uid, all[5].uid])
    #expect(kept.allSatisfy { $0.payload == nil })
    #expect(try store.messages(WireMessageFilter(uids: ["unknown"])).isEmpty)
  }

  @Test(arguments: StoreKind.allCases)
  func messagesBehindAKnownOneAreFound(kind: StoreKind) throws {
    let store = try Store(kind)
    for number in 0..<5 { try store.deliver("message \(number)") }
    let all = try store.messages().map(\.uid)
    func behind(_ uid: String) throws -> [String] { try store.messages(WireMessageFilter(afterUID: uid)).map(\.uid) }
    #expect(try behind(all[2]) == Array(all[3...]))
    #expect(try behind(all[4]).isEmpty)
    #expect(try behind("unknown") == all)
    let foreign = try Store(kind)
    try foreign.deliver("elsewhere")
    #expect(try behind(foreign.messages()[0].uid) == all)
    let other = try Store.mailbox(of: store.agent, in: store.storage)
    let beside = store.mail("beside")
    _ = try store.storage.deliver(beside, to: other, quota: Quota())
    #expect(try behind(beside.uid) == all)
    _ = try store.storage.setStatus(
      "MS-106", of: [WireConnectionUIDs(pairwiseDID: store.mailbox.forDID.text, uids: [all[0], all[3]])],
      of: store.agent)
    let unread = WireMessageFilter(statusCodes: ["MS-103"], afterUID: all[0])
    #expect(try store.messages(unread).map(\.uid) == [all[1], all[2], all[4]])
  }

  @Test(arguments: StoreKind.allCases)
  func allConditionsOfASelectionHold(kind: StoreKind) throws {
    let store = try Store(kind)
    let other = try Store.mailbox(of: store.agent, in: store.storage)
    for mailbox in [store.mailbox, other] {
      for uid in ["read", "new"] {
        let mail = Mail(uid: mailbox.forDID.text + uid, payload: Array(uid.utf8), digest: Array(uid.utf8), arrival: 0)
        _ = try store.storage.deliver(mail, to: mailbox, quota: Quota())
      }
      let read = WireConnectionUIDs(pairwiseDID: mailbox.forDID.text, uids: [mailbox.forDID.text + "read"])
      _ = try store.storage.setStatus("MS-106", of: [read], of: store.agent)
    }
    let (a, b) = (store.mailbox.forDID.text, other.forDID.text)
    let cases: [(dids: [String], statuses: [String], uids: [String], found: [String])] = [
      ([], [], [], [a + "read", a + "new", b + "read", b + "new"]),
      ([b], [], [], [b + "read", b + "new"]),
      ([], ["MS-106"], [], [a + "read", b + "read"]),
      ([], ["MS-106", "MS-103"], [a + "new", b + "read"], [a + "new", b + "read"]),
      ([b, "x"], ["MS-103"], [], [b + "new"]),
      ([a], [], [a + "read", b + "read"], [a + "read"]),
      ([a], ["MS-106"], [a + "read", a + "new"], [a + "read"]),
      ([a], ["MS-106"], [b + "read"], []),
    ]
    for (dids, statuses, uids, found) in cases {
      let filter = WireMessageFilter(uids: uids, statusCodes: statuses)
      let scope = MessageSelection.Scope.agent(store.agent, pairwiseDIDs: dids)
      let selection = MessageSelection(scope: scope, filter: filter, budget: 1_000_000)
      #expect(try store.storage.messages(selection).messages.map(\.uid) == found)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func anAnswerHoldsAtLeastOneMessage(kind: StoreKind) throws {
    let store = try Store(kind)
    for number in 0..<3 { try store.deliver("\(number)" + String(repeating: "x", count: 999)) }
    let counts = try [1, 1199, 1200, 2399, 2400, 3600].map { try store.messages(budget: $0).count }
    #expect(counts == [1, 1, 1, 1, 2, 3])
    let headings = try store.messages(WireMessageFilter(excludesPayload: true), budget: 400)
    #expect(headings.count == 2)
  }

  /// A client that goes on from a place must not pass over a message that came since.
  @Test(arguments: StoreKind.allCases)
  func aLaterMessageHasALaterPlaceThoughTheEarlierOnesAreGone(kind: StoreKind) throws {
    let store = try Store(kind)
    for text in ["1", "2"] { try store.deliver(text) }
    var selection = MessageSelection(scope: .mailbox(store.mailbox), filter: WireMessageFilter(), budget: 1)
    selection.after = try #require(store.storage.messages(selection).end)
    let all = WireConnectionUIDs(pairwiseDID: store.mailbox.forDID.text, uids: try store.messages().map(\.uid))
    var none = Quota()
    none.messages = 0
    _ = try store.storage.setStatus("MS-106", of: [all], of: store.agent, quota: none)
    #expect(try store.messages().isEmpty)
    try store.deliver("3")
    #expect(try store.storage.messages(selection).messages.map(\.payload) == [Array("3".utf8)])
  }

  @Test(arguments: StoreKind.allCases, [false, true])
  func anAnswerContinuesAtTheEndOfTheAnswerBefore(kind: StoreKind, isListing: Bool) throws {
    let store = try Store(kind)
    for number in 0..<7 { try store.deliver("\(number)" + String(repeating: "x", count: 999)) }
    let filter = WireMessageFilter(statusCodes: ["MS-103"], excludesPayload: isListing)
    var pages: [[String]] = []
    var selection = MessageSelection(scope: .mailbox(store.mailbox), filter: filter, budget: isListing ? 600 : 3600)
    while pages.count < 10 {
      let kept = try store.storage.messages(selection)
      pages.append(kept.messages.map(\.uid))
      guard let end = kept.end else { break }
      selection.after = end
    }
    #expect(pages.map(\.count) == [3, 3, 1])
    #expect(pages.flatMap { $0 } == (try store.messages().map(\.uid)))
    // A further request finds messages that arrived after the end, and an answer that is exactly full is not cut.
    selection = MessageSelection(scope: .mailbox(store.mailbox), filter: filter, budget: isListing ? 1400 : 8400)
    #expect(try store.storage.messages(selection).end == nil)
  }
}
