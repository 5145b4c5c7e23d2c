/// A tag's name without the `~`, which marks plaintext tags.
enum TagName: Equatable, Sendable {
  case encrypted(String)
  case plaintext(String)

  /// Removes only one `~`: `~~a` is the plaintext tag `~a`.
  init(_ text: String) {
    self = text.utf8.first == UInt8(ascii: "~") ? .plaintext(String(text.dropTilde)) : .encrypted(text)
  }

  var isPlaintext: Bool { if case .plaintext = self { true } else { false } }

  var isEmpty: Bool {
    switch self {
    case .encrypted(let name), .plaintext(let name): name.isEmpty
    }
  }

  var text: String {
    switch self {
    case .encrypted(let name): name
    case .plaintext(let name): "~" + name
    }
  }
}

extension String {
  /// The comparison uses scalars: a combining mark after the `~` belongs to the name.
  fileprivate var dropTilde: Substring.UnicodeScalarView { unicodeScalars.dropFirst() }
}
