@testable import JSON

extension FuzzTarget {
  static let json = FuzzTarget("json") { input in
    guard let value = try? JSON(parsing: input) else { return }
    let again = try? JSON(parsing: value.bytes)
    try expect(again != nil, "a text that was written is not read")
    try expect(again == value, "a text that was written reads otherwise")
    let sorted = try? JSON(parsing: value.sortedText)
    try expect(sorted == again, "the sorted text reads otherwise")
  }
}
