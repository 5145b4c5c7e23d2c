/// The request in a command line.
enum Request {
  case help(String)
  case wallet(Arguments)

  /// Reads the words after the name of the program.
  init(_ words: [String]) throws(UsageError) {
    guard let subject = words.first else { throw UsageError("A command is missing.") }
    if Self.isHelp(subject) {
      self = .help(Help.wallet)
      return
    }
    if subject == "--version" {
      self = .help(Help.version)
      return
    }
    guard subject == "wallet" else { throw UsageError("There is no command \(quoted(subject)).") }
    guard words.count > 1 else { throw UsageError("What to do with the wallet is missing.") }
    if Self.isHelp(words[1]) {
      self = .help(Help.wallet)
      return
    }
    guard let command = Command(rawValue: words[1]) else {
      throw UsageError("There is no command \"wallet \(printable(words[1]))\".")
    }
    let options = words.dropFirst(2).prefix { $0 != "--" }
    self = options.contains(where: Self.isHelp) ? .help(Help.of(command)) : .wallet(try Arguments(command, words[2...]))
  }

  private static func isHelp(_ word: String) -> Bool { word == "--help" || word == "-h" }
}
