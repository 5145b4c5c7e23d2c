/// The completion of the program's words by shells, made from the table of commands.
enum Completion {
  static func print(_ arguments: Arguments) throws -> Program.Ending {
    switch arguments.operands[0] {
    case "bash": try Terminal.writeResult(bash)
    case "zsh": try Terminal.writeResult(zsh)
    case "connections": try OpenSession.namesOfConnections(arguments).forEach { try Terminal.writeResult($0 + "\n") }
    default: throw UsageError("SHELL is bash, zsh or connections.", of: arguments.command)
    }
    return .done
  }

  /// The words after a command: for `wallet`, its commands; for a command, its options.
  private static var cases: String {
    let wallet = Command.wallet.map { String($0.name.dropFirst("wallet ".count)) }
    let rows = Command.all.map { ($0.name, $0.options.map(\.rawValue) + ["--help"]) }
    return ([("wallet", wallet)] + rows).map { name, words in
      "    \"\(name)\") words=\"\(words.joined(separator: " "))\" ;;"
    }.joined(separator: "\n")
  }

  /// The commands whose first operand is a connection.
  private static var ofConnections: String {
    Command.all.filter { $0.operands.first == "CONNECTION" }.map { "\"\($0.name)\"" }.joined(separator: "|")
  }

  private static var commands: String {
    let own = Command.all.map(\.name).filter { !$0.hasPrefix("wallet ") }
    return (own + ["wallet", "--help", "--version"]).joined(separator: " ")
  }

  /// Options whose value is a file or a directory.
  private static var paths: String {
    Option.allCases.filter { ["FILE", "DIR"].contains($0.value) }.map(\.rawValue).joined(separator: "|")
  }

  private static var bash: String {
    """
    # bash completion for msdk. Written by `msdk completion bash`.
    _msdk() {
      local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}" words=""
      COMPREPLY=()
      case "$previous" in
        \(paths)) COMPREPLY=($(compgen -f -- "$current")); return ;;
      esac
      local name="${COMP_WORDS[1]}"
      if [ "$name" = wallet ] && [ "$COMP_CWORD" -gt 2 ]; then name="wallet ${COMP_WORDS[2]}"; fi
      if [ "$COMP_CWORD" = 1 ]; then name=""; fi
      case "$name" in
        "") words="\(commands)" ;;
    \(cases)
      esac
      case "$name" in
        \(ofConnections)) if [ "$COMP_CWORD" = 2 ]; then
          while IFS= read -r name; do
            if [[ "$name" = "$current"* ]]; then COMPREPLY+=("$(printf %q "$name")"); fi
          done < <("${COMP_WORDS[0]}" completion connections 2>/dev/null)
        fi ;;
      esac
      COMPREPLY+=($(compgen -W "$words" -- "$current"))
    }
    complete -o default -F _msdk msdk

    """
  }

  private static var zsh: String {
    """
    #compdef msdk
    # zsh completion for msdk. Written by `msdk completion zsh`.
    _msdk() {
      local words_of_line name list
      words_of_line=("${words[@]}")
      name="${words_of_line[2]}"
      if [[ "$name" = wallet && $CURRENT -gt 3 ]]; then name="wallet ${words_of_line[3]}"; fi
      if [[ $CURRENT = 2 ]]; then name=""; fi
      case "${words_of_line[$CURRENT-1]}" in
        \(paths)) _files; return ;;
      esac
      local words=""
      case "$name" in
        "") words="\(commands)" ;;
    \(cases)
      esac
      list=(${=words})
      case "$name" in
        \(ofConnections)) if [[ $CURRENT = 3 ]]; then
          compadd -- "${(@f)$(${words_of_line[1]} completion connections 2>/dev/null)}"
        fi ;;
      esac
      compadd -- $list
      [[ -n "$list" ]] || _files
    }
    _msdk "$@"

    """
  }
}
