/// A block of addresses that begin with the same bits. For version 6, only the first 64 bits of an address count.
struct AddressBlock<Address: FixedWidthInteger & Sendable>: Sendable {
  private let start: Address
  private let bits: Int

  init(_ start: Address, _ bits: Int) {
    self.start = start
    self.bits = bits
  }

  func contains(_ address: Address) -> Bool { (address ^ start) >> (Address.bitWidth - bits) == 0 }
}

extension [AddressBlock<UInt32>] {
  /// The blocks of the IANA IPv4 Special-Purpose Address Registry, multicast addresses (RFC 5771), and the former class E.
  ///
  /// Everybody can reach some of these blocks. They are in the list because no server for users has an address in them:
  /// AS112 (RFC 7534, RFC 7535), multicast tunnels (RFC 7450), and the relays of 6to4 (RFC 7526).
  static let special: Self = [
    .init(0x0000_0000, 8),  // this network
    .init(0x0a00_0000, 8),  // private use
    .init(0x6440_0000, 10),  // shared by customers of a provider
    .init(0x7f00_0000, 8),  // loopback
    .init(0xa9fe_0000, 16),  // link-local
    .init(0xac10_0000, 12),  // private use
    .init(0xc000_0000, 24),  // IETF protocol assignments
    .init(0xc000_0200, 24),  // documentation
    .init(0xc01f_c400, 24),  // AS112
    .init(0xc034_c100, 24),  // multicast tunnels
    .init(0xc058_6300, 24),  // relays of 6to4
    .init(0xc0a8_0000, 16),  // private use
    .init(0xc0af_3000, 24),  // AS112
    .init(0xc612_0000, 15),  // benchmarks
    .init(0xc633_6400, 24),  // documentation
    .init(0xcb00_7100, 24),  // documentation
    .init(0xe000_0000, 3),  // multicast, and reserved for future use
  ]
}

extension [AddressBlock<UInt64>] {
  /// The blocks of the IANA IPv6 Special-Purpose Address Registry that lie within `globalUnicast`.
  ///
  /// The first block has Teredo (RFC 4380), both forms of ORCHID (RFC 4843, RFC 7343), DRIP (RFC 9374), benchmarks, and
  /// services within a network. Teredo and 6to4 (RFC 3056) are tunnels, which can lead to any address of version 4.
  static let special: Self = [
    .init(0x2001_0000_0000_0000, 23),  // IETF protocol assignments
    .init(0x2001_0db8_0000_0000, 32),  // documentation
    .init(0x2002_0000_0000_0000, 16),  // 6to4
    .init(0x2620_004f_8000_0000, 48),  // AS112
    .init(0x3fff_0000_0000_0000, 20),  // documentation
  ]

  /// The only block from which networks get public addresses (RFC 4291, section 2.4; IANA IPv6 Address Space).
  static let globalUnicast: Self = [.init(0x2000_0000_0000_0000, 3)]
}
