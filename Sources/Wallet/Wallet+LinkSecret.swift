internal import SQLite
package import Sodium

extension Wallet {
  /// The name under which programs of the Indy world keep the link secret that they make.
  package static let defaultLinkSecretName = "main"

  /// The wallet's link secret, in decimal digits. Makes and stores a new one if the wallet has none with this name; an
  /// existing link secret is never replaced.
  ///
  /// Every credential of the owner is bound to the link secret. The application cannot read the record.
  package func linkSecret(named name: String = defaultLinkSecretName) throws(WalletError) -> SecretBytes {
    if let known = try storedLinkSecret(name) { return known }
    let record = seal(LinkSecret.decimal(SecretBytes(random: LinkSecret.length)), name)
    try write { writer throws(WalletError) in try writer.insertUnlessPresent(record) }
    // Reads it again: another thread or process may have stored its own first.
    guard let stored = try storedLinkSecret(name) else { throw .recordNotFound }
    return stored
  }

  private func storedLinkSecret(_ name: String) throws(WalletError) -> SecretBytes? {
    let (type, name) = (cipher.seal(type: LinkSecret.type), cipher.seal(id: name))
    let found = try read { reader throws(SQLiteError) in try reader.find(type: type, name: name, withTags: false) }
    guard let found else { return nil }
    var value = try cipher.openBytes(found.value)
    defer { wipe(&value) }
    return try LinkSecret.digits(from: value)
  }

  private func seal(_ digits: SecretBytes, _ name: String) -> SealedRecord {
    var value = LinkSecret.value(of: digits)
    defer { wipe(&value) }
    return SealedRecord(
      type: cipher.seal(type: LinkSecret.type), name: cipher.seal(id: name), value: cipher.seal(value: value.span),
      tags: [])
  }
}
