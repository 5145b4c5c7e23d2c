import Platform
import Testing

@Suite struct MonotonicTimeTests {
  @Test func aLaterMomentFollowsAnEarlierOne() {
    let start = MonotonicTime.now
    usleep(2000)
    let end = MonotonicTime.now
    #expect(end > start)
    #expect(end.milliseconds(since: start) >= 2)
  }

  @Test func noTimePassesBackwards() {
    let start = MonotonicTime(nanoseconds: 5_000_000)
    #expect(start.milliseconds(since: start.after(milliseconds: 1)) == 0)
    #expect(start.after(milliseconds: -1) == start)
  }

  @Test func aWaitOfTheTimeLeftEndsAtTheMomentOrLater() {
    for nanoseconds in stride(from: 0 as UInt64, to: 3_000_000, by: 100_001) {
      let moment = MonotonicTime(nanoseconds: MonotonicTime.now.nanoseconds + nanoseconds)
      usleep(UInt32(moment.millisecondsLeft) * 1000)
      #expect(MonotonicTime.now >= moment)
      #expect(moment.millisecondsLeft == 0)
    }
  }

  @Test func momentsHaveTheFormOfC() {
    let moment = MonotonicTime(nanoseconds: 2_999_000_000).after(milliseconds: 1002).value
    #expect(moment.tv_sec == 4)
    #expect(moment.tv_nsec == 1_000_000)
  }
}
