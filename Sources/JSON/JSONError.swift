/// The reasons why a text is not the expected JSON. They carry names and positions, never values: those may be secret.
package enum JSONError: Error, Equatable, Sendable {
  /// Not JSON, or JSON that the reader refuses (numbers over 64 bits, `\u0000`).
  case malformed(reason: String, line: Int, column: Int)

  /// The nesting of containers exceeds the limit.
  case tooDeep(limit: Int)

  /// The text has more values than the limit for its length.
  case tooManyValues

  /// An object has two members with this name, and the caller had the reader refuse them.
  case repeatedName(String)

  /// An object has a member that its reader does not know, where a reader has to know all.
  case unknown(key: String)

  /// A required member is absent.
  case missing(key: String)

  /// A member has another type; if `key` is nil, the whole value.
  case wrongType(key: String?, expected: String)
}

extension JSONError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .malformed(let reason, let line, let column): "not JSON: \(reason) (line \(line), column \(column))"
    case .tooDeep(let limit): "the JSON text is nested over \(limit) levels deep"
    case .tooManyValues: "the JSON text has too many values for its length"
    case .repeatedName(let name): "member \"\(name)\" occurs twice"
    case .unknown(let key): "member \"\(key)\" is not known"
    case .missing(let key): "member \"\(key)\" is missing"
    case .wrongType(let key?, let expected): "member \"\(key)\" is not \(expected)"
    case .wrongType(nil, let expected): "the JSON value is not \(expected)"
    }
  }
}
