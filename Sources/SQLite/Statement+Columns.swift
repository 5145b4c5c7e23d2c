internal import CSQLite

/// The columns of the current row, counted from 0. To read a column of another storage class is an error, since SQLite
/// would convert it silently.
extension Statement {
  package func integer(_ column: Int) throws(SQLiteError) -> Int64 {
    try require(column, SQLITE_INTEGER, "an integer")
    return sqlite3_column_int64(handle, Int32(column))
  }

  /// Also fails if the text is not valid UTF-8.
  package func text(_ column: Int) throws(SQLiteError) -> String {
    try require(column, SQLITE_TEXT, "text")
    let start = sqlite3_column_text(handle, Int32(column))
    let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, Int32(column))))
    do { return String(copying: try UTF8Span(validating: bytes.span)) } catch { throw mismatch(column, "UTF-8") }
  }

  package func blob(_ column: Int) throws(SQLiteError) -> [UInt8] {
    try require(column, SQLITE_BLOB, "a blob")
    let start = sqlite3_column_blob(handle, Int32(column))
    return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, Int32(column)))))
  }

  /// The value in its own storage class.
  package func value(_ column: Int) throws(SQLiteError) -> Value {
    switch sqlite3_column_type(handle, Int32(column)) {
    case SQLITE_INTEGER: .integer(try integer(column))
    case SQLITE_FLOAT: .real(sqlite3_column_double(handle, Int32(column)))
    case SQLITE_TEXT: .text(try text(column))
    case SQLITE_BLOB: .blob(try blob(column))
    default: .null
    }
  }

  private func require(_ column: Int, _ type: Int32, _ expected: String) throws(SQLiteError) {
    guard sqlite3_column_type(handle, Int32(column)) == type else { throw mismatch(column, expected) }
  }

  private func mismatch(_ column: Int, _ expected: String) -> SQLiteError {
    let name = sqlite3_column_name(handle, Int32(column)).map { String(cString: $0) } ?? "\(column)"
    return SQLiteError(code: SQLITE_MISMATCH, message: "column \(name) is not \(expected)")
  }
}
