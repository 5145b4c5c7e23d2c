package import IndyVDR
package import JSON
package import Sodium

/// A DID as a ledger knows it.
package struct IndyNym: Equatable, Sendable {
  /// Nil if the ledger has no key of the DID, or a malformed one.
  package let key: PublicKey?
}

extension Ledger {
  /// The DID, without its method. Returns nil if the ledger does not have it.
  package func nym(_ did: String) throws(LedgerError) -> IndyNym? {
    guard let data = try submit(.nym(did))["data"]?.parsedData else { return nil }
    return IndyNym(key: data["verkey"]?.string.flatMap { Self.key($0, of: did) })
  }

  /// Reads a key of 32 bytes, or after `~` its last 16; the DID is the first 16.
  private static func key(_ text: String, of did: String) -> PublicKey? {
    let isShort = text.hasPrefix("~")
    guard let bytes = try? Base58.decode(isShort ? String(text.dropFirst()) : text, limit: 44) else { return nil }
    let first = isShort ? (try? Base58.decode(did, limit: 22)) ?? [] : []
    return try? PublicKey(first + bytes)
  }
}

extension JSON {
  /// The data of a DID in a ledger's answer, which has it as a text.
  package var parsedData: JSON? {
    guard let text = string else { return object.map(JSON.object) }
    return try? JSON(parsing: text)
  }
}
