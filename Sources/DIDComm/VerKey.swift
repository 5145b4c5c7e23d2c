package import Sodium

/// An Ed25519 public key. The Indy and Aries world names it by its base58 text.
package struct VerKey: Hashable, Sendable {
  package let publicKey: PublicKey

  package init(_ publicKey: PublicKey) { self.publicKey = publicKey }

  /// Reads base58, with or without the suffix `:ed25519` that libindy may append.
  package init(_ text: String) throws(IdentifierError) {
    let bare = text.hasSuffix(Self.cryptoSuffix) ? String(text.dropLast(Self.cryptoSuffix.count)) : text
    guard let bytes = try? Base58.decode(bare, limit: 64), let publicKey = try? PublicKey(bytes) else {
      throw .malformedVerKey
    }
    self.publicKey = publicKey
  }

  /// Reads any of the forms that agents write: base58, `did:key:z…` and `did:key:z…#z…`.
  package init(anyForm text: String) throws(IdentifierError) {
    guard text.hasPrefix(Self.didKeyPrefix) else {
      try self.init(text)
      return
    }
    let fingerprint = text.dropFirst(Self.didKeyPrefix.count).prefix { $0 != "#" }
    try self.init(multibase: "z" + fingerprint)
  }

  /// Reads a multibase key: `z` and base58 of the multicodec prefix and the key. Only Ed25519 is a verkey.
  package init(multibase text: String) throws(IdentifierError) {
    guard text.hasPrefix("z"), let bytes = try? Base58.decode(String(text.dropFirst()), limit: 128) else {
      throw .malformedVerKey
    }
    guard bytes.starts(with: Self.ed25519) else { throw .unsupportedKeyType }
    guard let publicKey = try? PublicKey(Array(bytes.dropFirst(Self.ed25519.count))) else { throw .malformedVerKey }
    self.init(publicKey)
  }

  /// Base58 of the 32 bytes, 43 or 44 characters (rarely fewer). It is made at each use.
  package var text: String { Base58.encode(publicKey.bytes) }

  /// `z6Mk…`: the key with its multicodec prefix, in multibase.
  package var multibase: String { "z" + Base58.encode(Self.ed25519 + publicKey.bytes) }

  /// `did:key:z6Mk…`
  package var didKey: String { "did:key:" + multibase }

  /// `did:key:z6Mk…#z6Mk…`: the key as documents of other subjects refer to it.
  package var didURL: String { didKey + "#" + multibase }

  /// The DID that the Indy world derives from a key: base58 of its first 16 bytes.
  package var did: DID { DID(unchecked: Base58.encode(Array(publicKey.bytes.prefix(16)))) }

  private static let ed25519: [UInt8] = [0xed, 0x01]
  private static let didKeyPrefix = "did:key:z"
  private static let cryptoSuffix = ":ed25519"
}

extension VerKey: CustomStringConvertible {
  package var description: String { text }
}

extension KeyPair {
  package var verkey: VerKey { VerKey(publicKey) }
}

/// The keys that a party holds, for example in the wallet or in an agency's store.
package protocol KeyRing: Sendable {
  /// The pair whose public half is `key`, or nil.
  func keyPair(for key: VerKey) throws -> KeyPair?
}

/// The reasons why a text is not an identifier of the expected kind.
package enum IdentifierError: Error, Equatable, Sendable {
  case malformedVerKey
  case malformedDID
  /// A well-formed key that is not Ed25519.
  case unsupportedKeyType
}

extension IdentifierError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .malformedVerKey: "a key is not 32 bytes in base58, nor a did:key"
    case .malformedDID: "not a DID"
    case .unsupportedKeyType: "a key is not of the type Ed25519"
    }
  }
}
