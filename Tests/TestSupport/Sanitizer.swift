internal import Foundation
package import Testing

extension Trait where Self == ConditionTrait {
  /// For tests that count the memory of a process: a sanitizer takes several times as much. `scripts/sanitize` sets the
  /// variable.
  package static var withoutSanitizer: Self {
    .enabled(if: ProcessInfo.processInfo.environment["SANITIZE"] == nil, "a sanitizer takes memory of its own")
  }
}
