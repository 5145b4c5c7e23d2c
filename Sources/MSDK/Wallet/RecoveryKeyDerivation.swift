internal import Sodium

/// Derives the recovery key of backups from their passphrase. The raw values are the names in configurations.
///
/// The Cloud Agent learns the public half, and can try passphrases against it. A new device has nothing but the
/// passphrase, so all users have the same salt.
enum RecoveryKeyDerivation: String, CaseIterable, Sendable {
  /// Argon2id: each try takes some tenths of a second.
  case argon2id = "ARGON2ID"
  /// One hash, as in libvcx: for backups that libvcx must find.
  case sha256 = "SHA256"

  /// Reads `backup_key_derivation`.
  init(_ config: SettingsReader) throws(SettingsError) {
    let name = try config.string("backup_key_derivation") ?? Self.argon2id.rawValue
    guard let derivation = Self(rawValue: name) else {
      throw .invalidValue("backup_key_derivation", "ARGON2ID or SHA256")
    }
    self = derivation
  }

  /// The seed of the key pair.
  func seed(from passphrase: String) throws(SodiumError) -> SecretBytes {
    var password = Array(passphrase.utf8)
    defer { wipe(&password) }
    switch self {
    case .argon2id: return try PasswordHash.derive(password, salt: Self.salt, by: .argon2id)
    case .sha256: return SecretBytes(copying: Sodium.sha256(password))
    }
  }

  private static var salt: [UInt8] {
    Array(Sodium.sha256(Array("msdk-wallet-backup".utf8)).prefix(PasswordHash.saltLength))
  }
}
