internal import COpenSSL

/// A key pair of the test's own, as OpenSSL makes it: `pem` is the private key.
public final class RSAKeyPair: @unchecked Sendable {
  public let pem: [UInt8]
  // OpenSSL only reads the key once it is made.
  private let key: OpaquePointer

  /// With a `passphrase`, the PEM text is encrypted. Nil where OpenSSL makes no such key.
  public init?(bits: Int32 = 2048, passphrase: String = "") {
    let context = EVP_PKEY_CTX_new_id(EVP_PKEY_RSA, nil)
    defer { EVP_PKEY_CTX_free(context) }
    var made: OpaquePointer?
    guard EVP_PKEY_keygen_init(context) == 1, EVP_PKEY_CTX_set_rsa_keygen_bits(context, bits) == 1,
      EVP_PKEY_keygen(context, &made) == 1, let key = made, let pem = Self.pem(of: key, passphrase)
    else { return nil }
    (self.key, self.pem) = (key, pem)
  }

  deinit { EVP_PKEY_free(key) }

  private static func pem(of key: OpaquePointer, _ passphrase: String) -> [UInt8]? {
    let memory = BIO_new(BIO_s_mem())
    defer { BIO_free(memory) }
    let (secret, cipher) = (Array(passphrase.utf8), passphrase.isEmpty ? nil : EVP_aes_128_cbc())
    guard PEM_write_bio_PrivateKey(memory, key, cipher, secret, Int32(secret.count), nil, nil) == 1 else { return nil }
    var buffer = [UInt8](repeating: 0, count: 8192)
    let count = BIO_read(memory, &buffer, Int32(buffer.count))
    return count > 0 ? Array(buffer.prefix(Int(count))) : nil
  }

  /// Whether the signature of RS256 is this key's.
  public func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
    let context = EVP_MD_CTX_new()
    defer { EVP_MD_CTX_free(context) }
    return EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key) == 1
      && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
  }
}
