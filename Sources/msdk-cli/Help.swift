internal import CRevision

/// The texts of `--help`, and of `--version`.
enum Help {
  /// The text of `--version`.
  static let version = "msdk \(unsafe String(cString: build_version))\n"

  static let wallet = """
    usage: msdk wallet COMMAND WALLET [ARGUMENT...] [OPTION...]
           msdk wallet COMMAND --help
           msdk --version

    Looks into wallets of the Mobile SDK and of libindy, and looks after them.

    \(table(Command.allCases.map { (usage(of: $0), $0.summary) }))

    \(options(Option.common))

    \(keys)

    Ends with 0 when it is done, 1 when it failed, 2 when the command line is wrong, 3 when verify found faults.

    """

  static func of(_ command: Command) -> String {
    """
    usage: msdk wallet \(usage(of: command)) [OPTION...]

      \(command.summary)

    \(options(Option.common + command.options))

    \(keys)

    """
  }

  private static let keys = """
    Keys are never arguments, which other users can see. Without the option for its file a key comes from the
    environment, MSDK_WALLET_KEY, MSDK_BACKUP_KEY or MSDK_WALLET_NEW_KEY, and if it is not there either, from a prompt.
    """

  private static func usage(of command: Command) -> String {
    var words = [command.rawValue, "WALLET"] + command.operands
    if command.lastIsOptional { words[words.count - 1] = "[\(words[words.count - 1])]" }
    return words.joined(separator: " ")
  }

  private static func options(_ options: [Option]) -> String {
    table(options.map { ([$0.rawValue, $0.value].compactMap { $0 }.joined(separator: " "), $0.summary) })
  }

  private static func table(_ rows: [(String, String)]) -> String {
    let width = rows.map(\.0.count).max() ?? 0
    return rows.map { "  \($0)\(String(repeating: " ", count: width - $0.count + 2))\($1)" }.joined(separator: "\n")
  }
}
