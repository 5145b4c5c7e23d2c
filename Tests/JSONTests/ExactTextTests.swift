import JSON
import Testing

/// Texts that are compared by their bytes.
@Suite struct ExactTextTests {
  /// The letter Å as one character. It is an equal string to `two`, with the same number of bytes.
  private let one = "\u{212b}"
  /// The letter as an A and a ring.
  private let two = "A\u{30a}"

  @Test func textsAreTheSameOnlyIfTheirBytesAre() {
    #expect(one == two && one.utf8.count == two.utf8.count && !one.isExactly(two))
    #expect("".isExactly("") && "name".isExactly("na" + "me"))
    #expect(!"name".isExactly("names") && !"name".isExactly("nama"))
  }

  @Test(arguments: ["", "a", "present-proof/2.", "f/2.0", "https:", ".0"])
  func aPartOfATextIsFound(part: String) {
    #expect("https://didcomm.org/a-present-proof/2.0".contains(part))
  }

  @Test(arguments: ["x", "present-proof/1.", "2.00", "PRESENT"])
  func aTextWithoutThePartIsTold(part: String) {
    #expect(!"https://didcomm.org/a-present-proof/2.0".contains(part))
    #expect(!"".contains(part) && !one.contains(two))
  }
}
