/// Text for people: escapes characters that would control a terminal, as `\u{1B}`. Keeps line breaks if `lines`.
func printable(_ text: String, lines: Bool = false) -> String {
  var result = ""
  for scalar in text.unicodeScalars {
    switch scalar.properties.generalCategory {
    case .control where !(lines && scalar == "\n"), .format, .lineSeparator, .paragraphSeparator:
      result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result
}

/// A name for a sentence.
func quoted(_ text: String) -> String { "\"\(printable(text))\"" }

/// The description of an error as a sentence.
func asSentence(_ text: String) -> String {
  let text = printable(text)
  return text.prefix(1).uppercased() + text.dropFirst() + (text.hasSuffix(".") ? "" : ".")
}
