import CloudAgent
import Testing

@testable import MSDK

/// The codes of statuses, which programs store and compare.
@Suite struct MessageStatusTests {
  @Test(
    arguments: [
      ("MS-101", .created), ("MS-102", .sent), ("MS-103", .received), ("MS-104", .accepted), ("MS-105", .rejected),
      ("MS-106", .reviewed), ("MS-107", .redirected),
    ] as [(String, MessageStatus)])
  func everyStatusHasItsCode(code: String, status: MessageStatus) throws {
    #expect(try MessageStatus(knownCode: code) == status)
    #expect(status.code == code)
  }

  /// A newer agency may have others.
  @Test func aStatusOfTheAgencysOwnKeepsItsCode() { #expect(MessageStatus.other("MS-200").code == "MS-200") }
}
