/// Something that is measured: a name of `make bench`, and one run of it.
struct Operation {
  let name: String
  /// Whether `make check-speed` counts its instructions.
  let isCounted: Bool
  /// Whether it can run as often as a clock needs.
  let isTimed: Bool
  /// Makes the data that the operation works on, and returns one run of it.
  let prepare: () throws -> () throws -> Void

  init(
    _ name: String, counted isCounted: Bool = true, timed isTimed: Bool = true,
    _ prepare: @escaping () throws -> () throws -> Void
  ) {
    self.name = name
    self.isCounted = isCounted
    self.isTimed = isTimed
    self.prepare = prepare
  }
}
