internal import Logging

/// Which lines the default logger prints, from a pattern such as `info` or `warn,Wallet=debug,HTTP=off`: a level for
/// everything, and levels for the targets that begin with a name.
struct LogFilter: Equatable, Sendable {
  private struct Rule: Equatable, Sendable {
    let target: String
    let maximum: LogLevel?
  }

  private var rules: [Rule] = []

  /// Parts that mean nothing are skipped, as those who set the variable for a whole program expect.
  init(pattern: String) {
    for part in pattern.split(separator: ",") {
      let sides = part.split(separator: "=", maxSplits: 1).map { $0.filter { !$0.isWhitespace } }
      switch (sides.count, sides.last.flatMap(Self.level)) {
      case (1, let level?): rules.append(Rule(target: "", maximum: level))
      case (1, nil): rules.append(Rule(target: sides[0], maximum: .trace))
      case (2, let level?): rules.append(Rule(target: sides[0], maximum: level))
      default: break
      }
    }
  }

  /// The rule with the longest name decides; the last one, of equals.
  func allows(_ level: LogLevel, _ target: String) -> Bool {
    var best: Rule?
    for rule in rules where target.hasPrefix(rule.target) && rule.target.count >= best?.target.count ?? 0 {
      best = rule
    }
    guard let maximum = best?.maximum else { return false }
    return level <= maximum
  }

  /// The most that any rule lets through.
  var maximum: LogLevel? { rules.compactMap(\.maximum).max() }

  /// The level of a name; `.some(nil)` is "off".
  private static func level(_ name: String) -> LogLevel?? {
    switch name.lowercased() {
    case "off": .some(nil)
    case "error": .error
    case "warn": .warning
    case "info": .info
    case "debug": .debug
    case "trace": .trace
    default: nil
    }
  }
}
