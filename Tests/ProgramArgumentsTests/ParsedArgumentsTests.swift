import ProgramArguments
import Testing

@Suite struct ParsedArgumentsTests {
  enum Option: String, ProgramOption {
    case home = "--home"
    case json = "--json"
    case limit = "--limit"
    var value: String? { self == .json ? nil : "X" }
  }

  func parse(_ words: String...) throws(ArgumentError) -> ParsedArguments<Option> {
    try ParsedArguments(words, options: [.home, .json])
  }

  @Test func optionsAndOperandsMayComeInAnyOrder() throws {
    let parsed = try parse("a", "--home", "h", "b", "--json", "")
    #expect(parsed.operands == ["a", "b", ""])
    #expect(parsed[.home] == "h" && parsed[.json] == "" && parsed[.limit] == nil)
  }

  @Test func theLastValueOfAnOptionCounts() throws {
    #expect(try parse("--home", "a", "--home", "b")[.home] == "b")
  }

  @Test func aValueMayLookLikeAnOption() throws {
    #expect(try parse("--home", "--json")[.home] == "--json")
  }

  @Test func afterTwoDashesEveryWordIsAnOperand() throws {
    let parsed = try parse("a", "--", "--home", "--", "-x")
    #expect(parsed.operands == ["a", "--home", "--", "-x"] && parsed[.home] == nil)
  }

  @Test func aWordThatIsNoOptionHereIsRefused() {
    #expect(throws: ArgumentError.unknownOption("--nothing")) { try parse("--nothing") }
    #expect(throws: ArgumentError.unknownOption("-")) { try parse("-") }
    #expect(throws: ArgumentError.misplacedOption("--limit")) { try parse("--limit", "1") }
    #expect(throws: ArgumentError.missingValue("--home")) { try parse("--json", "--home") }
  }
}
