import Testing
import Time

@testable import AgencyServer

/// The timestamps of tokens.
@Suite struct TokenTimeTests {
  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0), ("2024-05-17T09:30:00.000000+00:00", TokenScene.now),
    ("2024-05-17T09:30:00.123456789Z", TokenScene.now),
    ("2024-05-17T11:30:00+02:00", TokenScene.now), ("2024-05-16T22:00:00-11:30", TokenScene.now),
    ("2000-02-29T00:00:00Z", 951_782_400),
    ("2038-01-19T03:14:08Z", 2_147_483_648),
  ])
  func timestampsAreRead(text: String, seconds: Int64) {
    #expect(Timestamp(ofToken: text)?.seconds == seconds)
  }

  @Test(arguments: [
    "", "2024", "2024-05-17", "2024-05-17T09:30:00", "2024-05-17 09:30:00Z", "2024-05-17T09:30:00.Z",
    "2024-05-17T09:30:00.1234567890Z", "2024-13-17T09:30:00Z", "2023-02-29T09:30:00Z", "2024-05-17T24:00:00Z",
    "2024-05-17T09:60:00Z", "2024-05-17T09:30:00+24:00", "2024-05-17T09:30:00+0200",
    "2024-05-17T09:30:00Zx", "+024-05-17T09:30:00Z", "2024-05-17T09:30:00z",
  ])
  func otherTimestampsAreRefused(text: String) {
    #expect(Timestamp(ofToken: text) == nil)
  }

  @Test(arguments: [
    ("", 0), ("2024-05-17T09:30:0", 0), ("2024-05-17 09:30:00", 0), ("2024-05-17t09:30:00Z", 0),
    ("9912024-05-17T09:30:00.5Zuser", 1), ("ü9999-99-99T99:99:99", 1),
    ("2024-05-17T09:30:00Z2024-05-17T09:30:00Z", 2), ("2024-05-17T09:30:002024-05-17T09:30:00", 2),
  ])
  func theTimesInATextAreCounted(text: String, count: Int) {
    #expect(Timestamp.beginnings(in: text) == count)
  }
}
