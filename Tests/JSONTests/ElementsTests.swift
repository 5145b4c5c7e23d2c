import Testing

@testable import JSON

@Suite struct ElementsTests {
  private func elements(_ text: String) throws -> JSONElements { try JSONElements(of: Array(text.utf8)) }

  @Test(arguments: [
    "[]", " [ ] ", "[1]", "[1, [2,3], {\"a\":[4,5],\"b\":6}]\n", #"["],[", "\"", "\\", {"[":"]"}]"#, "[[],[],{}]",
  ])
  func theElementsEqualTheReadersValues(text: String) throws {
    let elements = try elements(text)
    #expect(try (0..<elements.count).map { try elements.read($0) } == JSON(parsing: text).array)
  }

  @Test(arguments: ["[]", "[ ]", "[\t]", "[\r]", "[\n]", " [ \r\n ] "]) func blanksAreNoElement(text: String) throws {
    #expect(try elements(text).count == 0)
  }

  @Test(arguments: ["", " ", "1", "{}", "[", "]", "[1", "1]", #""[]""#, "[]]x"]) func anotherTextIsNoArray(text: String)
  {
    #expect(throws: JSONError.wrongType(key: nil, expected: "an array")) { try elements(text) }
  }

  @Test(arguments: ["[1,]", "[,]", "[1],[2]", "[}]", #"["]"#, "[]]", "[1 2]"])
  func aMistakeIsFoundWhenTheElementIsRead(text: String) throws {
    let elements = try elements(text)
    #expect(throws: JSONError.self) { try (0..<elements.count).map { try elements.read($0) } }
  }

  /// Each list has more values than the standard limits allow for its length.
  @Test func listsOfNumbersHaveAValueInTwoBytes() throws {
    let list = "[" + Array(repeating: "0", count: 100_000).joined(separator: ",") + "]"
    let elements = try elements("[\(list),\(list)]")
    #expect(throws: JSONError.tooManyValues) { try elements.read(1) }
    #expect(try elements.read(1, limits: .numberLists).array?.count == 100_000)
    #expect(throws: JSONError.tooManyValues) {
      try JSON(parsing: "[" + String(repeating: "{},", count: 100_000) + "1]", limits: .numberLists)
    }
  }
}
