internal import CSQLite

extension Database {
  /// The body of an SQL function: values in, a value out. An error ends the statement that called it.
  package typealias Function = @Sendable ([Value]) throws(SQLiteError) -> Value

  /// Defines an SQL function with `arguments` arguments.
  package func define(_ name: String, arguments: Int, _ function: @escaping Function) throws(SQLiteError) {
    let context = Unmanaged.passRetained(FunctionBox(function)).toOpaque()
    let status = sqlite3_create_function_v2(
      handle, name, Int32(arguments), SQLITE_UTF8 | SQLITE_DIRECTONLY, context,
      { context, count, arguments in FunctionBox.call(context, count, arguments) }, nil, nil,
      { Unmanaged<FunctionBox>.fromOpaque($0.unsafelyUnwrapped).release() })
    guard status == SQLITE_OK else { throw SQLiteError(database: handle) }
  }
}

/// The function, behind the pointer that SQLite keeps.
private final class FunctionBox {
  let function: Database.Function

  init(_ function: @escaping Database.Function) { self.function = function }

  static func call(
    _ context: OpaquePointer?, _ count: Int32, _ arguments: UnsafeMutablePointer<OpaquePointer?>?
  ) {
    guard let box = sqlite3_user_data(context) else { return }
    let function = Unmanaged<FunctionBox>.fromOpaque(box).takeUnretainedValue().function
    do throws(SQLiteError) {
      let values = (0..<Int(count)).map { Value(copying: arguments?[$0]) }
      set(try function(values), as: context)
    } catch {
      sqlite3_result_error(context, error.message, -1)
      sqlite3_result_error_code(context, error.code)
    }
  }

  private static func set(_ value: Value, as context: OpaquePointer?) {
    switch value {
    case .null: sqlite3_result_null(context)
    case .integer(let integer): sqlite3_result_int64(context, integer)
    case .real(let real): sqlite3_result_double(context, real)
    case .text(let text):
      var text = text
      text.withUTF8 {
        let start = UnsafeRawPointer($0.baseAddress)?.assumingMemoryBound(to: CChar.self)
        sqlite3_result_text64(context, start, UInt64($0.count), copied, UInt8(SQLITE_UTF8))
      }
    case .blob(let bytes):
      bytes.withUnsafeBytes { sqlite3_result_blob64(context, $0.baseAddress, UInt64($0.count), copied) }
    }
  }
}

extension Value {
  fileprivate init(copying value: OpaquePointer?) {
    let bytes = { UnsafeRawBufferPointer(start: $0, count: Int(sqlite3_value_bytes(value))) }
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: self = .integer(sqlite3_value_int64(value))
    case SQLITE_FLOAT: self = .real(sqlite3_value_double(value))
    case SQLITE_TEXT: self = .text(String(decoding: bytes(sqlite3_value_text(value)), as: UTF8.self))
    case SQLITE_BLOB: self = .blob(Array(bytes(sqlite3_value_blob(value))))
    default: self = .null
    }
  }
}
