import Testing

@testable import Threading

@Suite struct YieldPauseTests {
  static let second: UInt64 = 1_000_000_000
  static let millisecond: UInt64 = 1_000_000

  @Test func shortYieldsAreFollowedByOthers() {
    var pause = YieldPause()
    #expect(pause.permitsYield(at: 0))
    pause.noteYield(from: Self.second, to: Self.second + 2 * Self.millisecond)
    #expect(pause.permitsYield(at: Self.second + 2 * Self.millisecond))
  }

  @Test func afterALongYieldNoThreadYieldsForATenthOfASecond() {
    var pause = YieldPause()
    let end = Self.second + 3 * Self.millisecond
    pause.noteYield(from: Self.second, to: end)
    #expect(!pause.permitsYield(at: end) && !pause.permitsYield(at: end + 99 * Self.millisecond))
    #expect(pause.permitsYield(at: end + 100 * Self.millisecond))
    pause.noteYield(from: 2 * Self.second, to: 2 * Self.second + 1)
    #expect(pause.permitsYield(at: 2 * Self.second + 1))
  }
}
