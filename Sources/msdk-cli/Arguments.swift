internal import ProgramArguments
internal import Wallet

/// A command with its operands and options.
struct Arguments {
  let command: Command
  /// The wallet's name.
  let wallet: String
  let operands: [String]
  let home: String?
  let keyFile, backupKeyFile, newKeyFile: String?
  let derivation, newDerivation: KeyDerivation
  let limit: Int
  let wantsJSON: Bool

  /// Reads the words after the command. After `--` every word is an operand.
  init(_ command: Command, _ words: some Sequence<String>) throws(UsageError) {
    let parsed: ParsedArguments<Option>
    do { parsed = try ParsedArguments(words, options: Option.common + command.options) } catch {
      throw UsageError(error, of: command)
    }
    var operands = parsed.operands
    self.command = command
    wallet = try Self.takeWallet(from: &operands, command)
    self.operands = operands
    home = parsed[.home]
    (keyFile, backupKeyFile, newKeyFile) = (parsed[.keyFile], parsed[.backupKeyFile], parsed[.newKeyFile])
    derivation = try Self.derivation(parsed[.derivation], .derivation)
    newDerivation = try Self.derivation(parsed[.newDerivation], .newDerivation)
    limit = try Self.limit(parsed[.limit])
    wantsJSON = parsed[.json] != nil
  }

  private static func takeWallet(from operands: inout [String], _ command: Command) throws(UsageError) -> String {
    let names = ["WALLET"] + command.operands
    let fewest = names.count - (command.lastIsOptional ? 1 : 0)
    guard operands.count >= fewest else { throw UsageError("\(names[operands.count]) is missing.") }
    guard operands.count <= names.count else {
      throw UsageError("\(quoted(operands[names.count])) is one argument too many.")
    }
    return operands.removeFirst()
  }

  private static func derivation(_ name: String?, _ option: Option) throws(UsageError) -> KeyDerivation {
    guard let name else { return .argon2iModerate }
    guard let derivation = KeyDerivation(rawValue: name) else {
      let names = KeyDerivation.allCases.map(\.rawValue).joined(separator: ", ")
      throw UsageError("\(option.rawValue) is one of \(names).")
    }
    return derivation
  }

  private static func limit(_ text: String?) throws(UsageError) -> Int {
    guard let text else { return .max }
    guard let limit = Int(text), limit > 0 else { throw UsageError("--limit is a number from 1.") }
    return limit
  }
}

extension UsageError {
  fileprivate init(_ error: ArgumentError, of command: Command) {
    switch error {
    case .unknownOption(let word): self.init("There is no option \(quoted(word)).")
    case .misplacedOption(let word): self.init("The command \(command.rawValue) takes no option \(word).")
    case .missingValue(let word): self.init("\(word) needs a value.")
    }
  }
}
