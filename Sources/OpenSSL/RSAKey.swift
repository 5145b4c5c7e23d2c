internal import COpenSSL

/// A private RSA key for signatures that JSON Web Signatures call RS256: RSASSA-PKCS1-v1_5 with SHA-256 (RFC 7518,
/// 3.3).
package final class RSAKey: @unchecked Sendable {
  // OpenSSL only reads the key when it signs, so the class is Sendable.
  private let key: OpaquePointer

  /// The fewest bits that RFC 7518 permits for RS256.
  private static let leastBits: Int32 = 2048

  /// Reads a key in PEM, as PKCS #8 or PKCS #1. Refuses a key that a passphrase protects.
  package init(pem: [UInt8]) throws(RSAKeyError) {
    defer { ERR_clear_error() }
    guard let key = Self.read(pem) else { throw .notPEM }
    guard EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA, EVP_PKEY_get_bits(key) >= Self.leastBits else {
      EVP_PKEY_free(key)
      throw .notRSA
    }
    self.key = key
  }

  deinit { EVP_PKEY_free(key) }

  private static func read(_ pem: [UInt8]) -> OpaquePointer? {
    pem.withUnsafeBytes { bytes in
      // The source reads these bytes where they are: it must not outlive the closure.
      guard let source = BIO_new_mem_buf(bytes.baseAddress, Int32(clamping: bytes.count)) else { return nil }
      defer { BIO_free(source) }
      // Without this function, OpenSSL would ask at the terminal for the passphrase.
      return PEM_read_bio_PrivateKey(source, nil, { _, _, _, _ in 0 }, nil)
    }
  }

  package func sign(_ message: [UInt8]) throws(RSAKeyError) -> [UInt8] {
    defer { ERR_clear_error() }
    guard let context = EVP_MD_CTX_new() else { throw .notSigned }
    defer { EVP_MD_CTX_free(context) }
    var count = Int(EVP_PKEY_get_size(key))
    var signature = [UInt8](repeating: 0, count: count)
    guard EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1,
      EVP_DigestSign(context, &signature, &count, message, message.count) == 1
    else { throw .notSigned }
    return Array(signature.prefix(count))
  }
}

package enum RSAKeyError: Error, Equatable, Sendable {
  /// The text is not a private key in PEM, or a passphrase protects the key.
  case notPEM
  /// The key is not an RSA key, or is shorter than 2048 bits.
  case notRSA
  /// OpenSSL has no memory left.
  case notSigned
}

extension RSAKeyError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notPEM: "not a private key in PEM without a passphrase"
    case .notRSA: "not an RSA key of 2048 bits or more"
    case .notSigned: "the key could not sign"
    }
  }
}
