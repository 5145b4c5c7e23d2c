internal import ProgramArguments

/// A line about a value: a word for its treatment, its name, and the value.
struct ContentRow {
  var word = ""
  let name: String
  let value: String

  /// The rows with their parts in columns. Further lines of a value are indented, so that they do not look like another
  /// row. A value that would fill the terminal, such as a picture in base64, is cut.
  static func lines(_ rows: [ContentRow]) -> [String] {
    let words = rows.map(\.word.count).max() ?? 0
    let names = min(rows.map { printable($0.name).count }.max() ?? 0, 24)
    return rows.map { row in
      let start = "     " + padded(row.word, words, words > 0 ? 2 : 0) + padded(printable(row.name), names, 2)
      return start + printable(shortened(row.value), indentation: start.count)
    }
  }

  private static func padded(_ text: String, _ width: Int, _ gap: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count) + gap)
  }

  /// The beginning of a long text, and its length.
  static func shortened(_ value: String) -> String {
    let longest = 400
    guard value.count > longest else { return value }
    return value.prefix(longest) + "… (\(value.count) characters)"
  }
}
