internal import Sodium

/// Derives the master key from a wallet key. The raw values are the names in configurations.
package enum KeyDerivation: String, CaseIterable, Sendable {
  /// Argon2i, 6 passes over 128 MiB, which takes some tenths of a second.
  case argon2iModerate = "ARGON2I_MOD"
  /// Argon2i, 4 passes over 32 MiB.
  case argon2iInteractive = "ARGON2I_INT"
  /// The key is the master key: base58 of 32 bytes.
  case raw = "RAW"

  /// The stored salt. Only the first 16 bytes are used.
  static let saltLength = 32

  /// A new salt; nil for the method that needs none.
  func makeSalt(_ random: RandomSource = randomBytes) -> [UInt8]? {
    self == .raw ? nil : random(Self.saltLength)
  }

  /// The master key of `key`. Requires a salt of 32 bytes if the method needs one, and none otherwise; a mismatch shows
  /// that the wallet was made with another method.
  func masterKey(of key: String, salt: [UInt8]?) throws(WalletError) -> SecretBytes {
    switch (self, salt) {
    case (.raw, nil): return try Self.rawKey(key)
    case (.argon2iModerate, let salt?): return try Self.argon2i(key, salt, .argon2iModerate)
    case (.argon2iInteractive, let salt?): return try Self.argon2i(key, salt, .argon2iInteractive)
    case (.raw, _?), (.argon2iModerate, nil), (.argon2iInteractive, nil): throw .accessDenied
    }
  }

  private static func rawKey(_ text: String) throws(WalletError) -> SecretBytes {
    guard var bytes = try? Base58.decode(text, limit: 64), bytes.count == AEAD.keyLength else { throw .malformedKey }
    defer { wipe(&bytes) }
    return SecretBytes(copying: bytes)
  }

  private static func argon2i(
    _ key: String, _ salt: [UInt8], _ method: PasswordHash.Method
  ) throws(WalletError) -> SecretBytes {
    guard salt.count == saltLength else { throw .corrupt(reason: "the salt has a wrong length") }
    var password = Array(key.utf8)
    defer { wipe(&password) }
    do {
      return try PasswordHash.derive(password, salt: Array(salt.prefix(PasswordHash.saltLength)), by: method)
    } catch {
      throw .outOfMemory
    }
  }
}
