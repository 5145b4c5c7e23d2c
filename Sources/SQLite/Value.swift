/// A value in one of SQLite's five storage classes. Text and blob are different things to SQLite: they never compare
/// equal.
package enum Value: Equatable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
}
