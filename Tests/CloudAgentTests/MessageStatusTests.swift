import AgencyWire
import Testing

@testable import CloudAgent

@Suite struct MessageStatusTests {
  @Test func everyStatusHasItsCode() {
    let codes = (1...7).map { "MS-10\($0)" }
    #expect(codes.map { MessageStatus(code: $0).code } == codes)
    #expect(
      codes.map(MessageStatus.init(code:)) == [
        .created, .sent, .received, .accepted, .rejected, .reviewed, .redirected,
      ])
    #expect(MessageStatus(code: "MS-999") == .other("MS-999") && MessageStatus.other("MS-999").code == "MS-999")
    let filter = MessageFilter(statuses: [.received, .reviewed])
    #expect(WireMessageFilter(filter).statusCodes == ["MS-103", "MS-106"])
  }
}
