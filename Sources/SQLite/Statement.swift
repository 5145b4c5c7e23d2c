internal import CSQLite

/// A prepared statement: bind, step through its rows, reset. It belongs to a connection and obeys its thread rule.
package final class Statement {
  let handle: OpaquePointer

  init(_ sql: String, on database: OpaquePointer) throws(SQLiteError) {
    var handle: OpaquePointer?
    // The flag marks a statement that is kept, so that SQLite allocates its memory from the general heap.
    let status = sqlite3_prepare_v3(database, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
    guard status == SQLITE_OK else { throw SQLiteError(database: database) }
    guard let handle else { throw SQLiteError(code: SQLITE_MISUSE, message: "an empty statement") }
    self.handle = handle
  }

  deinit { sqlite3_finalize(handle) }

  /// Runs the statement to its end with `values` for its parameters.
  package func run(_ values: Value...) throws(SQLiteError) {
    try forEach(binding: values) { _ in }
  }

  /// Runs the statement with `values` for its parameters and passes every row to `row`.
  package func forEach(
    _ values: Value..., row: (Statement) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    try forEach(binding: values, row: row)
  }

  package func forEach(
    binding values: [Value], row: (Statement) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    defer { reset() }
    try bind(values)
    while try step() { try row(self) }
  }

  /// The result of `row` for the first row; nil if there is no row.
  package func first<Result>(
    _ values: Value..., row: (Statement) throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result? {
    try first(binding: values, row: row)
  }

  package func first<Result>(
    binding values: [Value], row: (Statement) throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result? {
    defer { reset() }
    try bind(values)
    return try step() ? try row(self) : nil
  }

  /// Binds `values` to the parameters, in order. Parameters without a value are null.
  package func bind(_ values: [Value]) throws(SQLiteError) {
    for (index, value) in values.enumerated() { try bind(value, at: Int32(index + 1)) }
  }

  /// Goes to the next row. Returns false if no row follows.
  package func step() throws(SQLiteError) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw SQLiteError(database: sqlite3_db_handle(handle))
    }
  }

  /// Makes the statement ready for its next use and forgets the bound values.
  package func reset() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }

  private func bind(_ value: Value, at index: Int32) throws(SQLiteError) {
    let status =
      switch value {
      case .null: sqlite3_bind_null(handle, index)
      case .integer(let integer): sqlite3_bind_int64(handle, index, integer)
      case .real(let real): sqlite3_bind_double(handle, index, real)
      case .text(let text): bindText(text, at: index)
      case .blob(let bytes): bindBlob(bytes, at: index)
      }
    guard status == SQLITE_OK else { throw SQLiteError(database: sqlite3_db_handle(handle)) }
  }

  private func bindText(_ text: String, at index: Int32) -> Int32 {
    var text = text
    return text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        sqlite3_bind_text64(handle, index, $0.baseAddress, UInt64($0.count), copied, UInt8(SQLITE_UTF8))
      }
    }
  }

  private func bindBlob(_ bytes: [UInt8], at index: Int32) -> Int32 {
    // The address of an empty array may be null, and a null blob would be NULL.
    guard !bytes.isEmpty else { return sqlite3_bind_zeroblob(handle, index, 0) }
    return bytes.withUnsafeBytes { sqlite3_bind_blob64(handle, index, $0.baseAddress, UInt64($0.count), copied) }
  }
}

/// SQLITE_TRANSIENT: SQLite makes its own copy before the call returns.
let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
