internal import Platform

/// A text that is compared by its bytes, as peers, registries and the AnonCreds engine compare ids and names. Swift's strings
/// are equal also if only Unicode's canonical equivalence makes them so, and strangers can choose two ids that look the same.
package struct ExactText: Hashable, Sendable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func == (left: ExactText, right: ExactText) -> Bool { left.text.isExactly(right.text) }

  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

extension String {
  /// Whether both texts have the same bytes. Most texts differ in their length.
  package func isExactly(_ other: String) -> Bool {
    utf8.count == other.utf8.count && utf8.span.hasSameBytes(as: other.utf8.span)
  }
}

extension String {
  /// Whether the bytes of `part` occur in the text. Swift's own function would bring its regular expressions into the
  /// library, which are 0.9 MB.
  package func contains(_ part: String) -> Bool {
    let (own, part) = (utf8.span, part.utf8.span)
    var start = 0
    while start + part.count <= own.count {
      if own.extracting(start..<start + part.count).hasSameBytes(as: part) { return true }
      start += 1
    }
    return false
  }
}

extension String? {
  /// Whether both texts have the same bytes, or both are nil.
  package func isExactly(_ other: String?) -> Bool {
    switch (self, other) {
    case (let text?, let other?): text.isExactly(other)
    case (nil, nil): true
    case (nil, _?), (_?, nil): false
    }
  }
}
