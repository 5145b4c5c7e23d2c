import DIDComm
import Testing

@Suite struct MessageTypeTests {
  @Test(arguments: [
    "https://didcomm.org/connections/1.0/request", "did:sov:BzCbsNYhMrjHiqZDTUASHg;spec/connections/1.0/request",
    "did:sov:123456789abcdefghi1234;spec/connections/1.0/request", "connections/1.0/request",
  ])
  func thePrefixDoesNotCount(text: String) {
    #expect(MessageType(text) == MessageType("connections", 1, 0, "request"))
  }

  @Test(arguments: ["", "request", "1.0/request", "connections/x.y/request", "connections/1/request", "a/1.0/"])
  func otherTextsAreNoTypes(text: String) {
    #expect(MessageType(text) == nil)
  }

  @Test func minorVersionsMatchAndMajorVersionsDoNot() {
    let type = MessageType("out-of-band", 1, 0, "invitation")
    #expect(MessageType("out-of-band", 1, 1, "invitation").matches(type))
    #expect(!MessageType("out-of-band", 2, 0, "invitation").matches(type))
    #expect(!MessageType("out-of-band", 1, 0, "problem-report").matches(type))
    #expect(!MessageType("connections", 1, 0, "invitation").matches(type))
  }
}
