/// A value for a parameter of a statement, of the type that the statement declares for it.
package enum Value: Equatable, Sendable {
  /// BIGINT.
  case integer(Int64)
  /// TEXT; nil is NULL. PostgreSQL refuses text that holds U+0000.
  case text(String?)
  /// BYTEA.
  case blob([UInt8])
  /// TEXT[], for `= ANY ($n)`; nil is NULL.
  case texts([String]?)
}

/// The supported types, by their fixed numbers in the catalogue (pg_type.dat).
enum ColumnType {
  static let boolean: UInt32 = 16
  static let blob: UInt32 = 17
  static let integer: UInt32 = 20
  static let text: UInt32 = 25
  static let texts: UInt32 = 1009
}

extension Value {
  var type: UInt32 {
    switch self {
    case .integer: ColumnType.integer
    case .text: ColumnType.text
    case .blob: ColumnType.blob
    case .texts: ColumnType.texts
    }
  }

  /// The value in PostgreSQL's binary format, the format of the types' send functions; nil for NULL.
  var binary: [UInt8]? {
    switch self {
    case .integer(let integer): integer.bigEndianBytes
    case .text(let text): text.map { Array($0.utf8) }
    case .blob(let bytes): bytes
    case .texts(let texts): texts.map(Self.array)
    }
  }

  /// The format of array_send: dimensions, whether there are NULLs, element type, length and lower bound of the one
  /// dimension; then each element after its length.
  private static func array(_ texts: [String]) -> [UInt8] {
    var bytes = Int32(texts.isEmpty ? 0 : 1).bigEndianBytes + Int32(0).bigEndianBytes + ColumnType.text.bigEndianBytes
    guard !texts.isEmpty else { return bytes }
    bytes += Int32(texts.count).bigEndianBytes + Int32(1).bigEndianBytes
    for text in texts { bytes += Int32(text.utf8.count).bigEndianBytes + Array(text.utf8) }
    return bytes
  }
}

extension FixedWidthInteger {
  var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}
