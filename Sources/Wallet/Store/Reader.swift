internal import SQLite

/// A connection for reading, with its statements. It reads encrypted rows, and never plaintext. One thread at a time
/// borrows it from a pool. Until the thread returns it, all reads see one state of the file.
final class Reader: DatabaseReader {
  let database: Database
  private let selectItem, selectTags, selectTagBatch: Statement
  private var queries = StatementCache()
  private let predicates = Predicates()

  /// The size limit of the cache. A larger one makes a get among 100,000 records no faster.
  private static let cacheKiB = 8 << 10

  init(path: String) throws(SQLiteError) {
    database = try Database(path: path, .readWrite)
    try database.configure(cacheKiB: Self.cacheKiB)
    selectItem = try database.prepare("SELECT id, value, key FROM items WHERE type = ?1 AND name = ?2")
    selectTags = try database.prepare(Self.tags(ofItems: 1))
    selectTagBatch = try database.prepare(Self.tags(ofItems: Self.batchSize))
    let predicates = predicates
    try database.define("satisfies", arguments: 2) { values throws(SQLiteError) in try predicates.answer(values) }
  }

  // MARK: One item

  /// The value of an item, and its tags on request. Returns nil if the item does not exist.
  func find(
    type: [UInt8], name: [UInt8], withTags: Bool
  ) throws(SQLiteError) -> (value: SealedValue, tags: [SealedTag])? {
    try selectItem.first(.blob(type), .blob(name)) { row throws(SQLiteError) in
      (SealedValue(value: try row.blob(1), key: try row.blob(2)), withTags ? try tags(of: row.integer(0)) : [])
    }
  }

  private func tags(of item: Int64) throws(SQLiteError) -> [SealedTag] {
    var tags: [SealedTag] = []
    tags.reserveCapacity(4)  // enough for most
    try selectTags.forEach(.integer(item)) { row throws(SQLiteError) in tags.append(try SealedTag(row)) }
    return tags
  }

  // MARK: Tags of many items

  private static let batchSize = 64

  /// Selects rows of four columns: the item, whether the tag is encrypted, its name and its value.
  private static func tags(ofItems count: Int) -> String {
    let items = (1...count).map { "?\($0)" }.joined(separator: ", ")
    return """
      SELECT item_id, 1, name, value FROM tags_encrypted WHERE item_id IN (\(items)) UNION ALL \
      SELECT item_id, 0, name, value FROM tags_plaintext WHERE item_id IN (\(items))
      """
  }

  /// Up to this number, each item gets a query of its own: a batch of any size costs as much as a full batch.
  private static let fewItems = 8

  /// The tags of many items, in one query for each batch of them.
  func tags(of items: [Int64]) throws(SQLiteError) -> [Int64: [SealedTag]] {
    var tags: [Int64: [SealedTag]] = [:]
    guard items.count > Self.fewItems else {
      for item in items { tags[item] = try self.tags(of: item) }
      return tags
    }
    for start in stride(from: 0, to: items.count, by: Self.batchSize) {
      let batch = items[start..<min(start + Self.batchSize, items.count)].map(Value.integer)
      try selectTagBatch.forEach(binding: batch) { row throws(SQLiteError) in
        tags[try row.integer(0), default: []].append(try SealedTag(row))
      }
    }
    return tags
  }

  // MARK: All items

  /// Passes every item to `body`, with its tags, in batches.
  func forEachBatch(
    _ body: ([(type: [UInt8], item: FoundItem)]) throws(WalletError) -> Void
  ) throws(WalletError) {
    let statement: Statement
    do { statement = try database.prepare("SELECT id, type, name, value, key FROM items") } catch {
      throw WalletError(error)
    }
    while true {
      let batch: [(type: [UInt8], item: FoundItem)]
      do { batch = try nextBatch(of: statement) } catch { throw WalletError(error) }
      try body(batch)
      guard batch.count == Self.batchSize else { return }
    }
  }

  private func nextBatch(of statement: Statement) throws(SQLiteError) -> [(type: [UInt8], item: FoundItem)] {
    var batch: [(type: [UInt8], item: FoundItem)] = []
    while batch.count < Self.batchSize, try statement.step() {
      let value = SealedValue(value: try statement.blob(3), key: try statement.blob(4))
      let item = FoundItem(id: try statement.integer(0), name: try statement.blob(2), value: value)
      batch.append((try statement.blob(1), item))
    }
    let tags = try tags(of: batch.map(\.item.id))
    for index in batch.indices { batch[index].item.tags = tags[batch[index].item.id] ?? [] }
    return batch
  }

  // MARK: Queries

  /// The number of items that a query finds.
  func count(_ query: QuerySQL) throws(SQLiteError) -> Int {
    predicates.current = query.predicates
    let statement = try queries.statement("SELECT count(*) \(query.matches)", on: database)
    let count = try statement.first(binding: query.values) { row throws(SQLiteError) in try row.integer(0) }
    return Int(count ?? 0)
  }

  /// Finds items, row by row: id, name, and on request value and key. The reader must run no other query until the
  /// statement is reset.
  func open(_ query: QuerySQL, withValues: Bool) throws(SQLiteError) -> Statement {
    predicates.current = query.predicates
    let columns = withValues ? "i.id, i.name, i.value, i.key" : "i.id, i.name"
    let statement = try queries.statement("SELECT \(columns) \(query.rows)", on: database)
    try statement.bind(query.values)
    return statement
  }

  /// The error of the predicate that ended a query; nil if no predicate failed.
  var predicateFailure: WalletError? { predicates.failure }
}

extension SealedTag {
  fileprivate init(_ row: Statement) throws(SQLiteError) {
    let (isEncrypted, name) = (try row.integer(1) == 1, try row.blob(2))
    self = isEncrypted ? .encrypted(name: name, value: try row.blob(3)) : .plaintext(name: name, value: try row.text(3))
  }
}

/// The predicates of the running query, for the SQL function `satisfies`.
private final class Predicates: @unchecked Sendable {
  // Only the thread that uses the reader touches it, so the class is Sendable.
  var current: [SealedQuery.Predicate] = [] { didSet { failure = nil } }
  private(set) var failure: WalletError?

  /// Takes the number of a predicate and the value to test.
  func answer(_ values: [Value]) throws(SQLiteError) -> Value {
    guard case .integer(let number)? = values.first, let value = values.last, current.indices.contains(Int(number))
    else { return .null }
    do {
      return .integer(try current[Int(number)](value) ? 1 : 0)
    } catch {
      failure = error
      throw SQLiteError(message: "a tag cannot be read")
    }
  }
}

/// The statements of the latest queries, by their text.
private struct StatementCache {
  private var statements: [String: Statement] = [:]
  private static let limit = 32

  mutating func statement(_ sql: String, on database: Database) throws(SQLiteError) -> Statement {
    if let known = statements[sql] { return known }
    let statement = try database.prepare(sql)
    if statements.count >= Self.limit { statements.removeAll() }
    statements[sql] = statement
    return statement
  }
}
