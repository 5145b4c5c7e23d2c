/// The completion of the program's words by shells, made from the table of commands.
enum Completion {
  static func print(for shell: String) throws -> Program.Ending {
    switch shell {
    case "bash": try Terminal.writeResult(bash)
    case "zsh": try Terminal.writeResult(zsh)
    default: throw UsageError("The shell is bash or zsh.")
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
      COMPREPLY=($(compgen -W "$words" -- "$current"))
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
      compadd -- $list
      [[ -n "$list" ]] || _files
    }
    _msdk "$@"

    """
  }
}
