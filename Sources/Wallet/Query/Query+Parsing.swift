internal import JSON
internal import Patterns

extension Query {
  /// Reads a query; nil if it sets no condition. A malformed query is refused as a whole, with the place of the
  /// mistake.
  ///
  /// In addition to libindy's language it accepts three forms of the product's documentation: `$or` and `$and` with an
  /// object, `$regex`, and numbers for `$gt`, `$gte`, `$lt`, `$lte`.
  static func parse(_ text: String) throws(WalletError) -> Query? {
    let json: JSON
    do { json = try JSON(parsing: text) } catch { throw .malformedQuery(reason: error.description, at: "") }
    switch json {
    case .object(let object): return try QueryReader().query(object)
    case .array(let array): return try QueryReader().alternatives(array)
    default: throw .malformedQuery(reason: "neither an object nor an array", at: "")
    }
  }
}

/// Reads the parts of a query and tracks the place.
private struct QueryReader {
  /// The path from the top to the present part, such as `$or[1].name.$gt`.
  private var path: [String] = []
  private static let deepest = 64

  /// Reads a query that is an array: a record must satisfy one of its objects. Ignores null members.
  func alternatives(_ array: [JSON]) throws(WalletError) -> Query? {
    var parts: [Query?] = []
    for (index, json) in array.enumerated() {
      let here = try at("[\(index)]")
      guard let object = json.object else { throw here.refusal("not an object") }
      parts.append(try here.query(JSONObject(distinct: object.members.filter { !$0.value.isNull })))
    }
    return Query.any(of: parts)
  }

  /// Reads an object: a record must satisfy all its members.
  func query(_ object: JSONObject) throws(WalletError) -> Query? {
    var parts: [Query?] = []
    for (key, value) in object.members { parts.append(try at(key).member(key, value)) }
    return Query.all(of: parts)
  }

  private func member(_ key: String, _ value: JSON) throws(WalletError) -> Query? {
    switch key {
    case "$and": return Query.all(of: try queries(value))
    case "$or": return Query.any(of: try queries(value))
    case "$not":
      guard let object = value.object else { throw refusal("not an object") }
      guard let query = try query(object) else { throw refusal("there is no condition to negate") }
      return query.negated
    default: return try tag(TagName(key), value)
    }
  }

  /// The parts of `$and` and `$or`: the objects of an array, or the members of an object.
  private func queries(_ value: JSON) throws(WalletError) -> [Query?] {
    var parts: [Query?] = []
    switch value {
    case .array(let array):
      for (index, json) in array.enumerated() {
        let here = try at("[\(index)]")
        guard let object = json.object else { throw here.refusal("not an object") }
        parts.append(try here.query(object))
      }
    case .object(let object):
      for (key, value) in object.members { parts.append(try at(key).member(key, value)) }
    default: throw refusal("neither an array nor an object")
    }
    return parts
  }

  private func tag(_ name: TagName, _ value: JSON) throws(WalletError) -> Query {
    guard !name.isEmpty else { throw refusal("the name of the tag is empty") }
    switch value {
    case .string(let text): return .tag(name, .equal(text))
    case .object(let object):
      guard let (key, operand) = object.members.first, object.count == 1 else {
        throw refusal("not exactly one operator")
      }
      return .tag(name, try at(key).test(key, operand, isPlaintext: name.isPlaintext))
    default: throw refusal("neither a string nor an operator")
    }
  }

  private func test(_ key: String, _ operand: JSON, isPlaintext: Bool) throws(WalletError) -> Query.Test {
    switch key {
    case "$neq": return .notEqual(try string(operand))
    case "$in": return try oneOf(operand)
    case "$regex":
      guard let pattern = Pattern(try string(operand)) else {
        throw refusal("not a pattern, or longer than \(Pattern.longest) bytes")
      }
      return .matching(pattern)
    case "$like":
      guard isPlaintext else { throw refusal("only for tags whose name begins with ~") }
      return .like(try string(operand))
    case "$gt": return try ordered(.greater, operand, isPlaintext)
    case "$gte": return try ordered(.greaterOrEqual, operand, isPlaintext)
    case "$lt": return try ordered(.less, operand, isPlaintext)
    case "$lte": return try ordered(.lessOrEqual, operand, isPlaintext)
    default: throw refusal("no such operator")
    }
  }

  private func ordered(
    _ order: Query.Order, _ operand: JSON, _ isPlaintext: Bool
  ) throws(WalletError) -> Query.Test {
    if let number = operand.number { return .number(order, number) }
    guard let text = operand.string else { throw refusal("neither a string nor a number") }
    guard isPlaintext else { throw refusal("text has an order only in tags whose name begins with ~") }
    return .ordered(order, text)
  }

  private func oneOf(_ operand: JSON) throws(WalletError) -> Query.Test {
    guard let array = operand.array else { throw refusal("not an array") }
    var values: [String] = []
    for (index, json) in array.enumerated() { values.append(try at("[\(index)]").string(json)) }
    return values.count == 1 ? .equal(values[0]) : .oneOf(values)
  }

  private func string(_ json: JSON) throws(WalletError) -> String {
    guard let text = json.string else { throw refusal("not a string") }
    return text
  }

  private func at(_ step: String) throws(WalletError) -> QueryReader {
    guard path.count < Self.deepest else { throw refusal("nested too deeply") }
    var deeper = self
    deeper.path.append(step)
    return deeper
  }

  private func refusal(_ reason: String) -> WalletError {
    .malformedQuery(reason: reason, at: path.reduce("") { $1.hasPrefix("[") || $0.isEmpty ? $0 + $1 : "\($0).\($1)" })
  }
}
