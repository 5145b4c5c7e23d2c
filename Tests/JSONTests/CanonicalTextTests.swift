import Foundation
import TestSupport
import Testing

@testable import JSON

/// The JSON Canonicalization Scheme, by the published vectors.
@Suite struct CanonicalTextTests {
  private func file(_ name: String) throws -> [UInt8] {
    try Array(Data(contentsOf: Fixtures.folder.appending(path: "jcs/\(name).json")))
  }

  @Test(arguments: ["arrays", "french", "structures", "unicode", "values", "weird"])
  func theTextEqualsTheTextOfTheVectors(name: String) throws {
    #expect(try JSON(parsing: file("\(name).input")).canonicalBytes() == file("\(name).output"))
  }

  /// RFC 8785, appendix B.
  @Test(
    arguments: [
      (0x0000_0000_0000_0000, "0"), (0x8000_0000_0000_0000, "0"), (0x0000_0000_0000_0001, "5e-324"),
      (0x8000_0000_0000_0001, "-5e-324"), (0x7fef_ffff_ffff_ffff, "1.7976931348623157e+308"),
      (0xffef_ffff_ffff_ffff, "-1.7976931348623157e+308"), (0x4340_0000_0000_0000, "9007199254740992"),
      (0xc340_0000_0000_0000, "-9007199254740992"), (0x4430_0000_0000_0000, "295147905179352830000"),
      (0x44b5_2d02_c7e1_4af5, "9.999999999999997e+22"), (0x44b5_2d02_c7e1_4af6, "1e+23"),
      (0x44b5_2d02_c7e1_4af7, "1.0000000000000001e+23"), (0x444b_1ae4_d6e2_ef4e, "999999999999999700000"),
      (0x444b_1ae4_d6e2_ef4f, "999999999999999900000"), (0x444b_1ae4_d6e2_ef50, "1e+21"),
      (0x3eb0_c6f7_a0b5_ed8c, "9.999999999999997e-7"), (0x3eb0_c6f7_a0b5_ed8d, "0.000001"),
      (0x41b3_de43_5555_5553, "333333333.3333332"), (0x41b3_de43_5555_5554, "333333333.33333325"),
      (0x41b3_de43_5555_5555, "333333333.3333333"), (0x41b3_de43_5555_5556, "333333333.3333334"),
      (0x41b3_de43_5555_5557, "333333333.33333343"), (0xbecb_f647_612f_3696, "-0.0000033333333333333333"),
      (0x4314_3ff3_c1cb_0959, "1424953923781206.2"),
    ] as [(UInt64, String)])
  func numbersAreWrittenAsInECMAScript(bits: UInt64, text: String) throws {
    #expect(try JSON.real(Double(bitPattern: bits)).canonicalBytes() == Array(text.utf8))
  }

  @Test func otherNumbersAreRefused() {
    for number in [Double.infinity, -.infinity, .nan] {
      #expect(throws: InexactNumber()) { try JSON.real(number).canonicalBytes() }
    }
    for number in [9_007_199_254_740_992, -9_007_199_254_740_992, Int64.min, Int64.max] {
      #expect(throws: InexactNumber()) { try JSON.array([.integer(number)]).canonicalBytes() }
    }
  }

  /// The unit of a surrogate pair comes before U+FB33, although its character does not.
  @Test func namesAreOrderedByTheirUnits() throws {
    let object: JSON = ["\u{fb33}": 1, "\u{1f600}": 2, "a": -7, "A": 9_007_199_254_740_991]
    let text = "{\"A\":9007199254740991,\"a\":-7,\"\u{1f600}\":2,\"\u{fb33}\":1}"
    #expect(try object.canonicalBytes() == Array(text.utf8))
  }

  @Test func onlySomeCharactersAreEscaped() throws {
    let text = JSON.string("\u{8}\t\n\u{c}\r\u{1}\u{1f}\u{7f}\"\\/é")
    #expect(try text.canonicalBytes() == Array("\"\\b\\t\\n\\f\\r\\u0001\\u001f\u{7f}\\\"\\\\/é\"".utf8))
  }

  /// Reading the text again gives the same number. The reader refuses integers beyond 64 bits.
  @Test(arguments: 0..<200) func theTextReadsAsTheSameNumber(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let number = Double(bitPattern: random.next())
    guard number.isFinite, !(1e15..<1e21).contains(abs(number)) else { return }
    let again = try JSON(parsing: JSON.array([.real(number)]).canonicalBytes())
    #expect(again.array?.first?.number == number)
  }
}
