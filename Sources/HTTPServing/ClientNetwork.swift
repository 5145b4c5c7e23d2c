internal import Platform

/// The network as which requests of an address are counted: an IPv4 address, or the first half of an IPv6 address,
/// since one client usually has all addresses that begin with it (RFC 6177). Returns any other text unchanged.
package func clientNetwork(of address: String) -> String {
  var bytes = in6_addr()
  guard inet_pton(AF_INET6, address, &bytes) == 1 else { return address }
  let all = withUnsafeBytes(of: &bytes) { Array($0) }
  let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]
  if all.starts(with: mapped) { return all.suffix(4).map { "\($0)" }.joined(separator: ".") }
  let groups = (0..<4).map { String(UInt16(all[2 * $0]) << 8 | UInt16(all[2 * $0 + 1]), radix: 16) }
  return groups.joined(separator: ":") + "::/64"
}

/// A numeric IPv4 or IPv6 address in the form of `HTTPServer.Request.client`; nil for anything else. The server's
/// sockets serve one family each, so an IPv4 address is never written as a mapped one.
package func numericAddress(_ text: String) -> String? {
  guard let address = SocketAddress(text, port: 0)?.withPointer({ SocketAddress.text(of: $0) }) else { return nil }
  let isMapped = address.hasPrefix("::ffff:") && address.contains(".")
  return isMapped ? String(address.dropFirst("::ffff:".count)) : address
}
