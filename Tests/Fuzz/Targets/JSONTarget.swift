@testable import JSON

extension FuzzTarget {
  static let json = FuzzTarget("json") { input in
    guard let value = try? JSON(parsing: input) else { return }
    let again = try? JSON(parsing: value.bytes)
    try expect(again != nil, "a text that was written is not read")
    // Jansson writes a fraction in digits of its own choice.
    try expect(again == value || value.holdsFraction, "a text that was written reads otherwise")
    let sorted = try? JSON(parsing: value.sortedText)
    try expect(sorted == again, "the sorted text reads otherwise")
  }
}

extension JSON {
  /// Whether a number in it is written with a fraction.
  var holdsFraction: Bool {
    switch self {
    case .real: true
    case .array(let elements): elements.contains(where: \.holdsFraction)
    case .object(let object): object.members.contains { $0.value.holdsFraction }
    case .null, .bool, .integer, .string: false
    }
  }
}
