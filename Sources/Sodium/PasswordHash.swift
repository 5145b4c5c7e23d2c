internal import CSodium

/// Argon2i version 1.3, one lane: derives a master key from a wallet key.
package enum PasswordHash: Sendable {
  /// libsodium's names for two costs: 6 passes over 128 MiB, 4 passes over 32 MiB.
  package enum Cost: Sendable { case moderate, interactive }

  package static let saltLength = Int(crypto_pwhash_SALTBYTES)

  /// Derives 32 bytes from a password and a 16-byte salt. Takes some tenths of a second: not for a caller's thread.
  package static func derive(
    _ password: [UInt8], salt: [UInt8], cost: Cost
  ) throws(SodiumError) -> SecretBytes {
    guard salt.count == saltLength else { throw .wrongLength(of: "salt") }
    let (passes, memory): (UInt64, Int) =
      switch cost {
      case .moderate: (UInt64(crypto_pwhash_argon2i_OPSLIMIT_MODERATE), Int(crypto_pwhash_argon2i_MEMLIMIT_MODERATE))
      case .interactive:
        (UInt64(crypto_pwhash_argon2i_OPSLIMIT_INTERACTIVE), Int(crypto_pwhash_argon2i_MEMLIMIT_INTERACTIVE))
      }
    return try SecretBytes(count: 32) { output throws(SodiumError) in
      let hash = { (start: UnsafePointer<UInt8>) in
        crypto_pwhash(output, 32, start, UInt64(password.count), salt, passes, memory, crypto_pwhash_ALG_ARGON2I13)
      }
      // An array passed as a pointer is never null, unlike an empty buffer's base address.
      guard hash(password) == 0 else { throw .outOfMemory }
    }
  }
}
