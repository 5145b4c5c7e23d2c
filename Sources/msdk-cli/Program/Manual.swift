/// The manual page, made from the table of commands.
enum Manual {
  static var page: String {
    """
    .TH MSDK 1 "" "\(escaped(String(Help.version.dropLast())))" "msdk"
    .nh
    .ad l
    .SH NAME
    msdk \\- an agent on the command line: connections, messages, credentials, proofs, wallets
    .SH SYNOPSIS
    .B msdk
    .I COMMAND
    [\\fIARGUMENT\\fR...] [\\fIOPTION\\fR...]
    .SH DESCRIPTION
    .B msdk provision
    makes a wallet and a mailbox at an agency or a mediator, and a configuration file. The other commands of an agent use that file.
    The commands that begin with
    .B msdk wallet
    need no agency: they look into wallets of the Mobile SDK and of libindy.
    \(section("COMMANDS OF AN AGENT", Command.session))
    \(section("COMMANDS ON WALLETS", Command.wallet))
    \(section("OTHER COMMANDS", Command.about))
    .SH OPTIONS
    \(Option.allCases.map(entry).joined(separator: "\n"))
    .SH KEYS
    \(escaped(Help.keys))
    .SH EXIT STATUS
    \(escaped(Help.endings))
    .SH FILES
    .TP
    .I ~/.config/msdk/config.json
    The configuration, which holds the wallet's key: only its owner may read it.
    .SH SEE ALSO
    .BR msdk\\-agency (8),
    .BR msdk (3)

    """
  }

  private static func section(_ title: String, _ commands: [Command]) -> String {
    ".SH \(title)\n"
      + commands.map { command in
        let options = command.options.map { "\\fB\(escaped($0.rawValue))\\fR" }.joined(separator: ", ")
        let list = options.isEmpty ? "" : "\n.br\nOptions: \(options)"
        return ".TP\n.B \(escaped(command.usage))\n\(escaped(command.summary))\(list)"
      }.joined(separator: "\n")
  }

  private static func entry(_ option: Option) -> String {
    let value = option.value.map { " \\fI\($0)\\fR" } ?? ""
    return ".TP\n\\fB\(escaped(option.rawValue))\\fR\(value)\n\(escaped(option.summary))"
  }

  /// Text for roff: no line begins with a command.
  private static func escaped(_ text: String) -> String {
    let plain = text.map { $0 == "\\" ? "\\e" : $0 == "-" ? "\\-" : String($0) }.joined()
    return plain.split(separator: "\n").map { $0.hasPrefix(".") || $0.hasPrefix("'") ? "\\&" + $0 : String($0) }
      .joined(separator: "\n")
  }
}
