internal import Logging

/// Selects the lines that the default logger prints. A pattern such as `info` or `warn,Wallet=debug,HTTP=off` sets a
/// level for everything, and levels for targets by the beginning of their names.
struct LogFilter: Equatable, Sendable {
  private struct Rule: Equatable, Sendable {
    let target: String
    let maximum: LogLevel?
  }

  private var rules: [Rule] = []

  /// Skips unknown parts, because `RUST_LOG` may be meant for the other libraries of the program too.
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

  /// The rule with the longest matching name decides; among equally long names, the last rule.
  func allows(_ level: LogLevel, _ target: String) -> Bool {
    var best: Rule?
    for rule in rules where target.hasPrefix(rule.target) && rule.target.count >= best?.target.count ?? 0 {
      best = rule
    }
    guard let maximum = best?.maximum else { return false }
    return level <= maximum
  }

  /// The highest level that any rule lets through.
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
