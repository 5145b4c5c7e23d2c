internal import JSON
internal import ProgramArguments
internal import Wallet

/// A command with its operands and options.
struct Arguments: Sendable {
  let command: Command
  let operands: [String]
  let derivation, newDerivation: KeyDerivation
  let limit, skip: Int
  /// The seconds to wait for the other side.
  let timeout: Int
  private let options: ParsedArguments<Option>

  /// Reads the words after the command. After `--` every word is an operand.
  init(_ command: Command, _ words: some Sequence<String>) throws(UsageError) {
    do { options = try ParsedArguments(words, options: command.options) } catch {
      throw UsageError(error, of: command)
    }
    self.command = command
    operands = options.operands
    try Self.check(operands, of: command, command.operands(withConfiguration: options[.config] != nil))
    derivation = try Self.derivation(options[.derivation], .derivation)
    newDerivation = try Self.derivation(options[.newDerivation], .newDerivation)
    limit = try Self.number(options[.limit], .limit) ?? .max
    skip = try Self.number(options[.skip], .skip) ?? 0
    timeout = try Self.number(options[.timeout], .timeout) ?? 60
  }

  /// The value of an option, an empty text for an option without a value; nil for an absent option.
  subscript(option: Option) -> String? { options[option] }

  func has(_ option: Option) -> Bool { options[option] != nil }

  var wantsJSON: Bool { has(.json) }

  private static func check(_ given: [String], of command: Command, _ operands: [String]) throws(UsageError) {
    let required = operands.filter { !$0.hasPrefix("[") }
    guard given.count >= required.count else {
      throw UsageError("\(required[given.count]) is missing.", of: command)
    }
    guard given.count <= operands.count else {
      throw UsageError("\(quoted(given[operands.count])) is one argument too many.", of: command)
    }
  }

  private static func derivation(_ name: String?, _ option: Option) throws(UsageError) -> KeyDerivation {
    guard let name else { return .argon2iModerate }
    guard let derivation = KeyDerivation(rawValue: name) else {
      let names = KeyDerivation.allCases.map(\.rawValue).joined(separator: ", ")
      throw UsageError("\(option.rawValue) is one of \(names).")
    }
    return derivation
  }

  private static func number(_ text: String?, _ option: Option) throws(UsageError) -> Int? {
    guard let text else { return nil }
    guard let number = Int(text), number > 0 else { throw UsageError("\(option.rawValue) is a number from 1.") }
    return number
  }
}

// MARK: - Results

extension Arguments {
  /// Shows a result: as JSON if requested, otherwise in lines for people. A terminal gets lines that fit it, unless
  /// people copy them `whole`.
  func show(_ json: JSON, whole: Bool = false, _ lines: @autoclosure () -> [String]) throws(Failure) {
    try show(wantsJSON ? [printable(json: json.text)] : lines(), whole: whole || wantsJSON)
  }

  func show(_ lines: [String], whole: Bool = false) throws(Failure) {
    try Terminal.writeResult(lines.map { (whole ? $0 : Terminal.fitted($0)) + "\n" }.joined())
  }
}

extension UsageError {
  fileprivate init(_ error: ArgumentError, of command: Command) {
    switch error {
    case .unknownOption(let word):
      let suggestion = Request.suggestion(word, command.options.map(\.rawValue) + ["--help"])
      self.init("There is no option \(quoted(word)).\(suggestion)", of: command)
    case .misplacedOption(let word): self.init("The command \(command.name) takes no option \(word).", of: command)
    case .missingValue(let word): self.init("\(word) needs a value.", of: command)
    }
  }
}
