internal import Glibc

/// An extended regular expression (POSIX ERE), matched anywhere in a text, case-sensitive, in UTF-8.
///
/// Patterns that could cost unbounded memory or time are refused: long ones, large repetition counts, and back
/// references, which POSIX does not have.
package final class Pattern: @unchecked Sendable {
  // Written only while it is made; matching takes a lock inside the C library. That is what makes the class Sendable.
  private let compiled: UnsafeMutablePointer<regex_t>

  /// The longest pattern in bytes, repetitions written out.
  private static let limit = 65_536

  /// Nil when `text` is no pattern, or too expensive.
  package init?(_ text: String) {
    guard Self.isAffordable(Array(text.utf8)), let compiled = Self.compile(text) else { return nil }
    self.compiled = compiled
  }

  private static func compile(_ text: String) -> UnsafeMutablePointer<regex_t>? {
    let compiled = UnsafeMutablePointer<regex_t>.allocate(capacity: 1)
    compiled.initialize(to: regex_t())
    guard inUTF8({ regcomp(compiled, text, REG_EXTENDED | REG_NOSUB) }) == 0 else {
      compiled.deallocate()
      return nil
    }
    return compiled
  }

  deinit {
    regfree(compiled)
    compiled.deallocate()
  }

  /// Whether the pattern matches somewhere in `text`.
  package func matches(_ text: [UInt8]) -> Bool {
    // An empty array may have no address, and the C library wants one.
    (text + [0]).withUnsafeBytes { bytes in
      // With REG_STARTEND the ends are given here: the text may contain zero bytes.
      var range = regmatch_t(rm_so: 0, rm_eo: regoff_t(text.count))
      guard let start = bytes.assumingMemoryBound(to: CChar.self).baseAddress else { return false }
      return Self.inUTF8 { regexec(compiled, start, 0, &range, startEnd) } == 0
    }
  }

  /// Runs `body` with characters in UTF-8, whatever the process has set.
  private static func inUTF8<Result>(_ body: () -> Result) -> Result {
    guard let locale = utf8 else { return body() }
    let before = uselocale(locale)
    defer { uselocale(before) }
    return body()
  }

  private nonisolated(unsafe) static let utf8 = newlocale(1 << LC_CTYPE, "C.UTF-8", nil)

  /// The pattern's length times all its repetition counts is what the C library may allocate.
  private static func isAffordable(_ pattern: [UInt8]) -> Bool {
    guard !pattern.contains(0) else { return false }
    var cost = max(pattern.count, 1)
    for (index, byte) in pattern.enumerated() {
      switch byte {
      case UInt8(ascii: "\\"):
        if let next = pattern.dropFirst(index + 1).first, isDigit(next) { return false }
      case UInt8(ascii: "{"):
        cost = cost.multipliedReportingOverflow(by: repetitions(pattern[(index + 1)...])).partialValue
      default: break
      }
      guard 0...limit ~= cost else { return false }
    }
    return true
  }

  /// The larger number of `m,n}`.
  private static func repetitions(_ rest: ArraySlice<UInt8>) -> Int {
    let inside = rest.prefix { isDigit($0) || $0 == UInt8(ascii: ",") }
    let counts = inside.split(separator: UInt8(ascii: ",")).map { digits in
      digits.reduce(0) { min($0 * 10 + Int($1 - UInt8(ascii: "0")), limit + 1) }
    }
    return max(counts.max() ?? 1, 1)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }
}

/// REG_STARTEND: a macro that Swift does not import on every system.
private let startEnd: Int32 = 1 << 2
