internal import SQLite

extension Wallet {
  /// Finds the records of a type that satisfy a query; `{}` finds all. A malformed query is not executed.
  package func search(
    type: String, query text: String, options: SearchOptions = SearchOptions()
  ) throws(WalletError) -> Search {
    try refuseReserved(type)
    return try search(anyType: type, query: text, options: options)
  }

  /// Finds records of any type, for the library's own use.
  func search(anyType type: String, query text: String, options: SearchOptions) throws(WalletError) -> Search {
    let query = try Query.parse(text).map(cipher.seal)
    let sql = QuerySQL(type: cipher.seal(type: type), query)
    return try readers.lend { lent throws(WalletError) in
      let search = try begin(sql, type, options, on: lent)
      searches.add(search)
      // A wallet that was closed meanwhile did not know of this search.
      if readers.isClosed { search.detach() }
      return search
    }
  }

  private func begin(
    _ sql: QuerySQL, _ type: String, _ options: SearchOptions, on lent: ReaderPool<Reader>.Lent
  ) throws(WalletError) -> Search {
    let reader = lent.reader
    var isKept = false
    defer {
      if !isKept { readers.giveBack(lent) }
    }
    do {
      let count = options.totalCount ? try reader.count(sql) : nil
      let cursor = try Cursor(
        sql, on: reader, withValues: options.retrieval.value, withTags: options.retrieval.tags)
      defer {
        if !isKept { cursor.close() }
      }
      // Without the log nobody could write while the cursor is open.
      let chunk = reader.database.hasWriteAheadLog ? Search.firstChunk : .max
      let items = options.records ? try cursor.next(chunk) : []
      isKept = items.count == chunk
      return Search(
        type: type, retrieval: options.retrieval, cipher: cipher, totalCount: count, items: items,
        source: isKept ? Search.Source(cursor: cursor, lent: lent, pool: readers) : nil)
    } catch {
      throw reader.predicateFailure ?? Self.refusal(error)
    }
  }

  /// The statement was made from the query, so SQLite can refuse it only for its size.
  private static func refusal(_ error: SQLiteError) -> WalletError {
    error.primary == .error ? .malformedQuery(reason: "too large or nested too deeply", at: "") : WalletError(error)
  }
}
