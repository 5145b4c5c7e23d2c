internal import CSodium

/// SHA-256 (FIPS 180-4).
package func sha256(_ bytes: [UInt8]) -> [UInt8] {
  var hash = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
  crypto_hash_sha256(&hash, bytes, UInt64(bytes.count))
  return hash
}

/// BLAKE2b (RFC 7693) of 32 bytes, which takes a fraction of the time of SHA-256.
package func blake2b(_ bytes: [UInt8]) -> [UInt8] {
  var hash = [UInt8](repeating: 0, count: Int(crypto_generichash_BYTES))
  crypto_generichash(&hash, hash.count, bytes, UInt64(bytes.count), nil, 0)
  return hash
}

/// SHA-512 (FIPS 180-4).
package func sha512(_ bytes: [UInt8]) -> [UInt8] {
  var hash = [UInt8](repeating: 0, count: Int(crypto_hash_sha512_BYTES))
  crypto_hash_sha512(&hash, bytes, UInt64(bytes.count))
  return hash
}

/// A prepared key of HMAC-SHA-256 (RFC 2104): the key's own two blocks are hashed once, and their state is copied for
/// each message.
package final class HMACKey: @unchecked Sendable {
  // The prepared state is written only while it is created, so the class is Sendable.
  private let prepared: SecretBytes

  package init(_ key: SecretBytes) {
    prepared = SecretBytes(count: MemoryLayout<crypto_auth_hmacsha256_state>.size) { memory in
      var state = crypto_auth_hmacsha256_state()
      key.withPointer { _ = crypto_auth_hmacsha256_init(&state, $0, key.count) }
      UnsafeMutableRawPointer(memory).storeBytes(of: state, as: crypto_auth_hmacsha256_state.self)
      sodium_memzero(&state, MemoryLayout.size(ofValue: state))
    }
  }

  /// The 32 bytes of the code.
  package func authenticate(_ message: [UInt8]) -> [UInt8] {
    withCode(of: message.span) { Array(UnsafeBufferPointer(start: $0, count: Int(crypto_auth_hmacsha256_BYTES))) }
  }

  /// Passes the code to `body`, without an array.
  func withCode<Result>(of message: Span<UInt8>, _ body: (UnsafePointer<UInt8>) -> Result) -> Result {
    var state = prepared.withPointer {
      UnsafeRawPointer($0).loadUnaligned(as: crypto_auth_hmacsha256_state.self)
    }
    defer { sodium_memzero(&state, MemoryLayout.size(ofValue: state)) }
    message.withUnsafeBufferPointer { _ = crypto_auth_hmacsha256_update(&state, $0.baseAddress, UInt64($0.count)) }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Int(crypto_auth_hmacsha256_BYTES)) { code in
      crypto_auth_hmacsha256_final(&state, code.baseAddress.unsafelyUnwrapped)
      return body(code.baseAddress.unsafelyUnwrapped)
    }
  }
}
