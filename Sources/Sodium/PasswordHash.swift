internal import CSodium

/// Argon2 version 1.3, one lane: derives a key from a password.
package enum PasswordHash: Sendable {
  /// The variants of Argon2, with their costs.
  package enum Method: Sendable {
    /// 6 passes over 128 MiB, which libsodium calls moderate.
    case argon2iModerate
    /// 4 passes over 32 MiB, which libsodium calls interactive.
    case argon2iInteractive
    /// 3 passes over 64 MiB.
    case argon2id
  }

  package static let saltLength = Int(crypto_pwhash_SALTBYTES)

  /// Derives 32 bytes from a password and a 16-byte salt. Takes some tenths of a second: not for a caller's thread.
  package static func derive(
    _ password: [UInt8], salt: [UInt8], by method: Method
  ) throws(SodiumError) -> SecretBytes {
    guard salt.count == saltLength else { throw .wrongLength(of: "salt") }
    let (passes, memory, algorithm): (UInt64, Int, Int32) =
      switch method {
      case .argon2iModerate: (6, 128 << 20, crypto_pwhash_ALG_ARGON2I13)
      case .argon2iInteractive: (4, 32 << 20, crypto_pwhash_ALG_ARGON2I13)
      case .argon2id: (3, 64 << 20, crypto_pwhash_ALG_ARGON2ID13)
      }
    return try SecretBytes(count: 32) { output throws(SodiumError) in
      let hash = { (start: UnsafePointer<UInt8>) in
        crypto_pwhash(output, 32, start, UInt64(password.count), salt, passes, memory, algorithm)
      }
      // An array passed as a pointer is never null, unlike an empty buffer's base address.
      guard hash(password) == 0 else { throw .outOfMemory }
    }
  }
}
