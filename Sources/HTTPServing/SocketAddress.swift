internal import Platform

/// A numeric IPv4 or IPv6 address with a port.
struct SocketAddress {
  private var storage = sockaddr_storage()

  /// Returns nil for any other text.
  init?(_ text: String, port: UInt16) {
    var four = in_addr()
    var six = in6_addr()
    if inet_pton(AF_INET, text, &four) == 1 {
      let address = sockaddr_in(
        sin_family: sa_family_t(AF_INET), sin_port: port.bigEndian, sin_addr: four, sin_zero: (0, 0, 0, 0, 0, 0, 0, 0))
      withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: address, as: sockaddr_in.self) }
    } else if inet_pton(AF_INET6, text, &six) == 1 {
      let address = sockaddr_in6(
        sin6_family: sa_family_t(AF_INET6), sin6_port: port.bigEndian, sin6_flowinfo: 0, sin6_addr: six,
        sin6_scope_id: 0)
      withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: address, as: sockaddr_in6.self) }
    } else {
      return nil
    }
  }

  func withPointer<Result>(_ body: (UnsafePointer<sockaddr>) -> Result) -> Result {
    withUnsafePointer(to: storage) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0) }
    }
  }

  /// The numeric form of an address, without its port; empty for other families.
  static func text(of address: UnsafePointer<sockaddr>?) -> String {
    guard let address else { return "" }
    let family = Int32(address.pointee.sa_family)
    let length = family == AF_INET ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
    guard family == AF_INET || family == AF_INET6 else { return "" }
    var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    let status = getnameinfo(address, socklen_t(length), &host, socklen_t(host.count), nil, 0, NI_NUMERICHOST)
    guard status == 0 else { return "" }
    return String(decoding: host.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
