/// Text for people: escapes characters that would control a terminal, as `\u{1B}`.
///
/// With an `indentation` it keeps line breaks and puts so many spaces before the lines after the first. A line that
/// begins at the margin is then the program's own line, and no stranger's.
package func printable(_ text: String, indentation: Int? = nil) -> String {
  var result = ""
  for scalar in text.unicodeScalars {
    if let indentation, scalar == "\n" {
      result += "\n" + String(repeating: " ", count: indentation)
    } else if scalar.controlsTerminal {
      result += "\\u{\(hexadecimal(scalar.value))}"
    } else {
      result.unicodeScalars.append(scalar)
    }
  }
  return result
}

/// A JSON text for people and programs: the same value, with JSON escapes for the characters that would control a
/// terminal. JSON has such characters only in its strings.
package func printable(json text: String) -> String {
  var result = ""
  for scalar in text.unicodeScalars {
    if scalar.controlsTerminal {
      for unit in String(scalar).utf16 {
        result += "\\u" + String(repeating: "0", count: 4 - hexadecimal(unit).count) + hexadecimal(unit)
      }
    } else {
      result.unicodeScalars.append(scalar)
    }
  }
  return result
}

extension Unicode.Scalar {
  /// Whether a terminal may obey the character instead of showing it: the control characters of ASCII and Latin-1, line
  /// separators, and marks of the direction of text.
  fileprivate var controlsTerminal: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}

private func hexadecimal(_ number: some BinaryInteger) -> String { String(number, radix: 16, uppercase: true) }

/// A name in quotation marks, for a sentence.
package func quoted(_ text: String) -> String { "\"\(printable(text))\"" }

/// The description of an error as a sentence.
package func asSentence(_ text: String) -> String {
  let text = printable(text)
  return text.prefix(1).uppercased() + text.dropFirst() + (text.last.map { ".?!".contains($0) } == true ? "" : ".")
}
