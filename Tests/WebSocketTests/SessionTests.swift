import Testing

@testable import WebSocket

/// The cases of the Autobahn test suite for a client, by its numbers.
@Suite struct SessionTests {
  /// 1.1, 1.2: whole messages of each length, and of none.
  @Test(arguments: [0, 125, 126, 127, 128, 65535, 65536]) func wholeMessagesOfEachLengthArrive(count: Int) {
    let bytes = [UInt8](repeating: 0x2a, count: count)
    for (opcode, kind) in [(1, .text), (2, .binary)] as [(UInt8, WebSocketMessage.Kind)] {
      var session = ClientSession.plain()
      #expect(session.take(ServerFrame.bytes(opcode, bytes)) == [.message(WebSocketMessage(bytes, as: kind))])
    }
  }

  /// 2.1 to 2.4, 2.10: pings with and without payload, and ten of them, are answered in order.
  @Test func eachPingIsAnsweredWithItsPayload() {
    for payload in [[], Array("ping".utf8), [0, 0xff, 0xfe], [UInt8](repeating: 0xfe, count: 125)] as [[UInt8]] {
      var session = ClientSession.plain()
      #expect(session.take(ServerFrame.bytes(9, payload)) == [answer(10, payload)])
    }
    var session = ClientSession.plain()
    let pings = (0..<10 as Range<UInt8>).flatMap { ServerFrame.bytes(9, [$0]) }
    #expect(session.take(pings) == (0..<10).map { answer(10, [$0]) })
  }

  /// 2.5: a ping of 126 bytes.
  @Test func aLongPingIsRefused() {
    #expect(violation(ServerFrame.bytes(9, [UInt8](repeating: 1, count: 126))) == 1002)
  }

  /// 2.7 to 2.9: pongs that nobody asked for are ignored.
  @Test func unsolicitedPongsAreIgnored() {
    var session = ClientSession.plain()
    #expect(
      session.take(ServerFrame.bytes(10) + ServerFrame.bytes(10, [1]) + ServerFrame.bytes(9, [2])) == [answer(10, [2])])
  }

  @Test func onlyTheAnswerToItsOwnPingCounts() {
    var session = ClientSession.plain()
    let content = [UInt8](repeating: 0, count: 16)
    #expect(session.take(ServerFrame.bytes(10, content)) == [] && !session.hasAnswered)
    #expect(answer(9, content) == .answer(session.ask()))
    for other in [[], [1], content.dropLast() + [1]] as [[UInt8]] {
      #expect(session.take(ServerFrame.bytes(10, other)) == [] && !session.hasAnswered)
    }
    #expect(session.take(ServerFrame.bytes(10, content)) == [] && session.hasAnswered)
    _ = session.ask()
    #expect(!session.hasAnswered)
  }

  /// 3.1 to 3.7: reserved bits, also behind a message, which still arrives.
  @Test(arguments: 1...7 as ClosedRange<UInt8>) func reservedBitsAreRefused(bits: UInt8) {
    for opcode in [0, 1, 2, 8, 9, 10] as [UInt8] {
      #expect(violation(ServerFrame.bytes(opcode, reserved: bits << 4)) == 1002)
    }
    var session = ClientSession.plain()
    let events = session.take(ServerFrame.text("Hello") + ServerFrame.bytes(2, reserved: bits << 4))
    #expect(events.first == message("Hello") && events.count == 3)
  }

  /// 4.1, 4.2: reserved opcodes.
  @Test(arguments: [3, 4, 5, 6, 7, 11, 12, 13, 14, 15] as [UInt8]) func reservedOpcodesAreRefused(opcode: UInt8) {
    #expect(violation(ServerFrame.bytes(opcode)) == 1002)
    #expect(violation(ServerFrame.text("Hello") + ServerFrame.bytes(opcode, [1])) == 1002)
  }

  /// 5.1, 5.2: control frames in fragments.
  @Test(arguments: [8, 9, 10] as [UInt8]) func fragmentsOfControlFramesAreRefused(opcode: UInt8) {
    #expect(violation(ServerFrame.bytes(opcode, isFinal: false)) == 1002)
  }

  /// 5.3 to 5.8, 5.19, 5.20: fragments, with pings between them, whole and byte by byte.
  @Test func pingsBetweenFragmentsAreAnswered() {
    let bytes =
      ServerFrame.text("frag", isFinal: false) + ServerFrame.bytes(9, [1]) + ServerFrame.bytes(0, [], isFinal: false)
      + ServerFrame.bytes(0, Array("ment".utf8), isFinal: false) + ServerFrame.bytes(9, [2])
      + ServerFrame.bytes(0, Array("s".utf8))
    let events = [answer(10, [1]), answer(10, [2]), message("fragments")]
    var session = ClientSession.plain()
    #expect(session.take(bytes) == events)
    #expect(bytes.flatMap { session.take([$0]) } == events)
  }

  /// 5.9 to 5.18: a continuation of nothing, also after a finished message, and a message within another.
  @Test func fragmentsOutOfOrderAreRefused() {
    #expect(violation(ServerFrame.bytes(0, [1])) == 1002)
    #expect(violation(ServerFrame.bytes(0, [1], isFinal: false)) == 1002)
    #expect(
      violation(ServerFrame.text("a", isFinal: false) + ServerFrame.bytes(0, [0x62]) + ServerFrame.bytes(0, [1]))
        == 1002)
    #expect(violation(ServerFrame.text("a", isFinal: false) + ServerFrame.text("b")) == 1002)
    #expect(violation(ServerFrame.text("a", isFinal: false) + ServerFrame.bytes(2, [1], isFinal: false)) == 1002)
  }

  /// 6.2: a character may lie in two fragments, and byte by byte.
  @Test func aCharacterMayLieInTwoFragments() {
    let text = Array("Hello-µ@ßöäüàá-UTF-8!!".utf8)
    for cut in 0...text.count {
      var session = ClientSession.plain()
      let bytes = ServerFrame.bytes(1, Array(text[..<cut]), isFinal: false) + ServerFrame.bytes(0, Array(text[cut...]))
      #expect(session.take(bytes) == [message("Hello-µ@ßöäüàá-UTF-8!!")])
    }
  }

  /// 6.3, 6.6 to 6.21: texts that are not UTF-8. 6.4: they are refused before their message ends.
  @Test(
    arguments: [
      [0xff], [0xc0, 0xaf], [0xe0, 0x80, 0xaf], [0xf0, 0x80, 0x80, 0xaf], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80],
      [0xce, 0xba, 0xe1, 0xbd, 0xb9, 0xcf, 0x83, 0xce, 0xbc, 0xce, 0xb5, 0xed, 0xa0, 0x80, 0x65],
      [0xf8, 0x88, 0x80, 0x80, 0x80],
      [0x80], [0xbf, 0x41],
    ] as [[UInt8]])
  func textsThatAreNotUTF8AreRefused(bytes: [UInt8]) {
    #expect(violation(ServerFrame.bytes(1, bytes)) == 1007)
    #expect(violation(ServerFrame.bytes(1, [0x41] + bytes, isFinal: false)) == 1007)
    #expect(violation([0x81, 100] + bytes) == 1007, "before the frame ends")
    #expect(violation(ServerFrame.bytes(2, bytes)) == nil)
  }

  @Test func aTextThatEndsWithinACharacterIsRefused() {
    #expect(violation(ServerFrame.bytes(1, [0xce])) == 1007)
    #expect(violation(ServerFrame.bytes(1, [0xce], isFinal: false)) == nil)
  }

  /// 7.1: nothing behind the close frame is read.
  @Test func nothingAfterTheCloseFrameIsRead() {
    var session = ClientSession.plain()
    let close = ServerFrame.bytes(8, [0x03, 0xe8])
    let events = session.take(ServerFrame.text("a") + close + ServerFrame.text("b") + ServerFrame.bytes(9) + close)
    #expect(events == [message("a"), answer(8, [0x03, 0xe8]), .closed(code: 1000, reason: "")])
    #expect(session.take(ServerFrame.text("c")) == [] && !session.isOpen && session.close(code: 1000) == nil)
  }

  /// 7.1.5: a message whose end does not come.
  @Test func aMessageWithoutItsEndIsDroppedWithTheClose() {
    var session = ClientSession.plain()
    let events = session.take(ServerFrame.text("fragment", isFinal: false) + ServerFrame.bytes(8))
    #expect(events == [answer(8), .closed(code: 1005, reason: "")])
  }

  /// 7.3: close frames of each length.
  @Test func closeFramesOfEachLengthAreAnswered() {
    for reason in ["", "Hello World!", String(repeating: "*", count: 123)] {
      var session = ClientSession.plain()
      let payload = [0x03, 0xe8] + Array(reason.utf8)
      #expect(session.take(ServerFrame.bytes(8, payload)) == [answer(8, payload), .closed(code: 1000, reason: reason)])
    }
    #expect(violation(ServerFrame.bytes(8, [3])) == 1002)
    #expect(violation(ServerFrame.bytes(8, [0x03, 0xe8] + [UInt8](repeating: 0x2a, count: 124))) == 1002)
  }

  /// 7.5: a reason that is not UTF-8.
  @Test func aReasonThatIsNotUTF8IsRefused() { #expect(violation(ServerFrame.bytes(8, [0x03, 0xe8, 0xff])) == 1007) }

  /// 7.7, 7.9, 7.13: the codes that a close frame may have, and those it may not.
  @Test func theCodesMatchTheRegistry() {
    let permitted = [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 3999, 4000, 4999]
    for code in permitted + [0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65535] {
      var session = ClientSession.plain()
      let payload = [UInt8(code >> 8), UInt8(code & 0xff)]
      let isPermitted =
        session.take(ServerFrame.bytes(8, payload)) == [answer(8, payload), .closed(code: code, reason: "")]
      #expect(isPermitted == permitted.contains(code), "\(code)")
      #expect(isPermitted || violation(ServerFrame.bytes(8, payload)) == 1002)
    }
  }

  /// 9, 10: a large message in frames of one size, in pieces of another.
  @Test(arguments: [(64, 1), (1000, 997), (65536, 4096), (1 << 20, 65536)]) func largeMessagesArriveInPieces(
    frame: Int, piece: Int
  ) {
    let bytes = (0..<(1 << 18)).map { UInt8(truncatingIfNeeded: $0 >> 3) }
    var stream: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: frame) {
      let end = min(start + frame, bytes.count)
      stream += ServerFrame.bytes(start == 0 ? 2 : 0, Array(bytes[start..<end]), isFinal: end == bytes.count)
    }
    var session = ClientSession.plain()
    var events: [ClientSession.Event] = []
    for start in stride(from: 0, to: stream.count, by: piece) {
      events += session.take(Array(stream[start..<min(start + piece, stream.count)]))
    }
    #expect(events == [message(bytes)])
  }
}

@Suite struct SessionLimitTests {
  @Test func aMaskedFrameOfAServerIsRefused() { #expect(violation([0x81, 0x80]) == 1002) }

  @Test(
    arguments: [
      [0x82, 126, 0, 125], [0x82, 127, 0, 0, 0, 0, 0, 0, 0xff, 0xff], [0x82, 127, 0x80, 0, 0, 0, 0, 0, 0, 0],
      [0x82, 127, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
    ] as [[UInt8]])
  func wrongFormsOfALengthAreRefused(bytes: [UInt8]) { #expect(violation(bytes) == 1002) }

  /// The header tells the length: nothing of the message has to come.
  @Test func aMessageOverTheLimitIsRefusedWithItsHeader() {
    let frame = ServerFrame.bytes(2, [UInt8](repeating: 1, count: 100))
    #expect(violation(frame, maximum: 100) == nil)
    #expect(violation(Array(frame.prefix(2)), maximum: 99) == 1009)
    #expect(violation(ServerFrame.bytes(2, [1, 2], isFinal: false) + [0x00, 99], maximum: 100) == 1009)
    #expect(violation([0x82, 127, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]) == 1009)
    #expect(violation(frame + frame, maximum: 100) == nil, "each message has the limit for itself")
  }

  /// After our close frame its answer is awaited: messages still arrive, and pings are not answered.
  @Test func whatComesAfterOurCloseIsStillRead() {
    var session = ClientSession.plain()
    #expect(
      session.close(code: 1001, reason: "bye").map { .answer($0) } == answer(8, [0x03, 0xe9] + Array("bye".utf8)))
    #expect(session.close(code: 1000) == nil && !session.isOpen)
    let events = session.take(ServerFrame.text("late") + ServerFrame.bytes(9) + ServerFrame.bytes(8, [0x03, 0xe9]))
    #expect(events == [message("late"), .closed(code: 1001, reason: "")])
  }

  @Test func aViolationAfterOurCloseSendsNoSecondOne() {
    var session = ClientSession.plain()
    _ = session.close(code: 1000)
    #expect(session.take([0xff]) == [.violated(code: 1002, reason: "a frame has reserved bits")])
  }
}
