/// A JSON value (RFC 8259).
///
/// The only type of the package that reads or writes JSON text. Objects keep the order of their members, so reading and
/// writing a text changes at most white space, escapes and fractions.
package enum JSON: Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case real(Double)
  case string(String)
  case array([JSON])
  case object(JSONObject)
}

extension JSON: Equatable {
  /// Values are equal if they have equal parts. Texts are equal if their bytes are.
  package static func == (left: JSON, right: JSON) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    case (.real(let left), .real(let right)): left == right
    case (.string(let left), .string(let right)): left.isExactly(right)
    case (.array(let left), .array(let right)): left == right
    case (.object(let left), .object(let right)): left == right
    default: false
    }
  }
}

// MARK: - Looking inside

extension JSON {
  package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  package var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
  package var string: String? { if case .string(let value) = self { value } else { nil } }
  package var array: [JSON]? { if case .array(let value) = self { value } else { nil } }
  package var object: JSONObject? { if case .object(let value) = self { value } else { nil } }

  /// The number, written with or without a fraction.
  package var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .real(let value): value
    default: nil
    }
  }

  package var isNull: Bool { if case .null = self { true } else { false } }

  /// A member of an object; nil for an absent member and for a value that is not an object. Setting nil removes the
  /// member; setting a member of a value that is not an object does nothing.
  package subscript(key: String) -> JSON? {
    get { object?[key] }
    set {
      guard case .object(var members) = self else { return }
      self = .null  // so that `members` is the only owner and is changed in place
      members[key] = newValue
      self = .object(members)
    }
  }
}

// MARK: - Requiring a shape

extension JSON {
  /// Returns the object, or throws.
  package func requireObject() throws(JSONError) -> JSONObject {
    guard let object else { throw JSONError.wrongType(key: nil, expected: "an object") }
    return object
  }

  /// Returns the array, or throws.
  package func requireArray() throws(JSONError) -> [JSON] {
    guard let array else { throw JSONError.wrongType(key: nil, expected: "an array") }
    return array
  }
}

// MARK: - Nulls

extension JSON {
  /// The value without members and elements that are null.
  package var withoutNulls: JSON {
    switch self {
    case .object(let object):
      .object(
        JSONObject(distinct: object.members.filter { !$0.value.isNull }.map { ($0.key, $0.value.withoutNulls) }))
    case .array(let elements): .array(elements.filter { !$0.isNull }.map(\.withoutNulls))
    default: self
    }
  }
}

// MARK: - Literals

extension JSON: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral, ExpressibleByStringLiteral,
  ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
  package init(dictionaryLiteral elements: (String, JSON)...) { self = .object(JSONObject(elements)) }
  package init(arrayLiteral elements: JSON...) { self = .array(elements) }
  package init(stringLiteral value: String) { self = .string(value) }
  package init(integerLiteral value: Int64) { self = .integer(value) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(nilLiteral: ()) { self = .null }
}

extension JSON {
  /// The string, or null if it is nil.
  package init(_ string: String?) { self = string.map(JSON.string) ?? .null }

  package init(_ strings: [String]) { self = .array(strings.map(JSON.string)) }
}
