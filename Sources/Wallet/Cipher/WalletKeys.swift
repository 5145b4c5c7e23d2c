internal import Sodium

/// The seven keys of a wallet, made once and never changed.
struct WalletKeys: Sendable {
  let type: SecretBytes
  let name: SecretBytes
  let value: SecretBytes
  let itemNonce: HMACKey
  let tagName: SecretBytes
  let tagValue: SecretBytes
  let tagNonce: HMACKey

  /// The keys in the form that the metadata seals: a MessagePack array of seven binaries of 32 bytes.
  let packed: SecretBytes

  private static let count = 7
  private static let arrayHeader: UInt8 = 0x90 | 7
  private static let keyHeader: [UInt8] = [0xc4, UInt8(AEAD.keyLength)]
  static let packedLength = 1 + count * (keyHeader.count + AEAD.keyLength)

  /// New random keys.
  init() {
    var parts = [SecretBytes(copying: [Self.arrayHeader])]
    for _ in 0..<Self.count { parts += [SecretBytes(copying: Self.keyHeader), SecretBytes(random: AEAD.keyLength)] }
    self.init(wellFormed: SecretBytes(joining: parts))
  }

  /// Reads the packed form; nil if it is malformed.
  init?(packed bytes: [UInt8]) {
    guard bytes.count == Self.packedLength, bytes[0] == Self.arrayHeader else { return nil }
    for index in 0..<Self.count {
      let start = Self.range(index).lowerBound
      guard bytes[start - Self.keyHeader.count..<start].elementsEqual(Self.keyHeader) else { return nil }
    }
    self.init(wellFormed: SecretBytes(copying: bytes))
  }

  private init(wellFormed packed: SecretBytes) {
    self.packed = packed
    type = packed.slice(Self.range(0))
    name = packed.slice(Self.range(1))
    value = packed.slice(Self.range(2))
    itemNonce = HMACKey(packed.slice(Self.range(3)))
    tagName = packed.slice(Self.range(4))
    tagValue = packed.slice(Self.range(5))
    tagNonce = HMACKey(packed.slice(Self.range(6)))
  }

  /// The place of key number `index` in the packed form.
  private static func range(_ index: Int) -> Range<Int> {
    let start = 1 + index * (keyHeader.count + AEAD.keyLength) + keyHeader.count
    return start..<start + AEAD.keyLength
  }
}
