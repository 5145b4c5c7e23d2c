/// What the C library may spend on a pattern: rather too much than too little, since escapes and brackets are not told
/// apart from what they look like.
struct PatternCost {
  private let pattern: [UInt8]
  private var isRefused = false
  /// What repetitions of single characters come to when they are written out.
  private var copies = 0
  /// How often repetitions of groups, and of repetitions, write out what is in them: at most the whole pattern.
  private var factor = 1
  /// The C library calls itself for each.
  private var groups = 0
  /// Repetitions that stand side by side: each has to be tried with all those before it.
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

  /// How often `m}`, `m,}` or `m,n}` writes out what it repeats: once more than it says where there is no end.
  private static func repetitions(_ rest: ArraySlice<UInt8>) -> Int {
    let inside = rest.prefix { isDigit($0) || $0 == UInt8(ascii: ",") }
    let counts = inside.split(separator: UInt8(ascii: ",")).map { digits in
      digits.reduce(0) { min($0 * 10 + Int($1 - UInt8(ascii: "0")), longest) }
    }
    return (counts.max() ?? 0) + 1
  }

  private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }
}
