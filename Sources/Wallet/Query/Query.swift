internal import Patterns

/// A condition on the tags of records: the wallet's query language, parsed and simplified. A nil `Query` sets no
/// condition.
indirect enum Query: Sendable {
  case all(of: [Query])
  case any(of: [Query])
  case not(Query)

  /// The record has the tag, and its value satisfies the test.
  case tag(TagName, Test)

  enum Test: Sendable {
    case equal(String)
    case notEqual(String)
    case oneOf([String])
    /// The values in the byte order of UTF-8; plaintext tags only.
    case ordered(Order, String)
    /// SQLite's LIKE; plaintext tags only.
    case like(String)
    case matching(Pattern)
    /// The whole value is a number in JSON syntax, and is compared as a number.
    case number(Order, Double)
  }

  enum Order: Sendable { case less, lessOrEqual, greater, greaterOrEqual }
}

extension Query {
  /// All of `parts`; a nil part sets no condition.
  static func all(of parts: [Query?]) -> Query? { join(parts.compactMap(\.self), Query.all(of:)) }

  /// Any of `parts`. As in libindy, parts without a condition are ignored; they do not make the whole true.
  static func any(of parts: [Query?]) -> Query? { join(parts.compactMap(\.self), Query.any(of:)) }

  private static func join(_ parts: [Query], _ join: ([Query]) -> Query) -> Query? {
    parts.count > 1 ? join(parts) : parts.first
  }

  var negated: Query {
    if case .not(let query) = self { query } else { .not(self) }
  }
}

extension Query.Order {
  func holds(_ left: Double, _ right: Double) -> Bool {
    switch self {
    case .less: left < right
    case .lessOrEqual: left <= right
    case .greater: left > right
    case .greaterOrEqual: left >= right
    }
  }
}
