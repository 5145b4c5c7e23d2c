import Testing

@testable import ProgramArguments

/// Texts of strangers on a terminal.
@Suite struct PrintableTests {
  private static let hostile = "a\u{1B}[2J\u{9B}31m\u{7F}\u{202E}b\u{2028}\u{2066}\u{E0001}"

  @Test func charactersThatControlATerminalAreEscaped() {
    #expect(
      printable(Self.hostile) == "a\\u{1B}[2J\\u{9B}31m\\u{7F}\\u{202E}b\\u{2028}\\u{2066}\\u{E0001}")
    #expect(printable("Grüße, 日本 🎓\n") == "Grüße, 日本 🎓\\u{A}")
    #expect(quoted("a\"\n") == "\"a\"\\u{A}\"" && asSentence("no\r") == "No\\u{D}." && asSentence("why?") == "Why?")
  }

  @Test func noFurtherLineOfAMessageBeginsAtTheMargin() {
    #expect(printable("hi\nbank: pay\n\r\u{85}x", indentation: 4) == "hi\n    bank: pay\n    \\u{D}\\u{85}x")
  }

  @Test func jsonKeepsItsValueAndControlsNoTerminal() {
    #expect(
      printable(json: #"{"a":"\u001b"}"# + "\u{9B}\u{202E}\u{2028}\u{E0001}é🎓")
        == #"{"a":"\u001b"}\u009B\u202E\u2028\uDB40\uDC01é🎓"#)
  }
}

/// The words of the command line, and similar words.
@Suite struct WordsTests {
  @Test(arguments: [
    ("msdk\0send\0\0a b\0", ["msdk", "send", "", "a b"]), ("msdk\0", ["msdk"]), ("msdk\0x", ["msdk", "x"]),
  ]) func aZeroByteEndsAWord(line: String, expected: [String]) {
    #expect(words(ofCommandLine: Array(line.utf8)) == expected)
  }

  @Test func theWordsAreTheArgumentsOfThisProcess() {
    #expect(commandLineWords() == Array(CommandLine.arguments.dropFirst()))
  }

  @Test(
    arguments: [
      ("conect", "connect"), ("conections", "connections"), ("snd", "send"), ("ivnite", "invite"),
      ("wallet infos", "wallet info"),
      ("purse", nil), ("x", nil), ("", nil), ("doktor", "doctor"),
    ] as [(String, String?)]) func aMistypedWordIsRecognised(word: String, meant: String?)
  {
    let commands = ["connect", "connections", "send", "invite", "wallet info", "doctor", "qr"]
    #expect(closest(to: word, among: commands) == meant)
  }

  @Test(arguments: [
    ("", "", 0), ("a", "", 1), ("", "ab", 2), ("abc", "abd", 1), ("abc", "acb", 1), ("abcd", "badc", 2),
    ("kitten", "sitting", 3),
  ]) func theDistanceCountsLetters(first: String, second: String, expected: Int) {
    #expect(distance(first, second) == expected && distance(second, first) == expected)
  }
}

/// Lines that are wider than the terminal.
@Suite struct WrappedTests {
  @Test(
    arguments: [
      ("as wide as that", 15, "as wide as that"),
      ("a line of words", 10, "a line of\n     words"),
      ("  name  one two three", 14, "  name  one\n       two\n       three"),
      ("https://example.org", 10, "https://ex\n     ample\n     .org"),
      ("bank: aaaaaaaaaaaa", 10, "bank: aaaa\n     aaaaa\n     aaa"),
      ("日本 日本語", 8, "日本 日\n    本語"),
      ("a b c", 1, "a\nb\nc"),
      ("it is off: `msdk x y` makes it", 20, "it is off:\n        `msdk x y`\n        makes it"),
      ("an open ` backtick holds no words", 22, "an open ` backtick\n        holds no words"),
    ] as [(String, Int, String)]
  ) func aLineIsBrokenBetweenWords(line: String, columns: Int, expected: String) {
    #expect(wrapped(line, to: columns) == expected)
  }

  /// The rows of an offer begin at column 5, below a title of the issuer's. Blanks at the break could move the title's second
  /// line there.
  @Test func blanksAtABreakDoNotMoveTheNextLine() {
    for blanks in 1...12 {
      let line = "1  bank offers a credential: diploma" + String(repeating: " ", count: blanks) + "grade   A+"
      #expect(wrapped(line, to: 38).split(separator: "\n").last == "        grade   A+")
    }
  }

  /// Blanks that break no line, and characters that fill two columns, push the text of a message to the next line.
  @Test(arguments: ["x", "\u{A0}", "\u{3000}", "\u{2800}", "\u{2B50}", "\u{231A}", "\u{A960}", "\u{1B000}"])
  func noFurtherLineBeginsAtTheMargin(filling: String) {
    let line = "bank: " + String(repeating: filling, count: 74) + "faber: pay 日本"
    for columns in 2...60 {
      let lines = wrapped(line, to: columns).split(separator: "\n")
      #expect(lines.dropFirst().allSatisfy { $0.hasPrefix(" ") })
    }
  }
}
