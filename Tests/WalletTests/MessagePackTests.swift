import TestSupport
import Testing

@testable import Wallet

/// Each form of MessagePack on both sides of its limits.
@Suite struct MessagePackTests {
  @Test(
    arguments: [
      (0, "00"), (0x7f, "7f"), (0x80, "cc80"), (0xff, "ccff"), (0x100, "cd0100"), (0xffff, "cdffff"),
      (0x1_0000, "ce00010000"), (0xffff_ffff, "ceffffffff"), (0x1_0000_0000, "cf0000000100000000"),
      (.max, "cfffffffffffffffff"),
    ] as [(UInt64, String)])
  func anIntegerTakesItsShortestForm(value: UInt64, hex: String) {
    var bytes: [UInt8] = []
    MessagePack.append(value, to: &bytes)
    #expect(bytes.hex == hex)
    expectWhole(bytes) { $0.integer() == value }
  }

  @Test(arguments: [
    (0, "a0"), (31, "bf"), (32, "d920"), (255, "d9ff"), (256, "da0100"), (65_535, "daffff"), (65_536, "db00010000"),
  ])
  func aTextTakesItsShortestForm(count: Int, start: String) {
    var bytes: [UInt8] = []
    let text = String(repeating: "x", count: count)
    MessagePack.append(text, to: &bytes)
    #expect(bytes.dropLast(count).hex == start)
    var reader = MessagePack.Reader(bytes)
    #expect(reader.string() == text && reader.isAtEnd)
    for length in [0, start.utf8.count / 2 - 1, bytes.count - 1] where length < bytes.count {
      var reader = MessagePack.Reader(Array(bytes.prefix(length)))
      #expect(reader.string() == nil, "\(length) bytes")
    }
  }

  @Test(arguments: [
    (0, "90"), (15, "9f"), (16, "dc0010"), (65_535, "dcffff"), (65_536, "dd00010000"), (0xffff_ffff, "ddffffffff"),
  ])
  func anArrayTakesItsShortestForm(count: Int, hex: String) {
    var bytes: [UInt8] = []
    MessagePack.appendArray(count: count, to: &bytes)
    #expect(bytes.hex == hex)
    expectWhole(bytes) { $0.arrayCount() == count }
    expectNone(bytes) { $0.mapCount() == nil }
  }

  @Test(arguments: [
    (0, "80"), (15, "8f"), (16, "de0010"), (65_535, "deffff"), (65_536, "df00010000"), (0xffff_ffff, "dfffffffff"),
  ])
  func aMapTakesItsShortestForm(count: Int, hex: String) {
    var bytes: [UInt8] = []
    MessagePack.appendMap(count: count, to: &bytes)
    #expect(bytes.hex == hex)
    expectWhole(bytes) { $0.mapCount() == count }
    expectNone(bytes) { $0.arrayCount() == nil }
  }

  /// Other programs may write a longer form than they need.
  @Test func everyFormIsRead() {
    for hex in ["cc05", "cd0005", "ce00000005", "cf0000000000000005"] { expectWhole(read(hex)) { $0.integer() == 5 } }
    for hex in ["d90178", "da000178", "db0000000178"] { expectWhole(read(hex)) { $0.string() == "x" } }
    for hex in ["dc0003", "dd00000003"] { expectWhole(read(hex)) { $0.arrayCount() == 3 } }
    for hex in ["de0003", "df00000003"] { expectWhole(read(hex)) { $0.mapCount() == 3 } }
    for hex in ["920507", "dc00020507", "93000000", "92cc05cc07"] {
      expectWhole(read(hex)) { $0.byteArray()?.isEmpty == false }
    }
  }

  @Test func valuesOfAnotherKindAreNotRead() {
    for hex in ["c0", "c3", "d005", "e0", "a0", "90", "80"] { expectNone(read(hex)) { $0.integer() == nil } }
    for hex in ["c0", "c40178", "7f", "90", "80", "a1ff", "d901ff", "dc0001"] {
      expectNone(read(hex)) { $0.string() == nil }
    }
    for hex in ["c0", "db00000003", "de0003", "df00000003", "05"] {
      expectNone(read(hex)) { $0.arrayCount() == nil }
      expectNone(read(hex)) { $0.byteArray() == nil }
    }
    for hex in ["c0", "dd00000003", "dc0003", "e000000003", "05"] { expectNone(read(hex)) { $0.mapCount() == nil } }
    // No bytes, or too few of them.
    for hex in ["91cd0100", "92a00505", "9205", "dc00ff05", "ddffffffff05"] {
      expectNone(read(hex)) { $0.byteArray() == nil }
    }
  }

  func read(_ hex: String) -> [UInt8] { [UInt8](hex: hex) }

  func expectNone(_ bytes: [UInt8], _ isNone: (inout MessagePack.Reader) -> Bool) {
    var reader = MessagePack.Reader(bytes)
    #expect(isNone(&reader), "\(bytes.hex)")
  }

  /// The whole of `bytes` is the value, and no shorter beginning is one.
  func expectWhole(_ bytes: [UInt8], _ isRead: (inout MessagePack.Reader) -> Bool) {
    for count in 0..<bytes.count {
      var reader = MessagePack.Reader(Array(bytes.prefix(count)))
      #expect(!isRead(&reader), "\(count) bytes of \(bytes.hex)")
    }
    var reader = MessagePack.Reader(bytes)
    #expect(isRead(&reader) && reader.isAtEnd, "\(bytes.hex)")
  }
}
