internal import Foundation
package import Testing

extension Trait where Self == ConditionTrait {
  /// For tests that count the memory of a process: a sanitizer takes several times as much. `scripts/sanitize` sets the
  /// variable.
  package static var withoutSanitizer: Self {
    .enabled(if: ProcessInfo.processInfo.environment["SANITIZE"] == nil, "a sanitizer takes memory of its own")
  }

  /// For tests whose server needs longer for its answer under the thread sanitizer than a client waits.
  package static var withoutThreadSanitizer: Self {
    .enabled(
      if: ProcessInfo.processInfo.environment["SANITIZE"] != "thread",
      "under the thread sanitizer the answer takes longer than a client waits")
  }
}
