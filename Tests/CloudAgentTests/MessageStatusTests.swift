import AgencyWire
import Testing

@testable import CloudAgent

@Suite struct MessageStatusTests {
  @Test func everyStatusHasItsCode() {
    let codes = (1...7).map { "MS-10\($0)" }
    #expect(codes.map { MessageStatus(wire: $0).wireCode } == codes)
    #expect(
      codes.map(MessageStatus.init(wire:)) == [
        .created, .sent, .received, .accepted, .rejected, .reviewed, .redirected,
      ])
    #expect(MessageStatus(wire: "MS-999") == .other("MS-999") && MessageStatus.other("MS-999").wireCode == "MS-999")
    let filter = MessageFilter(statuses: [.received, .reviewed])
    #expect(WireMessageFilter(filter).statusCodes == ["MS-103", "MS-106"])
  }
}
