internal import CPostgreSQL

/// The answer to a statement: its rows, and the number of changed rows.
package final class Rows {
  let handle: OpaquePointer

  /// Takes ownership of a result.
  init(_ handle: OpaquePointer) { self.handle = handle }

  deinit { PQclear(handle) }

  package var count: Int { Int(PQntuples(handle)) }

  /// The number of rows that an INSERT, UPDATE or DELETE changed, or that a SELECT returned; 0 for other statements.
  package var touched: Int { Int(String(cString: PQcmdTuples(handle))) ?? 0 }

  /// The name of the executed command. COMMIT answers ROLLBACK if the transaction had failed before.
  var command: String { String(cString: PQcmdStatus(handle)) }

  /// The results of `body` for all rows.
  package func map<Result>(
    _ body: (Row) throws(PostgreSQLError) -> Result
  ) throws(PostgreSQLError) -> [Result] {
    var results: [Result] = []
    results.reserveCapacity(count)
    try forEach { row throws(PostgreSQLError) in results.append(try body(row)) }
    return results
  }

  /// Passes every row to `body`.
  package func forEach(_ body: (Row) throws(PostgreSQLError) -> Void) throws(PostgreSQLError) {
    for index in 0..<count { try body(Row(rows: self, index: Int32(index))) }
  }

  /// The result of `body` for the first row; nil if there is no row.
  package func first<Result>(_ body: (Row) throws(PostgreSQLError) -> Result) throws(PostgreSQLError) -> Result? {
    count == 0 ? nil : try body(Row(rows: self, index: 0))
  }
}

/// One row of an answer. Columns are counted from 0. Reading a column of another type, or a NULL, is an error.
package struct Row {
  fileprivate let rows: Rows
  fileprivate let index: Int32

  /// A BIGINT, or a BOOLEAN as 0 or 1.
  package func integer(_ column: Int) throws(PostgreSQLError) -> Int64 {
    let bytes = try bytes(column, [ColumnType.integer, ColumnType.boolean], "a bigint")
    return bytes.reduce(0) { $0 << 8 | Int64($1) }
  }

  package func text(_ column: Int) throws(PostgreSQLError) -> String {
    let bytes = try bytes(column, [ColumnType.text], "text")
    guard let text = String(validating: bytes, as: UTF8.self) else { throw mismatch(column, "UTF-8") }
    return text
  }

  /// A TEXT that may be NULL.
  package func optionalText(_ column: Int) throws(PostgreSQLError) -> String? {
    PQgetisnull(rows.handle, index, Int32(column)) == 0 ? try text(column) : nil
  }

  package func blob(_ column: Int) throws(PostgreSQLError) -> [UInt8] {
    Array(try bytes(column, [ColumnType.blob], "bytea"))
  }

  /// Points into the result, which lives as long as `rows`.
  private func bytes(
    _ column: Int, _ types: [UInt32], _ expected: String
  ) throws(PostgreSQLError) -> UnsafeRawBufferPointer {
    let number = Int32(column)
    guard types.contains(PQftype(rows.handle, number)), PQgetisnull(rows.handle, index, number) == 0 else {
      throw mismatch(column, expected)
    }
    return UnsafeRawBufferPointer(
      start: PQgetvalue(rows.handle, index, number), count: Int(PQgetlength(rows.handle, index, number)))
  }

  private func mismatch(_ column: Int, _ expected: String) -> PostgreSQLError {
    let name = PQfname(rows.handle, Int32(column)).map { String(cString: $0) } ?? "\(column)"
    // 42804: datatype_mismatch
    return PostgreSQLError(state: "42804", message: "column \(name) is not \(expected)")
  }
}
