/// An option of a program. Its raw value is the word for it, such as `--home`.
package protocol ProgramOption: RawRepresentable, Hashable, Sendable where RawValue == String {
  /// The name of its value in the help; nil for an option without a value.
  var value: String? { get }
}

/// The words of a command line, told apart: options with their values, and operands. After `--` every word is an operand.
package struct ParsedArguments<Option: ProgramOption>: Sendable {
  /// In their order.
  package private(set) var operands: [String] = []
  private var values: [Option: String] = [:]

  /// Reads words of which only `options` may be options.
  package init(_ words: some Sequence<String>, options: [Option]) throws(ArgumentError) {
    var rest = words.makeIterator()
    var takesOptions = true
    while let word = rest.next() {
      if takesOptions, word == "--" {
        takesOptions = false
      } else if takesOptions, word.hasPrefix("-") {
        guard let option = Option(rawValue: word) else { throw .unknownOption(word) }
        guard options.contains(option) else { throw .misplacedOption(word) }
        guard let value = option.value == nil ? "" : rest.next() else { throw .missingValue(word) }
        values[option] = value
      } else {
        operands.append(word)
      }
    }
  }

  /// The value of an option, the last one if it is named twice; an empty text for an option without a value. Nil for an
  /// option that is not there.
  package subscript(option: Option) -> String? { values[option] }
}

/// Why words are no command line.
package enum ArgumentError: Error, Equatable, Sendable {
  /// The program has no such option.
  case unknownOption(String)
  /// The program has the option, but not here.
  case misplacedOption(String)
  case missingValue(String)
}
