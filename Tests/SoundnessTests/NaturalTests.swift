import Testing

@testable import Soundness

@Suite struct NaturalTests {
  @Test(arguments: [
    ("0", 0), ("1", 1), ("255", 8), ("256", 9), ("18446744073709551615", 64), ("18446744073709551616", 65),
    ("10000000000000000000", 64), ("99999999999999999999999999999999999999", 127),
    ("340282366920938463463374607431768211455", 128), ("340282366920938463463374607431768211456", 129),
  ])
  func aDecimalTextHasItsSize(text: String, bits: Int) throws {
    #expect(try #require(Natural(decimal: text)).bitWidth == bits)
  }

  @Test(arguments: [
    "", "00", "01", "-1", "+1", " 1", "1 ", "1a", "0x1", "1_000", "1.0", "1e3", "١", "１", "1\u{0}", "-0", "\n1",
  ])
  func aTextInAnotherFormIsNoNumber(text: String) { #expect(Natural(decimal: text) == nil) }

  @Test func aTextHasAtMost1300Digits() {
    #expect(Natural(decimal: String(repeating: "9", count: 1_300)) != nil)
    #expect(Natural(decimal: String(repeating: "9", count: 1_301)) == nil)
  }

  @Test(
    arguments: [
      ("0", []), ("1", [1]), ("256", [1, 0]), ("65535", [255, 255]),
      ("1208925819614629174706176", [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
      ("18446744073709551617", [1, 0, 0, 0, 0, 0, 0, 0, 1]),
    ] as [(String, [UInt8])])
  func theBytesHaveNoZerosAtTheFront(text: String, bytes: [UInt8]) throws {
    #expect(try #require(Natural(decimal: text)).bytes == bytes)
  }

  @Test func numbersAreOrdered() throws {
    let texts = ["0", "1", "2", "18446744073709551615", "18446744073709551616", "36893488147419103232"]
    let numbers = try texts.map { try #require(Natural(decimal: $0)) }
    for (index, number) in numbers.enumerated() {
      for (other, larger) in numbers.enumerated() { #expect((number < larger) == (index < other)) }
    }
  }

  @Test(arguments: [("00", 0), ("0F", 4), ("FF", 8), ("10", 5)])
  func hexadecimalDigitsAreANumber(text: String, bits: Int) throws {
    #expect(try #require(Natural(hexadecimal: text.utf8, count: 2...2)).bitWidth == bits)
  }

  @Test(arguments: ["f0", "F", "F00", " F", "-1", "0x", "G0"])
  func hexadecimalDigitsAreCapitalsOfTheRightCount(text: String) {
    #expect(Natural(hexadecimal: text.utf8, count: 2...2) == nil)
  }
}
