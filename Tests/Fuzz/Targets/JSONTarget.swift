@testable import JSON

extension FuzzTarget {
  static let json = FuzzTarget("json") { input in
    let read = try? JSON(parsing: input)
    if let plain = PlainObject(input) { try expect(plain.agrees(with: read), "a plain object reads otherwise") }
    guard let value = read else { return }
    let again = try? JSON(parsing: value.bytes)
    try expect(again != nil, "a text that was written is not read")
    try expect(again == value, "a text that was written reads otherwise")
    let sorted = try? JSON(parsing: value.sortedText)
    try expect(sorted == again, "the sorted text reads otherwise")
  }
}

extension PlainObject {
  /// Whether the members are those of the value.
  fileprivate func agrees(with value: JSON?) -> Bool {
    guard let members = value?.object?.members else { return false }
    return members.allSatisfy { name, value in
      let nested = object(name).flatMap { try? JSON(parsing: $0) }
      return has(name) && string(name) == value.string && nested == value.object.map(JSON.object)
    }
  }
}
