import CloudAgent
import Testing

@testable import MSDK

@Suite struct PassedOverTests {
  private func passed(_ uids: String...) -> PassedOver {
    var passedOver = PassedOver()
    for uid in uids { passedOver.insert(uid) }
    return passedOver
  }

  private func list(_ uids: String..., inOrder: Bool = true) -> MessageList {
    MessageList(uids: uids, isInOrder: inOrder)
  }

  @Test func soManyIDsAreRememberedAndNoMore() {
    var passedOver = PassedOver()
    #expect(passedOver.isSettled && passedOver.last == nil)
    for number in 0..<10_001 { passedOver.insert("\(number)") }
    #expect(passedOver.contains("0") && passedOver.contains("9999") && !passedOver.contains("10000"))
    #expect(passedOver.remaining(of: list("unknown", "1")) == ["unknown"])
    #expect(passedOver.contains("1") && !passedOver.contains("0") && !passedOver.contains("unknown"))
    passedOver.insert("10000")
    #expect(passedOver.contains("10000"), "there is room again")
  }

  @Test func aLongIDIsNotRemembered() {
    var passedOver = PassedOver()
    passedOver.insert(String(repeating: "x", count: 129))
    #expect(passedOver.isSettled)
    passedOver.insert(String(repeating: "x", count: 128))
    #expect(!passedOver.isSettled)
  }

  @Test func theFirstMessagesThatWerePassedOverAreKnownByTheirLast() {
    var passedOver = passed("a", "b", "d")
    #expect(passedOver.remaining(of: list("a", "b", "c", "d", "e")) == ["c", "e"])
    #expect(passedOver.last == "b")
    #expect(!passedOver.contains("a") && !passedOver.contains("b") && passedOver.contains("d"))
    // The Cloud Agent lists what comes behind it.
    #expect(passedOver.remaining(of: list("c", "d", "e")) == ["c", "e"])
    passedOver.insert("c")
    #expect(passedOver.remaining(of: list("c", "d", "e")) == ["e"])
    #expect(passedOver.last == "d")
    #expect(passedOver.remaining(of: list()) == [])
    #expect(passedOver.last == "d" && passedOver.isSettled)
  }

  /// A Cloud Agent may list all messages where only the later ones were asked for. None is hidden then.
  @Test func aListOfAllMessagesIsTaken() {
    var passedOver = passed("a", "b")
    #expect(passedOver.remaining(of: list("a", "b", "c")) == ["c"])
    #expect(passedOver.remaining(of: list("a", "b", "c", "d")) == ["c", "d"])
    // The last one was removed meanwhile: all are looked at again.
    #expect(passedOver.remaining(of: list("a", "c", "d")) == ["a", "c", "d"])
  }

  /// Without an order, a new message may stand before the ones that were passed over.
  @Test func aListWithoutAnOrderIsRememberedOneByOne() {
    var passedOver = passed("a", "b")
    #expect(passedOver.remaining(of: list("a", "b", inOrder: false)) == [])
    #expect(passedOver.last == nil && passedOver.contains("a") && passedOver.contains("b"))
    #expect(passedOver.remaining(of: list("new", "b", "a", inOrder: false)) == ["new"])
  }

  @Test func thePlaceIsNotedWhenItHasMovedFar() {
    var passedOver = PassedOver(after: "known")
    var notes: [String] = []
    func pass(_ uids: ClosedRange<Int>) {
      let uids = uids.map { "\($0)" }
      for uid in uids { passedOver.insert(uid) }
      #expect(passedOver.remaining(of: MessageList(uids: uids, isInOrder: true)).isEmpty)
      if let place = passedOver.takePlace() { notes.append(place) }
    }
    pass(1...9)
    #expect(notes == [])
    pass(10...10)
    pass(11...19)
    #expect(notes == ["10"])
    pass(20...90)
    #expect(notes == ["10", "90"])
  }
}
