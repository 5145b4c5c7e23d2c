/// Breaks a line for a terminal of so many columns, and indents the further lines, so that none of them looks like a line
/// of its own.
///
/// The line is broken between words, or within a word that fills a line. A line of one word, such as a URL, stays whole
/// for copying.
package func wrapped(_ line: String, to columns: Int) -> String {
  let words = line.split(separator: " ", omittingEmptySubsequences: false)
  guard words.filter({ !$0.isEmpty }).count > 1, width(of: line) > columns else { return line }
  let indentation = min(line.prefix { $0 == " " }.count + 4, columns / 2)
  let lineBreak = "\n" + String(repeating: " ", count: indentation)
  var (result, used) = ("", 0)
  for (index, word) in words.enumerated() {
    if index > 0 {
      if used + 1 + width(of: word) <= columns {
        (result, used) = (result + " ", used + 1)
      } else {
        (result, used) = (result + lineBreak, indentation)
      }
    }
    for character in word {
      let width = width(of: character)
      if used + width > columns { (result, used) = (result + lineBreak, indentation) }
      (result, used) = (result + String(character), used + width)
    }
  }
  return result
}

private func width(of text: some StringProtocol) -> Int { text.reduce(0) { $0 + width(of: $1) } }

/// The columns of a character, or more: a line that is broken too early does no harm.
private func width(of character: Character) -> Int { character.unicodeScalars.reduce(0) { $0 + ($1.isWide ? 2 : 1) } }

extension Unicode.Scalar {
  /// Whether terminals show the character in two columns (Unicode's Standard Annex 11): East Asian writing, and emoji.
  fileprivate var isWide: Bool {
    switch value {
    case 0x1100...0x115F, 0x2600...0x27BF, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFFE6, 0x1F000...0x3FFFD:
      true
    default: false
    }
  }
}
