/// Breaks a line for a terminal of so many columns, and indents the further lines, so that none of them looks like a line
/// of its own. The line is broken between words, or within a word that fills a line.
package func wrapped(_ line: String, to columns: Int) -> String {
  guard width(of: line) > columns else { return line }
  let words = line.split(separator: " ", omittingEmptySubsequences: false)
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
private func width(of character: Character) -> Int {
  character.unicodeScalars.reduce(0) { $0 + ($1.isSurelyNarrow ? 1 : 2) }
}

extension Unicode.Scalar {
  /// Whether terminals show the character in one column at most, in every version of Unicode's Standard Annex 11: the
  /// alphabets before Hangul, further letters of Latin and Greek, and punctuation.
  fileprivate var isSurelyNarrow: Bool { value < 0x1100 || (0x1E00...0x20CF).contains(value) }
}
