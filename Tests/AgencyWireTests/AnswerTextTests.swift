import DIDComm
import JSON
import Testing

@testable import AgencyWire

@Suite struct AnswerTextTests {
  private let envelope = Array(#"{ "protected":"x", "ciphertext" : "ü" }"#.utf8)

  private var stored: [WireMessage] {
    [
      WireMessage(uid: "1", statusCode: "MS-103", payloadText: envelope),
      WireMessage(uid: "2 \"", statusCode: "MS-106", payload: ["a": [1]], refMsgID: "r"),
      WireMessage(uid: "3", statusCode: "MS-103"),
    ]
  }

  private func check(_ message: some AgencyMessage) throws {
    let text = message.text(type: "x/1.0/y")
    #expect(try JSON(parsing: text) == message.json(type: "x/1.0/y"))
    #expect(String(decoding: text, as: UTF8.self).contains(String(decoding: envelope, as: UTF8.self)))
  }

  /// An answer contains the payload as the sender wrote it.
  @Test(arguments: [AnswerEnd.unsaid, .complete, .cut(next: "there"), .open(next: "there", wait: 60)])
  func theTextOfAnAnswerReadsAsItsValue(end: AnswerEnd) throws {
    try check(Messages(messages: stored, end: end))
    let connections = [
      WireConnectionMessages(pairwiseDID: "did", messages: stored),
      WireConnectionMessages(pairwiseDID: "e", messages: []),
    ]
    try check(MessagesByConnections(connections: connections, end: end))
  }

  @Test func otherMessagesAreWrittenByTheirMembers() throws {
    let message = KeyCreated(agent: .init(did: "d", verkey: try .init("8dvfYSt5d1taSd6yJdpjq4emkwsPDDLYxkNFysFD2cZY")))
    #expect(message.text(type: "t") == message.json(type: "t").bytes)
    #expect(Messages(messages: []).text(type: "t") == Array(#"{"@type":"t","msgs":[]}"#.utf8))
  }
}
