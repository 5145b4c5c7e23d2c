internal import ProgramArguments

/// The request in a command line.
enum Request {
  case help(String)
  /// The command line is empty: a user sees the commands, and a script an error.
  case nothing
  case run(Arguments)

  /// Reads the words after the name of the program.
  init(_ words: [String]) throws(UsageError) {
    guard let subject = words.first else {
      self = .nothing
      return
    }
    if subject == "--version" {
      self = .help(Help.version)
    } else if Self.isHelp(subject) || words == ["help"] {
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
    guard let command = Command.named(name) else {
      throw UsageError("There is no command \(quoted(name)).\(Self.suggestion(name, Command.all.map(\.name)))")
    }
    let options = words.prefix { $0 != "--" }
    self = options.contains(where: Self.isHelp) ? .help(Help.of(command)) : .run(try Arguments(command, words))
  }

  /// " Did you mean …?", if one of the words is alike.
  static func suggestion(_ word: String, _ words: [String]) -> String {
    closest(to: word, among: words).map { " Did you mean \(quoted($0))?" } ?? ""
  }

  private static func isHelp(_ word: String) -> Bool { word == "--help" || word == "-h" }
}
