/// Something that is measured: a name of `make bench`, and one run of it.
struct Operation {
  let name: String
  /// Whether `make check-speed` counts its instructions.
  let isCounted: Bool
  let run: () throws -> Void

  init(_ name: String, counted isCounted: Bool = true, _ run: @escaping () throws -> Void) {
    self.name = name
    self.isCounted = isCounted
    self.run = run
  }
}
