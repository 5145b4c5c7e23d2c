internal import ProgramArguments

/// A line about a value: a word for its treatment, its name, and the value.
struct ContentRow: Hashable {
  var word = ""
  let name: String
  let value: String

  /// The rows with their parts in columns. Further lines of a value are indented, so that they do not look like another
  /// row. A name or a value that would fill the terminal, such as a picture in base64, is cut. Equal rows, of which a
  /// request may ask for many, are one line with their number.
  static func lines(_ rows: [ContentRow]) -> [String] {
    let words = rows.map(\.word.count).max() ?? 0
    let names = min(rows.map(\.shownName.count).max() ?? 0, 24)
    let counts = rows.reduce(into: [:]) { counts, row in counts[row, default: 0] += 1 }
    var seen: Set<ContentRow> = []
    return rows.filter { seen.insert($0).inserted }.map { row in
      let start = "     " + padded(row.word, words, words > 0 ? 2 : 0) + padded(row.shownName, names, 2)
      let repetitions = counts[row] == 1 ? "" : " (\(counts[row] ?? 1) times)"
      return start + printable(shortened(row.value), indentation: start.count) + repetitions
    }
  }

  private var shownName: String { Self.title(name, longest: 160) }

  private static func padded(_ text: String, _ width: Int, _ gap: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count) + gap)
  }

  /// Another side's name for a thing, with one blank for several, for a line of the program.
  static func title(_ name: String, longest: Int = 80) -> String {
    printable(shortened(name.split(whereSeparator: \.isWhitespace).joined(separator: " "), to: longest))
  }

  /// The beginning of a long text, or of a text of many lines, and its length. The text is long by its characters as
  /// `printable` shows them: one letter may carry thousands of marks.
  static func shortened(_ value: String, to longest: Int = 400) -> String {
    let scalars = value.unicodeScalars
    var (lines, length) = (1, 0)
    let end = scalars.firstIndex { scalar in
      lines += scalar == "\n" ? 1 : 0
      length += printable(String(scalar)).count
      return lines > mostLines || length > longest
    }
    guard let end else { return value }
    return String(scalars[..<end]) + "… (\(scalars.count) characters)"
  }

  private static let mostLines = 6
}
