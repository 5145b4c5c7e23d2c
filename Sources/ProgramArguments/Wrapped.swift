/// Breaks a line for a terminal of so many columns. The further lines are indented more deeply than any line of the program
/// begins, and blanks at a break are left out, so that none of them looks like a line of its own. The line is broken between
/// words, or within a word that fills a line. A command in backticks stays whole if it is no longer than half a line.
package func wrapped(_ line: String, to columns: Int) -> String {
  guard width(of: line) > columns else { return line }
  let indentation = min(line.prefix { $0 == " " }.count + 8, columns / 2)
  let lineBreak = "\n" + String(repeating: " ", count: indentation)
  var (result, used) = ("", 0)
  for (index, word) in words(of: line, longest: columns / 2).enumerated() {
    let width = width(of: word)
    if index > 0 {
      let least = width > columns - indentation ? 1 : width
      if used + 1 + least <= columns {
        result += " "
        used += 1
      } else if width > 0 {
        result += lineBreak
        used = indentation
      }
    }
    for character in word {
      let needed = cells(of: character)
      if used + needed > columns {
        result += lineBreak
        used = indentation
      }
      result.append(character)
      used += needed
    }
  }
  return result
}

/// The parts between which a line may be broken. The words of a text in backticks are one part of `longest` columns at most.
private func words(of line: String, longest: Int) -> [String] {
  var words: [String] = []
  var isOpen = false
  for word in line.split(separator: " ", omittingEmptySubsequences: false).map(String.init) {
    if isOpen, let start = words.last, width(of: start) + 1 + width(of: word) <= longest {
      words[words.count - 1] = start + " " + word
    } else {
      words.append(word)
      isOpen = false
    }
    if word.count(where: { $0 == "`" }) % 2 == 1 { isOpen.toggle() }
  }
  return words
}

private func width(of text: some StringProtocol) -> Int { text.reduce(0) { $0 + cells(of: $1) } }

/// The columns of a character, or more: a line that is broken too early does no harm.
private func cells(of character: Character) -> Int {
  character.unicodeScalars.reduce(0) { $0 + ($1.isSurelyNarrow ? 1 : 2) }
}

extension Unicode.Scalar {
  /// Whether terminals show the character in one column at most, in every version of Unicode's Standard Annex 11: the
  /// alphabets before Hangul, further letters of Latin and Greek, and punctuation.
  fileprivate var isSurelyNarrow: Bool { value < 0x1100 || (0x1E00...0x20CF).contains(value) }
}
