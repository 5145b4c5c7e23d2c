internal import Sodium

/// Hashes as did:webvh writes them: base58 of the multihash of SHA-256, the only algorithm of version 1.0.
enum Multihash {
  private static let sha256: [UInt8] = [0x12, 0x20]

  /// The hash of a text, such as `QmRRaLXw…`.
  static func text(of bytes: [UInt8]) -> String { Base58.encode(sha256 + Sodium.sha256(bytes)) }

  /// The hash in multibase, such as `zQmRRaLXw…`: the last part of the id of an attested resource.
  static func multibase(of bytes: [UInt8]) -> String { "z" + text(of: bytes) }
}
