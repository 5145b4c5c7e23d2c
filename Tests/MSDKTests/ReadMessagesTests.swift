import Testing

@testable import MSDK

/// How long read messages stay in the inbox.
struct ReadMessagesTests {
  private func entry(
    _ uid: Int, at time: Int64 = 0, size: Int = 1, mailbox: String = "did", isKept: Bool = false
  ) -> ReadMessages.Entry {
    .init(
      place: .init(pairwiseDID: mailbox, uid: "\(uid)"), status: .reviewed, time: time, size: size, isKept: isKept)
  }

  private func uids(_ places: [Inbox.Place]) -> [String] { places.map(\.uid) }
  private func uids(_ entries: [ReadMessages.Entry]) -> [String] { entries.map(\.place.uid) }

  @Test func aMessageStaysForAWeek() {
    var messages = ReadMessages([entry(1), entry(2, at: 10)])
    #expect(messages.takeOver(at: ReadMessages.lifetime).gone.isEmpty)
    #expect(uids(messages.takeOver(at: ReadMessages.lifetime + 1).gone) == ["1"])
    #expect(uids(messages.takeOver(at: .max).gone) == ["2"])
  }

  /// The wallet is read for it, which costs time.
  @Test func expiredMessagesAreLookedForAnHourLater() {
    let messages = ReadMessages([entry(1)])
    #expect(!messages.isFull(at: ReadMessages.lifetime + 3600) && messages.isFull(at: ReadMessages.lifetime + 3601))
    #expect(!ReadMessages().isFull(at: .max))
  }

  @Test func theOldestGoBeyondTheHighestNumber() {
    var messages = ReadMessages((1...ReadMessages.maximumCount).map { entry($0) })
    #expect(!messages.isFull(at: 0) && messages.takeOver(at: 0).gone.isEmpty)
    messages.note(entry(0))
    #expect(messages.isFull(at: 0))
    #expect(uids(messages.takeOver(at: 0).gone) == (1...126).map { "\($0)" })
    #expect(uids(messages.entries).suffix(2) == ["1000", "0"] && !messages.isFull(at: 0))
  }

  @Test func theOldestLoseTheirTextsBeyondTheLargestSize() {
    var messages = ReadMessages([entry(1, size: ReadMessages.maximumSize - 1), entry(2)])
    #expect(messages.takeOver(at: 0).emptied.isEmpty)
    messages.note(entry(3))
    let over = messages.takeOver(at: 0)
    #expect(uids(over.emptied) == ["1"] && over.gone.isEmpty && over.emptied.first?.size == 0)
    messages.note(entry(4, size: 2 * ReadMessages.maximumSize))
    #expect(uids(messages.takeOver(at: 0).emptied) == ["2", "3"], "the newest stays, even a large one")
    #expect(messages.takeOver(at: 0).emptied.isEmpty && uids(messages.entries) == ["1", "2", "3", "4"])
  }

  @Test func theMailboxWithTheMostLosesSome() {
    let third = ReadMessages.maximumSize / 3
    var messages = ReadMessages([entry(1, size: 1000, mailbox: "small")])
    for number in 2...5 { messages.note(entry(number, size: third)) }
    messages.note(entry(6, mailbox: "small"))
    #expect(uids(messages.takeOver(at: 0).emptied) == ["2", "3"])
    messages = ReadMessages([entry(0, mailbox: "small")] + (1...ReadMessages.maximumCount).map { entry($0) })
    #expect(uids(messages.takeOver(at: 0).gone).first == "1")
    #expect(uids(messages.entries).first == "0")
  }

  @Test func messagesThatAnObjectMayNeedGoLast() {
    let half = ReadMessages.maximumSize / 2
    var messages = ReadMessages([entry(1, size: half, isKept: true), entry(2, size: half), entry(3)])
    #expect(uids(messages.takeOver(at: 0).emptied) == ["2"])
    messages.note(entry(4, size: half))
    messages.note(entry(5))
    #expect(uids(messages.takeOver(at: 0).emptied) == ["3", "4"])
    messages.note(entry(6, size: 2 * half))
    #expect(uids(messages.takeOver(at: 0).emptied) == ["5", "1"])
  }

  @Test func aMessageIsCountedOnce() {
    var messages = ReadMessages([entry(1, size: ReadMessages.maximumSize), entry(2)])
    messages.note(entry(1, size: 1))
    #expect(!messages.isFull(at: 0) && messages.takeOver(at: 0).emptied.isEmpty)
    #expect(uids(messages.entries) == ["2", "1"])
  }
}
