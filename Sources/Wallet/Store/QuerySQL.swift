internal import SQLite

/// A sealed query in SQL: the condition on the rows `i` of `items`, the values of its parameters, and the predicates
/// that the SQL function `satisfies` calls by number.
///
/// The database has no statistics, so this type makes the plan. If an equality decides (the query is an equality,
/// requires one, or offers only equalities), the search starts from the index of tag values and tests all other
/// conditions on those few records. Otherwise it tests all records of the type and reads the found ones in their order
/// in the file, which is twice as fast as in the order of the index. `+` in front of a column keeps the planner from
/// using an index of that column.
struct QuerySQL {
  /// The clauses after `SELECT count(*)`.
  private(set) var matches = ""
  private(set) var values: [Value] = []
  private(set) var predicates: [SealedQuery.Predicate] = []

  private var isScan = false

  /// The clauses after `SELECT` with columns of `i`. A scan first lists the ids, which the index alone has.
  var rows: String { isScan ? "FROM items AS i WHERE i.id IN (SELECT i.id \(matches))" : matches }

  init(type: [UInt8], _ query: SealedQuery?) {
    guard let start = query?.start else {
      isScan = true
      matches = "FROM items AS i WHERE i.type = \(bind(.blob(type)))"
      if let query { matches += " AND \(sql(query, isScan: true))" }
      return
    }
    if start.leaves.count == 1 {
      // A join in this order gives its first rows before it has found all of them.
      let leaf = start.leaves[0]
      matches = """
        FROM \(leaf.table) AS s CROSS JOIN items AS i ON i.id = s.item_id \
        WHERE +s.name = \(bind(leaf.name)) AND s.\(compare(leaf.test))
        """
    } else {
      let ids = start.leaves.map {
        "SELECT item_id FROM \($0.table) WHERE +name = \(bind($0.name)) AND \(compare($0.test))"
      }
      matches = "FROM items AS i WHERE i.id IN (\(ids.joined(separator: " UNION ")))"
    }
    matches += " AND +i.type = \(bind(.blob(type)))"
    if let rest = start.rest { matches += " AND \(sql(rest, isScan: false))" }
  }

  /// A condition on `i`. In a scan of all records of the type, sets of ids are computed once; otherwise each of the few
  /// records looks for its own tag.
  private mutating func sql(_ query: SealedQuery, isScan: Bool) -> String {
    switch query {
    case .all(let parts): return join(parts.map { sql($0, isScan: isScan) }[...], "AND")
    case .any(let parts): return join(parts.map { sql($0, isScan: isScan) }[...], "OR")
    case .not(let query): return "NOT \(sql(query, isScan: isScan))"
    case .tag(let name, let test):
      let leaf = SealedQuery.Leaf(name, test)
      let name = bind(leaf.name)
      guard isScan, test.isSet else {
        return "EXISTS (SELECT 1 FROM \(leaf.table) WHERE name = \(name) AND item_id = i.id AND \(compare(test)))"
      }
      let hint = test.isEquality ? "+" : ""
      return "i.id IN (SELECT item_id FROM \(leaf.table) WHERE \(hint)name = \(name) AND \(compare(test)))"
    }
  }

  /// Joined in halves, because the depth of an expression is limited.
  private func join(_ parts: ArraySlice<String>, _ operation: String) -> String {
    guard parts.count > 1 else { return parts.first ?? "" }
    guard parts.count > 50 else { return "(\(parts.joined(separator: " \(operation) ")))" }
    let middle = parts.startIndex + parts.count / 2
    return "(\(join(parts[..<middle], operation)) \(operation) \(join(parts[middle...], operation)))"
  }

  private mutating func compare(_ test: SealedQuery.Test) -> String {
    switch test {
    case .equal(let value): return "value = \(bind(value))"
    case .notEqual(let value): return "value <> \(bind(value))"
    case .oneOf(let values): return "value IN (\(values.map { bind($0) }.joined(separator: ", ")))"
    case .ordered(let order, let value): return "value \(order.sql) \(bind(value))"
    case .like(let value): return "value LIKE \(bind(value))"
    case .satisfying(let predicate):
      predicates.append(predicate)
      return "satisfies(\(predicates.count - 1), value)"
    }
  }

  /// The name of a new parameter with this value.
  private mutating func bind(_ value: Value) -> String {
    values.append(value)
    return "?\(values.count)"
  }
}

extension Query.Order {
  fileprivate var sql: String {
    switch self {
    case .less: "<"
    case .lessOrEqual: "<="
    case .greater: ">"
    case .greaterOrEqual: ">="
    }
  }
}

extension SealedQuery.Test {
  fileprivate var isEquality: Bool {
    switch self {
    case .equal, .oneOf: true
    case .notEqual, .ordered, .like, .satisfying: false
    }
  }

  /// Whether the ids of all items that pass are cheap to list, for items of all types.
  fileprivate var isSet: Bool { if case .satisfying = self { false } else { true } }
}

extension SealedQuery {
  /// A condition on one tag, for the table of the tag's kind.
  fileprivate struct Leaf {
    let table: String
    let name: Value
    let test: Test

    init(_ name: SealedTagName, _ test: Test) {
      self.test = test
      switch name {
      case .encrypted(let name): (table, self.name) = ("tags_encrypted", .blob(name))
      case .plaintext(let name): (table, self.name) = ("tags_plaintext", .blob(name))
      }
    }
  }

  /// Equalities, one of which must hold, and the remaining condition on the records that they give.
  fileprivate struct Start {
    let leaves: [Leaf]
    let rest: SealedQuery?
  }

  /// A union of more equalities than this costs more than it saves.
  private static let widestUnion = 100

  fileprivate var start: Start? {
    switch self {
    case .not: return nil
    case .tag(let name, let test): return test.isEquality ? Start(leaves: [Leaf(name, test)], rest: nil) : nil
    case .all(let parts):
      // The first equality with one value serves best; without one, the first part that the search can start from.
      let index = parts.firstIndex(where: \.isSingleEquality) ?? parts.firstIndex { $0.start != nil }
      guard let index, let start = parts[index].start else { return nil }
      let others = parts[..<index] + parts[(index + 1)...]
      let rest = (start.rest.map { [$0] } ?? []) + others
      return Start(leaves: start.leaves, rest: .all(of: rest))
    case .any(let parts):
      let starts = parts.compactMap(\.start)
      let leaves = starts.flatMap(\.leaves)
      guard starts.count == parts.count, leaves.count <= Self.widestUnion else { return nil }
      return Start(leaves: leaves, rest: starts.contains { $0.rest != nil } ? self : nil)
    }
  }

  private var isSingleEquality: Bool {
    if case .tag(_, .equal) = self { true } else { false }
  }
}
