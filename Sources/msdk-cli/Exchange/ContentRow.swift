internal import ProgramArguments

/// A line about a value: a word for its treatment, its name, and the value.
struct ContentRow {
  var word = ""
  let name: String
  let value: String

  /// The rows with their parts in columns. Further lines of a value are indented, so that they do not look like another
  /// row. A name or a value that would fill the terminal, such as a picture in base64, is cut.
  static func lines(_ rows: [ContentRow]) -> [String] {
    let words = rows.map(\.word.count).max() ?? 0
    let names = min(rows.map(\.shownName.count).max() ?? 0, 24)
    return rows.map { row in
      let start = "     " + padded(row.word, words, words > 0 ? 2 : 0) + padded(row.shownName, names, 2)
      return start + printable(shortened(row.value), indentation: start.count)
    }
  }

  /// The name with one blank for several, which the other side may write: they do not count for an attribute's name.
  private var shownName: String {
    printable(Self.shortened(name.split(whereSeparator: \.isWhitespace).joined(separator: " "), to: 160))
  }

  private static func padded(_ text: String, _ width: Int, _ gap: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count) + gap)
  }

  /// The beginning of a long text, or of a text of many lines, and its length.
  static func shortened(_ value: String, to longest: Int = 400) -> String {
    let lines = value.split(maxSplits: mostLines, omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let end = lines.count > mostLines ? lines[mostLines - 1].endIndex : value.endIndex
    let shown = value[..<end].prefix(longest)
    return shown.endIndex == value.endIndex ? value : shown + "… (\(value.count) characters)"
  }

  private static let mostLines = 6
}
