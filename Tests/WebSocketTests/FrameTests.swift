import Sodium
import Testing

@testable import WebSocket

@Suite struct FrameTests {
  /// The masked text of RFC 6455, section 5.7.
  @Test func aMaskedTextMatchesTheStandard() {
    let frame = Frame.bytes(.text, Array("Hello".utf8)) { _ in [0x37, 0xfa, 0x21, 0x3d] }
    #expect(frame == [0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58])
  }

  /// Each length around the borders of the three forms, and around whole words of the mask.
  @Test(arguments: [0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 125, 126, 127, 128, 65535, 65536, 65537])
  func aFrameHasItsLengthAndItsPayloadUnderTheMask(count: Int) {
    let payload = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let mask: [UInt8] = [1, 2, 3, 0xff]
    var length = ServerFrame.length(count)
    length[0] |= 0x80
    let expected = [0x82] + length + mask + payload.enumerated().map { $1 ^ mask[$0 % 4] }
    #expect(Frame.bytes(.binary, payload) { _ in mask } == expected)
  }

  @Test func eachFrameHasAMaskOfItsOwn() {
    let masks = Set((0..<20).map { _ in Array(Frame.bytes(.ping, []).suffix(4)) })
    #expect(masks.count == 20)
  }

  /// The messages of a server in RFC 6455, section 5.7, whole and byte by byte.
  @Test(
    arguments: [
      ([0x81, 0x05, 0x48, 0x65, 0x6c, 0x6c, 0x6f], [message("Hello")]),
      ([0x01, 0x03, 0x48, 0x65, 0x6c, 0x80, 0x02, 0x6c, 0x6f], [message("Hello")]),
      ([0x89, 0x05, 0x48, 0x65, 0x6c, 0x6c, 0x6f], [answer(10, Array("Hello".utf8))]),
      ([0x82, 0x7e, 0x01, 0x00] + [UInt8](repeating: 9, count: 256), [message([UInt8](repeating: 9, count: 256))]),
      (
        [0x82, 0x7f, 0, 0, 0, 0, 0, 1, 0, 0] + [UInt8](repeating: 9, count: 65536),
        [message([UInt8](repeating: 9, count: 65536))]
      ),
    ] as [([UInt8], [ClientSession.Event])])
  func theExamplesOfTheStandardAreRead(bytes: [UInt8], events: [ClientSession.Event]) {
    var session = ClientSession.plain()
    #expect(session.take(bytes) == events)
    #expect(bytes.flatMap { session.take([$0]) } == events)
  }
}

@Suite struct UTF8CheckTests {
  /// Whether all pieces are taken, and the text is whole.
  static func isText(_ bytes: [UInt8], piece: Int) -> Bool {
    var check = UTF8Check()
    for start in stride(from: 0, to: bytes.count, by: piece)
    where !check.take(bytes[start..<min(start + piece, bytes.count)]) {
      return false
    }
    return check.isWhole
  }

  /// Each sequence of one, two and three bytes from the bytes at the borders, against the standard library's own check.
  @Test func itAgreesWithTheStandardLibrary() {
    let borders: [UInt8] =
      [0, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec]
      + [0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xf7, 0xf8, 0xff]
    for first in borders {
      for second in borders {
        for third in borders {
          for tail in [[], [0x80], [0xbf], [0x41]] as [[UInt8]] {
            let bytes = [first, second, third] + tail
            let isText = String(validating: bytes, as: UTF8.self) != nil
            #expect(Self.isText(bytes, piece: 1) == isText && Self.isText(bytes, piece: 8) == isText, "\(bytes)")
          }
        }
      }
    }
  }

  @Test(arguments: 1...20) func longTextsAreTakenInPiecesOfAnySize(piece: Int) {
    let text = Array("Hello-µ@ßöäüàá-UTF-8!! κόσμε 🦆 and much that is plain ASCII".utf8)
    #expect(Self.isText(text, piece: piece))
    #expect(!Self.isText(text + [0xc3], piece: piece))
    #expect(!Self.isText(text + [0xff] + text, piece: piece))
  }

  /// A text that can no longer become one is refused before its end (the fail-fast cases of the Autobahn suite, 6.4).
  @Test func aWrongByteIsFoundAtOnce() {
    var check = UTF8Check()
    let isText = check.take([0xce, 0xba, 0xe1, 0xbd, 0xb9, 0xf4])
    let goesOn = check.take([0x90])
    #expect(isText && !goesOn)
  }
}

@Suite struct SHA1Tests {
  /// The test vectors of RFC 3174, and the lengths around a block.
  @Test(arguments: [
    ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"), ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
    ("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "84983e441c3bd26ebaae4aa1f95129e5e54670f1"),
    (String(repeating: "a", count: 1000), "291e9a6c66994949b57ba5e650361e98fc36b1ba"),
    (
      String(repeating: "01234567", count: 80), "dea356a2cddd90c7a7ecedc5ebb563934f460452"
    ),
  ])
  func theHashMatchesTheStandard(text: String, hash: String) { #expect(SHA1.hash(Array(text.utf8)).hex == hash) }
}
