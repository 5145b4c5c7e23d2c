import Patterns
import Testing

@Suite struct PatternTests {
  @Test(arguments: [
    ("b", "abc", true), ("^b", "abc", false), ("c$", "abc", true), ("B", "abc", false), ("^$", "", true),
    ("", "x", true), ("^(a|b)+$", "abba", true), ("^[0-9]{2,3}$", "1234", false), ("^.t.$", "été", true),
    ("^.$", "😀", true), ("b", "a\u{0}b", true), (".", "", false), ("a\\.b", "axb", false), ("a.b", "a\nb", true),
    ("a$", "a\n", false), ("^[[:digit:]]+$", "42", true), ("^(a)\\1$", "aa", true), ("\\d", "x1", true),
  ])
  func aPatternMatchesAnywhereInAText(pattern: String, text: String, expected: Bool) throws {
    #expect(try #require(Pattern(pattern)).matches(Array(text.utf8)) == expected)
  }

  @Test(arguments: [
    "(", "[", "a{2,1}", "*a(", "((a{200}){200}){200}", "a{9999999999999999999}", "\\C",
    String(repeating: "(", count: 101) + String(repeating: ")", count: 101), String(repeating: "a", count: 1025),
  ])
  func otherTextsAreRefused(pattern: String) {
    #expect(Pattern(pattern) == nil)
  }

  /// Each would take a matcher without limits years, or more stack than there is.
  @Test(arguments: ["^(a+)+$", "^(a|aa)+$", "^(([a-z])+.)+[A-Z]([a-z])+$"])
  func aPatternThatTakesTooLongIsAnErrorAndNotAnAnswer(pattern: String) throws {
    let (pattern, text) = (try #require(Pattern(pattern)), Array(String(repeating: "a", count: 5000).utf8) + [0x21])
    #expect(throws: PatternError.tooExpensive) { try pattern.matches(text) }
  }

  /// Nested groups take memory for each character, and deep ones take more than others.
  @Test(arguments: [("^(((((((a|b)))))))*$", 50_000), ("^(a|b)*$", 400_000)])
  func aPatternThatTakesTooMuchMemoryIsAnErrorAndNotAnAnswer(pattern: String, count: Int) throws {
    let pattern = try #require(Pattern(pattern))
    #expect(throws: PatternError.tooExpensive) { try pattern.matches([UInt8](repeating: 0x61, count: count)) }
    #expect(try pattern.matches([UInt8](repeating: 0x61, count: 1_000)))
  }

  @Test func aShortTextMayTakeSomeSteps() throws {
    #expect(try !#require(Pattern("^(a+)+$")).matches(Array("aaaaaaaaaaa!".utf8)))
  }

  @Test func theLongestAndDeepestPatternIsTaken() throws {
    #expect(try #require(Pattern(String(repeating: "a", count: 1_024))).matches([0x61]) == false)
    let deepest = String(repeating: "(", count: 100) + "a" + String(repeating: ")", count: 100)
    #expect(try #require(Pattern(deepest)).matches([0x61]))
  }

  @Test func aLongTextIsSearchedToItsEnd() throws {
    let text = Array(String(repeating: "x", count: 1_000_000).utf8) + Array("needle".utf8)
    #expect(try #require(Pattern("ne+dle$")).matches(text))
  }

  @Test func bytesThatAreNoTextMatchNothing() throws {
    #expect(try #require(Pattern(".")).matches([0xff, 0xfe]) == false)
  }

  @Test(arguments: [
    "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$", "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z$",
    "^[a-z0-9._%+-]+@[a-z0-9.-]+\\.[a-z]{2,}$", "^([0-9]{1,3}\\.){3}[0-9]{1,3}$",
    "^(did:sov:)?[1-9A-HJ-NP-Za-km-z]{22}$", "((((((((((a))))))))))", "[(*+?)]*", ".{0,255}",
  ])
  func usualPatternsAreAffordable(pattern: String) throws {
    _ = try #require(Pattern(pattern)).matches(Array(String(repeating: "did:sov:a1.", count: 100).utf8))
  }
}
