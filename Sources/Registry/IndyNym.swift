package import IndyVDR
package import JSON
package import Sodium

/// A ledger's data about a DID.
package struct IndyNym: Equatable, Sendable {
  /// Nil if the ledger has no key of the DID, or a malformed key.
  package let key: PublicKey?
}

extension Ledger {
  /// The DID, without its method. Returns nil if the ledger does not have it.
  package func nym(_ did: String) throws(LedgerError) -> IndyNym? {
    guard let data = try submit(.nym(did))["data"]?.parsedData else { return nil }
    return IndyNym(key: data["verkey"]?.string.flatMap { Self.key($0, of: did) })
  }

  /// Reads a key: all 32 bytes, or `~` and the last 16 bytes, which follow the 16 bytes of the DID.
  private static func key(_ text: String, of did: String) -> PublicKey? {
    let isShort = text.hasPrefix("~")
    guard let bytes = try? Base58.decode(isShort ? String(text.dropFirst()) : text, limit: 44) else { return nil }
    let first = isShort ? (try? Base58.decode(did, limit: 22)) ?? [] : []
    return try? PublicKey(first + bytes)
  }
}

extension JSON {
  /// The data of a DID in a ledger's answer, which contains the data as a text.
  package var parsedData: JSON? {
    guard let text = string else { return object.map(JSON.object) }
    return try? JSON(parsing: text)
  }
}
