/// An option of a program. Its raw value is the word for it, such as `--home`.
package protocol ProgramOption: RawRepresentable, Hashable, Sendable where RawValue == String {
  /// The name of the option's value in the help; nil for an option without a value.
  var value: String? { get }
}

/// A command line's words, divided into options with their values, and operands. After `--` every word is an operand.
package struct ParsedArguments<Option: ProgramOption>: Sendable {
  /// The operands in their order.
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

  /// The value of an option; its last value if the option occurs twice; an empty text for an option without a value.
  /// Nil for an absent option.
  package subscript(option: Option) -> String? { values[option] }
}

/// The reasons why words are no command line.
package enum ArgumentError: Error, Equatable, Sendable {
  /// The program has no such option.
  case unknownOption(String)
  /// The program has the option, but not for this command.
  case misplacedOption(String)
  case missingValue(String)
}
