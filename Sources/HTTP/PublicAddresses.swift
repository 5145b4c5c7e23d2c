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
  ![AddressBlock<UInt32>].special.contains { $0.contains(address) }
}

/// `address` is in network order, 16 bytes.
func isPublic(version6 address: [UInt8]) -> Bool {
  let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]
  let translated: [UInt8] = [0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0]
  if address.starts(with: mapped) || address.starts(with: translated) {
    return isPublic(version4: address.suffix(4).reduce(0) { $0 << 8 | UInt32($1) })
  }
  let network = address.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  return [AddressBlock<UInt64>].globalUnicast.contains { $0.contains(network) }
    && ![AddressBlock<UInt64>].special.contains { $0.contains(network) }
}
