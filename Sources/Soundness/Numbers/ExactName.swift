/// The name of an attribute or of a member, compared by its bytes as the engine compares names. Swift's strings are equal
/// also if only Unicode's canonical equivalence makes them so.
package struct ExactName: Hashable, Sendable {
  private let bytes: [UInt8]

  package init(_ text: String) { bytes = Array(text.utf8) }

  /// The name of the link secret among the bases of a key.
  static let linkSecret = ExactName("master_secret")
}
