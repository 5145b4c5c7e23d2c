internal import CSodium

/// libsodium, initialised. Every primitive of this target uses `Library.ready` once.
enum Library {
  /// Initialises libsodium on first use. It fails only if the system has no source of randomness; nothing could be safe
  /// after that, so the process ends.
  static let ready: Void = {
    precondition(sodium_init() >= 0, "libsodium found no source of randomness")
  }()
}

/// The reasons why a cryptographic operation was refused. They name the failed check and nothing else.
package enum SodiumError: Error, Equatable, Sendable {
  /// A key, nonce, tag or signature has the wrong length for its kind.
  case wrongLength(of: String)

  /// A ciphertext does not open, or a signature does not verify.
  case notAuthentic

  /// The public key is not a point of the curve's main group.
  case unusableKey

  /// The text is not in its encoding.
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
