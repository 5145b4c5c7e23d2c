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
    #expect(Pattern(String(repeating: "a", count: 70_000)) == nil)
    #expect(Pattern(String(repeating: "a", count: 1000)) != nil)
  }
}
