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
    var (operands, values) = ([String](), [Option: String]())
    var rest = words.makeIterator()
    var takesOptions = true
    while let word = rest.next() {
      if takesOptions, word == "--" {
        takesOptions = false
      } else if takesOptions, word.hasPrefix("-") {
        let option = try Self.option(word, of: command)
        guard let value = option.value == nil ? "" : rest.next() else { throw UsageError("\(word) needs a value.") }
        values[option] = value
      } else {
        operands.append(word)
      }
    }
    self.command = command
    wallet = try Self.takeWallet(from: &operands, command)
    self.operands = operands
    home = values[.home]
    (keyFile, backupKeyFile, newKeyFile) = (values[.keyFile], values[.backupKeyFile], values[.newKeyFile])
    derivation = try Self.derivation(values[.derivation], .derivation)
    newDerivation = try Self.derivation(values[.newDerivation], .newDerivation)
    limit = try Self.limit(values[.limit])
    wantsJSON = values[.json] != nil
  }

  private static func option(_ word: String, of command: Command) throws(UsageError) -> Option {
    guard let option = Option(rawValue: word) else { throw UsageError("There is no option \(quoted(word)).") }
    guard (Option.common + command.options).contains(option) else {
      throw UsageError("The command \(command.rawValue) takes no option \(word).")
    }
    return option
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
