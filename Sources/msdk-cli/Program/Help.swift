internal import CRevision

/// The texts of `--help`, and of `--version`.
enum Help {
  /// The text of `--version`.
  static let version = "msdk \(unsafe String(cString: build_version))\n"

  static let program = """
    usage: msdk COMMAND [ARGUMENT...] [OPTION...]
           msdk COMMAND --help
           msdk --version

    An agent on the command line: connections, messages, credentials and proofs,
    and a look into wallets of the Mobile SDK and of libindy.

    \(table(Command.all.map { ($0.usage, $0.summary) }))

    \(endings)

    """

  static let wallet = """
    usage: msdk wallet COMMAND WALLET [ARGUMENT...] [OPTION...]
           msdk wallet COMMAND --help

    Looks into wallets of the Mobile SDK and of libindy, and looks after them.
    --config FILE takes the place of WALLET: it names the wallet of an agent.

    \(table(Command.wallet.map { ($0.usage, $0.summary) }))

    \(options(Option.ofWallets))

    \(keys)

    \(endings)

    """

  static func of(_ command: Command) -> String {
    let options = command.options.isEmpty ? "" : "\n" + options(command.options) + "\n"
    let keys = command.options.contains(.keyFile) ? "\n" + keys + "\n" : ""
    return """
      usage: msdk \(command.usage)\(command.options.isEmpty ? "" : " [OPTION...]")

        \(wrapped(command.summary, width: 77).joined(separator: "\n  "))
      \(options)\(keys)
      """
  }

  static let keys = """
    Keys are never arguments, which other users can see. Without the option for
    its file a key comes from the environment, MSDK_WALLET_KEY, MSDK_BACKUP_KEY or
    MSDK_WALLET_NEW_KEY, and if it is not there either, from a prompt.
    """

  static let endings = """
    Ends with 0 when it is done, 1 when it failed, 2 when the command line is
    wrong, 3 when a check found faults.
    """

  private static func options(_ options: [Option]) -> String {
    table(options.map { ([$0.rawValue, $0.value].compactMap { $0 }.joined(separator: " "), $0.summary) })
  }

  /// Names with their summaries, for a terminal of 80 columns; a long name has a line of its own.
  private static func table(_ rows: [(String, String)]) -> String {
    let width = min(rows.map(\.0.count).max() ?? 0, 26)
    let indent = "\n" + String(repeating: " ", count: width + 4)
    return rows.map { name, summary in
      let gap = name.count > width ? indent : String(repeating: " ", count: width - name.count + 2)
      return "  \(name)\(gap)\(wrapped(summary, width: 76 - width).joined(separator: indent))"
    }.joined(separator: "\n")
  }

  private static func wrapped(_ text: String, width: Int) -> [String] {
    text.split(separator: " ").reduce(into: []) { lines, word in
      if let last = lines.last, last.count + word.count < width {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(String(word))
      }
    }
  }
}
