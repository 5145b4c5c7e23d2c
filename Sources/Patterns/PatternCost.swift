/// An upper bound of the C library's cost for a pattern. It is rather too high than too low, since it does not
/// distinguish escapes and brackets from the characters that they look like.
struct PatternCost {
  private let pattern: [UInt8]
  private var isRefused = false
  /// The length of all repetitions of single characters, written out.
  private var copies = 0
  /// The factor by which repetitions of groups, and of repetitions, multiply their contents: at most the whole pattern.
  private var factor = 1
  /// The C library calls itself for each.
  private var groups = 0
  /// Adjacent repetitions: each has to be tried with all before it.
  private var run = 0

  /// The longest pattern in bytes, repetitions written out. The memory grows with its square.
  private static let longest = 1024
  private static let mostGroups = 100
  private static let longestRun = 3

  init(_ pattern: [UInt8]) {
    self.pattern = pattern
    guard pattern.count <= Self.longest else {
      isRefused = true
      return
    }
    for index in pattern.indices where !isRefused { count(index) }
  }

  var isAffordable: Bool { !isRefused }

  private mutating func count(_ index: Int) {
    switch pattern[index] {
    case 0: isRefused = true
    case UInt8(ascii: "\\"): isRefused = pattern.dropFirst(index + 1).first.map(Self.isDigit) ?? false
    case UInt8(ascii: "("): groups += 1
    case UInt8(ascii: "*"), UInt8(ascii: "?"): countRepetition(index, of: 1)
    case UInt8(ascii: "+"): countRepetition(index, of: 2)  // `a+` becomes `aa*`
    case UInt8(ascii: "{"): countRepetition(index, of: Self.repetitions(pattern[(index + 1)...]))
    default: break
    }
    if groups > Self.mostGroups || run > Self.longestRun || (pattern.count + copies) * factor > Self.longest {
      isRefused = true
    }
  }

  private mutating func countRepetition(_ index: Int, of number: Int) {
    let previous = index > 0 ? pattern[index - 1] : 0
    let followsRepetition = "*?+}".utf8.contains(previous)
    run = followsRepetition ? run + 1 : 1
    if followsRepetition || previous == UInt8(ascii: ")") { factor *= number } else { copies += number }
  }

  /// The copies that `m}`, `m,}` or `m,n}` writes out: one more than `m` without an upper end.
  private static func repetitions(_ rest: ArraySlice<UInt8>) -> Int {
    let inside = rest.prefix { isDigit($0) || $0 == UInt8(ascii: ",") }
    let counts = inside.split(separator: UInt8(ascii: ",")).map { digits in
      digits.reduce(0) { min($0 * 10 + Int($1 - UInt8(ascii: "0")), longest) }
    }
    return (counts.max() ?? 0) + 1
  }

  private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }
}
