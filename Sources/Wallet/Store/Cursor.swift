internal import SQLite

/// An item that a search has found, sealed.
struct FoundItem: Sendable {
  let id: Int64
  let name: [UInt8]
  let value: SealedValue?
  var tags: [SealedTag] = []
}

/// The rows of a query, read in chunks from a snapshot that does not change while others write.
final class Cursor {
  private let reader: Reader
  private let statement: Statement
  private let withValues, withTags: Bool

  /// The reader is not available to others until `close`.
  init(
    _ query: QuerySQL, on reader: Reader, withValues: Bool, withTags: Bool
  ) throws(SQLiteError) {
    self.reader = reader
    self.withValues = withValues
    self.withTags = withTags
    statement = try reader.open(query, withValues: withValues)
  }

  /// The next items, `count` at most. Fewer than `count` at the end.
  func next(_ count: Int) throws(SQLiteError) -> [FoundItem] {
    var items: [FoundItem] = []
    while items.count < count, try statement.step() {
      let value = withValues ? SealedValue(value: try statement.blob(2), key: try statement.blob(3)) : nil
      items.append(FoundItem(id: try statement.integer(0), name: try statement.blob(1), value: value))
    }
    guard withTags else { return items }
    let tags = try reader.tags(of: items.map(\.id))
    for index in items.indices { items[index].tags = tags[items[index].id] ?? [] }
    return items
  }

  func close() { statement.reset() }
}
