internal import CSodium

/// libsodium, initialised. Every primitive of this target goes through `Library.ready` once.
enum Library {
  /// Initialises libsodium on first use. It fails only when the system has no source of randomness; nothing that is
  /// made after that could be safe, so the process ends.
  static let ready: Void = {
    precondition(sodium_init() >= 0, "libsodium found no source of randomness")
  }()
}

/// Why a cryptographic operation was refused. Never says more than which check failed.
package enum SodiumError: Error, Equatable, Sendable {
  /// A key, nonce, tag or signature has another length than its kind has.
  case wrongLength(of: String)

  /// A ciphertext does not open, or a signature does not verify.
  case notAuthentic

  /// A public key that is no point of the curve's main group.
  case unusableKey

  /// Text that is not in the encoding it should be in.
  case notBase58, notBase64

  /// The system gave no memory for the operation (key derivation needs up to 128 MiB).
  case outOfMemory
}

extension SodiumError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .wrongLength(let what): "\(what) has a wrong length"
    case .notAuthentic: "authentication failed"
    case .unusableKey: "the key cannot be used"
    case .notBase58: "not base58"
    case .notBase64: "not base64"
    case .outOfMemory: "out of memory"
    }
  }
}
