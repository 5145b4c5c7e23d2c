/// A value in one of SQLite's five storage classes. SQLite never compares text and blob as equal.
package enum Value: Equatable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
}
