internal import Patterns

/// A regular expression on ids, which limits the objects that a registry is asked for.
package struct IDPattern: Sendable {
  private let pattern: Pattern?

  /// Without a text, all ids match. Returns nil if the text is malformed.
  package init?(_ text: String?) {
    guard let text else {
      pattern = nil
      return
    }
    guard let pattern = Pattern(text) else { return nil }
    self.pattern = pattern
  }

  /// If the pattern takes too long for an id, the id does not match.
  func matches(_ id: String) -> Bool { pattern.map { (try? $0.matches(Array(id.utf8))) ?? false } ?? true }
}
