extension QRCode {
  /// The code as a picture in SVG, black on white, one unit for a module. The reader decides the size.
  package var svg: String {
    let side = width + 2 * Self.margin
    let rows = (0..<width).flatMap { row in
      runs(in: row).map { "M\($0.lowerBound + Self.margin) \(row + Self.margin)h\($0.count)v1h-\($0.count)z" }
    }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(side) \(side)" shape-rendering="crispEdges">\
      <path fill="#fff" d="M0 0h\(side)v\(side)H0z"/><path d="\(rows.joined())"/></svg>

      """
  }

  /// The dark modules of a row that lie side by side.
  private func runs(in row: Int) -> [Range<Int>] {
    (0..<width).reduce(into: []) { runs, column in
      guard isDark(row: row, column: column) else { return }
      if let last = runs.last, last.upperBound == column {
        runs[runs.count - 1] = last.lowerBound..<column + 1
      } else {
        runs.append(column..<column + 1)
      }
    }
  }
}
