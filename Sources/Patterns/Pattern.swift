internal import Glibc

/// An extended regular expression (POSIX ERE), matched anywhere in a text, case-sensitive, in UTF-8.
///
/// It refuses patterns that could cost unbounded memory, stack or time: patterns that are long once their repetitions
/// are written out, patterns with many groups or repetitions of repetitions, and back references, which POSIX does not
/// have.
package final class Pattern: @unchecked Sendable {
  // Written only while it is created; matching takes a lock inside the C library. This makes the class Sendable.
  private let compiled: UnsafeMutablePointer<regex_t>

  /// Returns nil if `text` is not a pattern, or too expensive.
  package init?(_ text: String) {
    guard PatternCost(Array(text.utf8)).isAffordable, let compiled = Self.compile(text) else { return nil }
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
      // With REG_STARTEND this range gives the ends, so the text may contain zero bytes.
      var range = regmatch_t(rm_so: 0, rm_eo: regoff_t(text.count))
      guard let start = bytes.assumingMemoryBound(to: CChar.self).baseAddress else { return false }
      return Self.inUTF8 { regexec(compiled, start, 0, &range, startEnd) } == 0
    }
  }

  /// Runs `body` with characters in UTF-8, independent of the process's locale.
  private static func inUTF8<Result>(_ body: () -> Result) -> Result {
    guard let locale = utf8 else { return body() }
    let before = uselocale(locale)
    defer { uselocale(before) }
    return body()
  }

  private nonisolated(unsafe) static let utf8 = newlocale(1 << LC_CTYPE, "C.UTF-8", nil)
}

/// REG_STARTEND: a macro that Swift does not import on every system.
private let startEnd: Int32 = 1 << 2
