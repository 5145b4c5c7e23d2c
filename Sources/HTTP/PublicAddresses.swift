internal import CCurl
internal import Platform

/// Whether an address belongs to the public internet (the IANA registries of special-purpose addresses).
func isPublic(_ address: UnsafePointer<curl_sockaddr>) -> Bool {
  guard let start = msdk_curl_address(address) else { return false }
  switch address.pointee.family {
  case AF_INET: return isPublic(version4: UInt32(bigEndian: start.loadUnaligned(as: sockaddr_in.self).sin_addr.s_addr))
  case AF_INET6:
    var address = start.loadUnaligned(as: sockaddr_in6.self).sin6_addr
    return isPublic(version6: withUnsafeBytes(of: &address) { Array($0) })
  default: return false
  }
}

/// Whether a numeric address belongs to the public internet. Returns nil for a name.
package func isPublic(_ host: String) -> Bool? {
  var (short, long) = (in_addr(), in6_addr())
  if inet_pton(AF_INET, host, &short) == 1 { return isPublic(version4: UInt32(bigEndian: short.s_addr)) }
  guard inet_pton(AF_INET6, host, &long) == 1 else { return nil }
  return isPublic(version6: withUnsafeBytes(of: &long) { Array($0) })
}

func isPublic(version4 address: UInt32) -> Bool {
  let special: [(prefix: UInt32, bits: UInt32)] = [
    (0x0000_0000, 8), (0x0a00_0000, 8), (0x6440_0000, 10), (0x7f00_0000, 8), (0xa9fe_0000, 16), (0xac10_0000, 12),
    (0xc000_0000, 24), (0xc000_0200, 24), (0xc0a8_0000, 16), (0xc612_0000, 15), (0xc633_6400, 24), (0xcb00_7100, 24),
    (0xe000_0000, 3),
  ]
  return !special.contains { address >> (32 - $0.bits) == $0.prefix >> (32 - $0.bits) }
}

/// `address` is in network order, 16 bytes.
func isPublic(version6 address: [UInt8]) -> Bool {
  let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]
  let translated: [UInt8] = [0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0]
  if address.starts(with: mapped) || address.starts(with: translated) {
    return isPublic(version4: address.suffix(4).reduce(0) { $0 << 8 | UInt32($1) })
  }
  return address[0] & 0xe0 == 0x20 && !address.starts(with: [0x20, 0x01, 0x0d, 0xb8])
}
