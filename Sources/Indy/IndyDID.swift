internal import Sodium

/// A DID of Indy's ledgers: bare, `did:sov:…`, or `did:indy:<network>:…`.
package struct IndyDID: Equatable, Sendable {
  /// The DID in the form of ledgers, without its method: 16 bytes in base58.
  package let bare: String
  /// The network that a DID of `did:indy` names, which may have a colon of its own. Nil for the other forms.
  package let network: String?

  /// Returns nil for DIDs of other methods, and if a part of the text is empty.
  package init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard let bare = parts.last, (try? Base58.decode(bare, limit: 22))?.count == 16 else { return nil }
    switch (parts.prefix(2).joined(separator: ":"), parts.count) {
    case (bare, 1), ("did:sov", 3): network = nil
    case ("did:indy", 4...) where !parts.contains(""): network = parts[2..<(parts.count - 1)].joined(separator: ":")
    default: return nil
    }
    self.bare = bare
  }

  /// The DID in the form that begins the ids of its objects, and that `issuerId` has: with its method only if the
  /// method is `indy`.
  package var text: String { network.map { "did:indy:\($0):\(bare)" } ?? bare }
}
