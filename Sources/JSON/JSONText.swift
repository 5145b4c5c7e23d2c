/// A JSON value as its compact text, for the parts of messages that an object keeps and hardly ever looks into.
///
/// The text takes a third of the value's memory, and is copied unchanged into a larger text.
package struct JSONText: Sendable {
  package let text: String

  package init(_ value: JSON) { text = value.text }

  /// The value, which each use reads from the text. Reading succeeds, since the text was written from a value.
  package var value: JSON { (try? JSON(parsing: text, limits: .written)) ?? .null }
}

extension JSONText: Equatable {
  /// Texts are equal if their values are equal, even if their members are in another order.
  package static func == (left: JSONText, right: JSONText) -> Bool {
    left.text == right.text || left.value == right.value
  }
}

extension JSONLimits {
  /// No limits: for texts that this program has written from values.
  fileprivate static let written = JSONLimits(depth: .max, bytesPerValue: 1)
}
