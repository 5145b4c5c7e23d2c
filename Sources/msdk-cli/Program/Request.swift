/// The request in a command line.
enum Request {
  case help(String)
  case run(Arguments)

  /// Reads the words after the name of the program.
  init(_ words: [String]) throws(UsageError) {
    guard let subject = words.first else { throw UsageError("A command is missing.") }
    if subject == "--version" {
      self = .help(Help.version)
    } else if Self.isHelp(subject) {
      self = .help(Help.program)
    } else if subject == "wallet" {
      try self.init(wallet: words.dropFirst())
    } else {
      try self.init(subject, words.dropFirst())
    }
  }

  private init(wallet words: ArraySlice<String>) throws(UsageError) {
    guard let subject = words.first else { throw UsageError("A command for the wallet is missing.") }
    if Self.isHelp(subject) { self = .help(Help.wallet) } else { try self.init("wallet " + subject, words.dropFirst()) }
  }

  private init(_ name: String, _ words: ArraySlice<String>) throws(UsageError) {
    guard let command = Command.named(name) else { throw UsageError("There is no command \(quoted(name)).") }
    let options = words.prefix { $0 != "--" }
    self = options.contains(where: Self.isHelp) ? .help(Help.of(command)) : .run(try Arguments(command, words))
  }

  private static func isHelp(_ word: String) -> Bool { word == "--help" || word == "-h" }
}
