import JSON
import Sodium

@testable import Files
@testable import Wallet

extension FuzzTarget {
  /// Queries, tags and names of tags, over a wallet.
  static let queries = FuzzTarget("queries") { input in
    let text = String(decoding: input, as: UTF8.self)
    _ = try? Tags(parsing: text).count
    _ = try? Tags.names(parsing: text)
    do throws(WalletError) {
      let search = try wallet.get().search(type: "t", query: text)
      _ = try search.next(10)
      search.close()
    } catch .malformedQuery {
    }
  }

  private static let wallet = Result { () throws(WalletError) -> Wallet in
    guard let folder = try? Material.folder() else { throw .io(reason: "no folder") }
    let location = try WalletLocation(id: "wallet", home: folder)
    try Wallet.create(location, key: Material.rawKey, derivation: .raw)
    let wallet = try Wallet.open(location, key: Material.rawKey, derivation: .raw)
    for number in 0..<5 {
      let tags: Tags = ["a": "\(number)", "~b": "x\(number)"]
      try wallet.apply(.add(Record(type: "t", id: "\(number)", value: "v", tags: tags)))
    }
    return wallet
  }
}
