internal import CSodium
internal import Platform

/// An Ed25519 public key (RFC 8032), 32 bytes. It may not be a usable point.
package struct PublicKey: Sendable {
  package static let length = Int(crypto_sign_PUBLICKEYBYTES)

  // The bytes are stored in place, without an array, because programs keep many keys.
  private let storage: InlineArray<32, UInt8>

  package init(_ bytes: [UInt8]) throws(SodiumError) {
    guard bytes.count == Self.length else { throw .wrongLength(of: "public key") }
    self.init(ofKnownLength: bytes)
  }

  package var bytes: [UInt8] { withUnsafeBytes(of: storage) { Array($0) } }

  /// Whether `signature` is a signature of this key over `message`. Returns false for a wrong length.
  package func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
    guard signature.count == Int(crypto_sign_BYTES) else { return false }
    return crypto_sign_verify_detached(signature, message, UInt64(message.count), bytes) == 0
  }
}

extension PublicKey: Hashable {
  package static func == (left: PublicKey, right: PublicKey) -> Bool {
    left.storage.span.hasSameBytes(as: right.storage.span)
  }

  /// Hashes all bytes at once, which takes a tenth of the time of single bytes.
  package func hash(into hasher: inout Hasher) {
    withUnsafeBytes(of: storage) { hasher.combine(bytes: $0) }
  }
}

/// An Ed25519 key pair. The secret half lives in locked memory.
package struct KeyPair: Sendable {
  package static let seedLength = Int(crypto_sign_SEEDBYTES)

  package let publicKey: PublicKey

  /// libsodium's form: seed followed by public key, 64 bytes.
  package let secret: SecretBytes

  /// All copies of the pair share these keys.
  let pairKeys = PairKeys()

  /// A new random pair.
  package init() { self.init(validSeed: SecretBytes(random: Self.seedLength)) }

  /// The pair from a 32-byte seed.
  package init(seed: SecretBytes) throws(SodiumError) {
    guard seed.count == Self.seedLength else { throw .wrongLength(of: "seed") }
    self.init(validSeed: seed)
  }

  private init(validSeed seed: SecretBytes) {
    _ = Library.ready
    var key = [UInt8](repeating: 0, count: PublicKey.length)
    secret = SecretBytes(count: Int(crypto_sign_SECRETKEYBYTES)) { memory in
      seed.withPointer {
        _ = crypto_sign_seed_keypair(&key, memory, $0)
      }
    }
    publicKey = PublicKey(ofKnownLength: key)
  }

  /// The pair of a seed whose public half is known: to compute the public half takes as long as to sign. The caller
  /// guarantees that they belong together, because a mixed pair would leak the secret half with its first signature.
  package init(seed: SecretBytes, publicKey: PublicKey) throws(SodiumError) {
    guard seed.count == Self.seedLength else { throw .wrongLength(of: "seed") }
    secret = SecretBytes(count: Int(crypto_sign_SECRETKEYBYTES)) { memory in
      seed.withPointer { memory.initialize(from: $0, count: Self.seedLength) }
      (memory + Self.seedLength).initialize(from: publicKey.bytes, count: PublicKey.length)
    }
    self.publicKey = publicKey
  }

  /// A pair in libsodium's 64-byte form. The public half must belong to the seed: a mixed pair would leak the secret
  /// half with its first signature.
  package init(secret: SecretBytes) throws(SodiumError) {
    guard secret.count == Int(crypto_sign_SECRETKEYBYTES) else { throw .wrongLength(of: "secret key") }
    self.init(validSeed: secret.slice(0..<Self.seedLength))
    guard secret == self.secret else { throw .unusableKey }
  }

  /// The signature, 64 bytes.
  package func sign(_ message: [UInt8]) -> [UInt8] {
    var signature = [UInt8](repeating: 0, count: Int(crypto_sign_BYTES))
    secret.withPointer { _ = crypto_sign_detached(&signature, nil, message, UInt64(message.count), $0) }
    return signature
  }

  /// Passes `body` the X25519 secret of this pair. The secret is on the stack and is wiped: locked memory costs several
  /// system calls each time, more than the cryptography itself.
  func withAgreementSecret<Result>(_ body: (UnsafePointer<UInt8>) -> Result) -> Result {
    let count = Int(crypto_box_SECRETKEYBYTES)
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count) { memory in
      defer { sodium_memzero(memory.baseAddress, count) }
      return secret.withPointer { secret in
        guard let start = memory.baseAddress else { preconditionFailure("a stack without room for a key") }
        _ = crypto_sign_ed25519_sk_to_curve25519(start, secret)
        return body(start)
      }
    }
  }
}

extension PublicKey {
  fileprivate init(ofKnownLength bytes: [UInt8]) { storage = InlineArray { bytes[$0] } }
}
