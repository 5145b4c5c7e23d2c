internal import CPCRE2

/// A regular expression (PCRE2), matched anywhere in a text, case-sensitive, in UTF-8.
///
/// Strangers write patterns too. PCRE2 counts the steps of a match and stops at a limit, so that no pattern takes
/// unbounded memory, stack or time.
package final class Pattern: @unchecked Sendable {
  // The compiled form never changes, so the class is Sendable.
  private let code: OpaquePointer

  /// The longest pattern, in bytes.
  package static let longest = 1024

  /// The deepest nesting of parentheses.
  private static let deepestGroup: UInt32 = 100

  /// Returns nil if `text` is not a pattern, or is too long.
  package init?(_ text: String) {
    guard text.utf8.count <= Self.longest, let context = pcre2_compile_context_create_8(nil) else { return nil }
    defer { pcre2_compile_context_free_8(context) }
    pcre2_set_parens_nest_limit_8(context, Self.deepestGroup)
    // A tag's value has no lines: `.` is any character, and `$` the end.
    let options = PCRE2_UTF | UInt32(PCRE2_DOTALL) | UInt32(PCRE2_DOLLAR_ENDONLY) | UInt32(PCRE2_NEVER_BACKSLASH_C)
    var (error, offset) = (Int32(0), 0)
    let code = Array(text.utf8).withUnsafeBufferPointer {
      pcre2_compile_8($0.baseAddress, $0.count, options, &error, &offset, context)
    }
    guard let code else { return nil }
    self.code = code
  }

  deinit { pcre2_code_free_8(code) }

  /// Whether the pattern matches somewhere in `text`, which is UTF-8: other bytes match nothing.
  package func matches(_ text: [UInt8]) throws(PatternError) -> Bool {
    guard let limits = pcre2_match_context_create_8(nil) else { throw .tooExpensive }
    defer { pcre2_match_context_free_8(limits) }
    guard let match = pcre2_match_data_create_8(1, nil) else { throw .tooExpensive }
    defer { pcre2_match_data_free_8(match) }
    pcre2_set_match_limit_8(limits, Self.steps(text.count))
    pcre2_set_depth_limit_8(limits, Self.deepestMatch)
    pcre2_set_heap_limit_8(limits, Self.memory)
    let result = text.withUnsafeBufferPointer {
      pcre2_match_8(code, $0.baseAddress, $0.count, 0, 0, match, limits)
    }
    switch result {
    case PCRE2_ERROR_MATCHLIMIT, PCRE2_ERROR_DEPTHLIMIT, PCRE2_ERROR_HEAPLIMIT, PCRE2_ERROR_NOMEMORY:
      throw .tooExpensive
    default: return result >= 0
    }
  }

  /// The most steps from each place where a match can begin. Usual patterns take a few steps for each byte of the text;
  /// a pattern that backtracks takes more steps for each further byte.
  private static func steps(_ length: Int) -> UInt32 { UInt32(clamping: 10_000 + 20 * length) }

  /// The most places that a match remembers for backtracking, and their memory in KiB.
  private static let deepestMatch: UInt32 = 100_000
  private static let memory: UInt32 = 20 << 10
}

package enum PatternError: Error, Equatable, Sendable {
  /// The limits did not suffice to tell whether the pattern matches.
  case tooExpensive
}
