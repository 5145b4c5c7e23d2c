internal import Files

/// The place of a wallet: the directory `<home>/<id>`, with the file `sqlite.db` in it.
package struct WalletLocation: Hashable, Sendable {
  package let id: String
  package let home: String

  /// The home of wallets is `~/.indy_client/wallet` by default. An id is a directory's name; an id that would lead to
  /// another place is refused.
  package init(id: String, home: String? = nil) throws(WalletError) {
    guard !id.isEmpty, id != ".", id != "..", !id.utf8.contains(where: Self.isForbidden) else {
      throw .malformedLocation
    }
    guard let home = home ?? Self.defaultHome, !home.isEmpty, !home.utf8.contains(0) else { throw .malformedLocation }
    self.id = id
    self.home = home
  }

  private static func isForbidden(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\") || byte == 0
  }

  private static var defaultHome: String? { Files.home.map { $0 + "/.indy_client/wallet" } }

  /// All contents of the directory belong to the wallet, and are removed with it.
  package var directory: String { "\(home)/\(id)" }
  package var file: String { "\(directory)/sqlite.db" }
}
