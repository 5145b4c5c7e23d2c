internal import CQRencode

/// The QR code of a text.
package struct QRCode: Equatable, Sendable {
  /// The number of modules in a row, without the margin.
  package let width: Int
  /// Whether each module is dark, row by row, from the top left.
  private let modules: [Bool]

  /// The width of the white margin that readers need.
  package static let margin = 4

  /// Returns nil if the text is too long for a QR code: about 2900 bytes. Readers can restore the code if 7 percent is
  /// lost.
  package init?(_ text: String) {
    guard let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_L) else { return nil }
    defer { QRcode_free(code) }
    width = Int(code.pointee.width)
    guard let data = code.pointee.data else { return nil }
    modules = (0..<width * width).map { data[$0] & 1 == 1 }
  }

  /// Whether a module is dark. Modules outside are light.
  package func isDark(row: Int, column: Int) -> Bool {
    (0..<width).contains(row) && (0..<width).contains(column) && modules[row * width + column]
  }

  /// The code for a terminal, with two rows in each line. It draws the light modules, so that the code is right on a
  /// dark background; readers also accept the opposite.
  package var text: String {
    let range = -Self.margin..<width + Self.margin
    return stride(from: range.lowerBound, to: range.upperBound, by: 2).map { row in
      range.map { column in
        switch (isDark(row: row, column: column), isDark(row: row + 1, column: column)) {
        case (false, false): "█"
        case (false, true): "▀"
        case (true, false): "▄"
        case (true, true): " "
        }
      }.joined() + "\n"
    }.joined()
  }
}
