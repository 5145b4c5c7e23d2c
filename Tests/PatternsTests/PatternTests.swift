import Patterns
import Testing

@Suite struct PatternTests {
  @Test(arguments: [
    ("b", "abc", true), ("^b", "abc", false), ("c$", "abc", true), ("B", "abc", false), ("^$", "", true),
    ("", "x", true), ("^(a|b)+$", "abba", true), ("^[0-9]{2,3}$", "1234", false), ("^.t.$", "été", true),
    ("^.$", "😀", true), ("b", "a\u{0}b", true), (".", "", false), ("a\\.b", "axb", false),
  ])
  func matching(pattern: String, text: String, expected: Bool) throws {
    #expect(try #require(Pattern(pattern)).matches(Array(text.utf8)) == expected)
  }

  @Test(arguments: ["(", "[", "a{2,1}", "*a(", "a\u{0}b", "(a)\\1", "((a{200}){200}){200}", "a{9999999999999999999}"])
  func whatIsNoPatternOrTooExpensiveIsRefused(pattern: String) {
    #expect(Pattern(pattern) == nil)
  }

  @Test func longPatternsAreRefused() {
    #expect(Pattern(String(repeating: "a", count: 1025)) == nil)
    #expect(Pattern(String(repeating: "a", count: 1000)) != nil)
  }

  /// Each takes the C library more than a second, more than 100 MiB or more stack than there is.
  @Test(arguments: [
    ("(", 16_000, ""), ("a?", 4000, ""), ("*", 20_000, "a"), ("*?+", 330, "a"), ("*", 500, "a"), ("(", 101, ""),
  ])
  func whatWouldTakeTheCLibraryTooMuchIsRefused(piece: String, count: Int, start: String) {
    #expect(Pattern(start + String(repeating: piece, count: count)) == nil)
  }

  @Test(arguments: ["+)", "){1,}", "{2})"]) func repetitionsOfRepetitionsMultiply(end: String) {
    let nested = { String(repeating: "(", count: $0) + "a" + String(repeating: end, count: $0) }
    #expect(Pattern(nested(3)) != nil)
    #expect(Pattern(nested(30)) == nil)
  }

  @Test(arguments: [
    "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$", "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z$",
    "^[a-z0-9._%+-]+@[a-z0-9.-]+\\.[a-z]{2,}$", "^([0-9]{1,3}\\.){3}[0-9]{1,3}$",
    "^(did:sov:)?[1-9A-HJ-NP-Za-km-z]{22}$", "((((((((((a))))))))))", "[(*+?)]*", ".{0,255}",
  ])
  func usualPatternsAreAffordable(pattern: String) {
    #expect(Pattern(pattern) != nil)
  }
}
