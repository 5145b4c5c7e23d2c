import Testing

@testable import MSDK

/// How long read messages stay in the inbox.
struct ReadMessagesTests {
  private func entry(_ uid: Int, at time: Int64 = 0, size: Int = 1, mailbox: String = "did") -> ReadMessages.Entry {
    .init(place: .init(pairwiseDID: mailbox, uid: "\(uid)"), status: .reviewed, time: time, size: size)
  }

  private func uids(_ places: [Inbox.Place]) -> [String] { places.map(\.uid) }

  @Test func aMessageStaysForAWeek() {
    var messages = ReadMessages([entry(1), entry(2, at: 10)])
    #expect(messages.takeOver(at: ReadMessages.lifetime).isEmpty)
    #expect(uids(messages.takeOver(at: ReadMessages.lifetime + 1)) == ["1"])
    #expect(messages.status(of: entry(1).place) == nil && messages.status(of: entry(2).place) == .reviewed)
    #expect(uids(messages.takeOver(at: .max)) == ["2"])
  }

  @Test func theOldestGoBeyondTheHighestNumber() {
    var messages = ReadMessages((1...ReadMessages.maximumCount).map { entry($0) })
    #expect(messages.takeOver(at: 0).isEmpty)
    messages.note(entry(0))
    #expect(uids(messages.takeOver(at: 0)) == ["1"])
    #expect(uids(messages.places(in: "did", .reviewed)).suffix(2) == ["1000", "0"])
  }

  @Test func theOldestGoBeyondTheLargestSize() {
    var messages = ReadMessages([entry(1, size: ReadMessages.maximumSize - 1), entry(2)])
    #expect(messages.takeOver(at: 0).isEmpty)
    messages.note(entry(3))
    #expect(uids(messages.takeOver(at: 0)) == ["1"])
    messages.note(entry(4, size: 2 * ReadMessages.maximumSize))
    #expect(uids(messages.takeOver(at: 0)) == ["2", "3"], "the newest stays, whatever its size")
    #expect(messages.takeOver(at: 0).isEmpty)
  }

  @Test func aMessageIsCountedOnce() {
    var messages = ReadMessages([entry(1, size: ReadMessages.maximumSize), entry(2)])
    messages.note(entry(1, size: 1))
    #expect(messages.takeOver(at: 0).isEmpty)
    #expect(uids(messages.places(in: "did", .reviewed)) == ["2", "1"])
  }

  @Test func mailboxesAreApart() {
    var messages = ReadMessages([entry(1), entry(2, mailbox: "other")])
    #expect(uids(messages.places(in: "other", .reviewed)) == ["2"])
    #expect(messages.places(in: "other", .rejected).isEmpty)
    messages.remove { $0.place.pairwiseDID == "did" }
    #expect(messages.places(in: "did", .reviewed).isEmpty && messages.status(of: entry(1).place) == nil)
  }
}
