import Foundation
import TestSupport
import Testing
import Time

@Suite struct TimestampTests {
  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0), ("2026-11-20T08:37:54Z", 1_795_163_874), ("2000-02-29T23:59:59Z", 951_868_799),
    ("1969-12-31T23:59:59Z", -1), ("2038-01-19T03:14:08Z", 2_147_483_648),
  ])
  func aTimeIsWrittenAndRead(text: String, seconds: Int64) {
    #expect(Timestamp(text)?.seconds == seconds)
    #expect(Timestamp(seconds: seconds).text == text)
  }

  @Test(arguments: [
    "2026-11-20T08:37:54+00:00", "2026-11-20 08:37:54Z", "2026-11-20t08:37:54z", "2026-11-20T08:37:54.587Z",
    "2026-11-20T08:37:54.587123456Z", "2026-11-20T09:37:54+01:00", "2026-11-20T03:07:54-05:30",
    "2026-11-20T08:37:54+0000",
  ])
  func everySpellingIsRead(text: String) {
    #expect(Timestamp(text)?.seconds == 1_795_163_874)
  }

  @Test func secondsMayBeMissing() {
    #expect(Timestamp("2026-11-20 08:37Z")?.seconds == 1_795_163_820)
  }

  @Test func aLeapSecondIsTheFirstOfTheNextMinute() {
    #expect(Timestamp("2026-11-20T08:36:60Z")?.seconds == 1_795_163_820)
  }

  @Test(arguments: [
    "", "now", "2026-11-20", "2026-11-20T08:37:54", "2026-13-20T08:37:54Z", "2026-02-29T08:37:54Z",
    "2026-11-00T08:37:54Z", "2026-11-31T08:37:54Z", "2026-11-20T24:37:54Z", "2026-11-20T08:60:54Z",
    "2026-11-20T08:37:54.Z", "2026-11-20T08:37:54Zx", "2026-11-20T08:37:54+01", "20261120T083754Z",
    "2026-11-20T08:37:54+25:00", "2026-11-20T08:37:54+01:60", "2026-11-20T08:37:61Z", "２026-11-20T08:37:54Z",
  ])
  func otherTextsAreNoTimes(text: String) {
    #expect(Timestamp(text) == nil)
  }

  @Test(
    arguments: [
      (0, "1970-01-01 00:00"), (951_782_399, "2000-02-28 23:59"), (951_782_400, "2000-02-29 00:00"),
      (978_307_199, "2000-12-31 23:59"), (4_107_542_400, "2100-03-01 00:00"), (-1, "1969-12-31 23:59"),
      (.max, "1970-01-01 00:00"),
    ] as [(Int64, String)])
  func aTimeIsWrittenToTheMinute(seconds: Int64, text: String) {
    #expect(Timestamp(seconds: seconds).minute == text)
  }

  @Test func theEarlierMomentIsTheLesser() {
    let (early, late) = (Timestamp(seconds: -1), Timestamp(seconds: 2))
    #expect(early < late && !(late < early) && !(early < early))
    #expect([late, early].min() == early)
  }

  @Test(
    arguments: [
      ("2026-11-20T23:59:60+23:59", 1_795_132_860), ("2026-11-20T00:00:00-23:59", 1_795_219_140),
      ("0001-01-01T00:00:00Z", -62_135_596_800), ("9999-12-31T23:59:59Z", 253_402_300_799),
    ] as [(String, Int64)])
  func theLastOfEachUnitIsRead(text: String, seconds: Int64) { #expect(Timestamp(text)?.seconds == seconds) }

  @Test func aYearOfFiveDigitsIsWritten() {
    #expect(Timestamp(seconds: 253_402_300_800).text == "10000-01-01T00:00:00Z")
  }

  @Test func theClockTellsTheTimeOfTheSystem() {
    var time = timeval()
    gettimeofday(&time, nil)
    #expect(abs(systemClock() - Int64(time.tv_sec)) < 60)
  }

  @Test(arguments: UInt64(0)..<200) func everyMomentIsReadBack(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let moment = Timestamp(seconds: Int64.random(in: -62_135_596_800...253_402_300_799, using: &random))
    #expect(Timestamp(moment.text) == moment)
  }
}
