internal import HTTPServing

extension Visitor {
  /// The visitor who sent a request. `proxy` is the address of the trusted proxy: only its word counts for another's address.
  init(of request: HTTPServer.Request, behind proxy: String?) {
    let address = request.client == proxy ? Self.forwardedClient(of: request) : request.client
    guard let address else {
      self = .unnamed
      return
    }
    self = address.isLoopback ? .machine : .address(clientNetwork(of: address))
  }

  /// All requests for which the trusted proxy names no client count as one visitor's. Otherwise such a proxy would make
  /// every client the machine itself, which has no limits.
  static let unnamed = Visitor.address("unnamed")

  /// The client's address: the last entry, which the trusted proxy has written. Clients can forge the entries before it.
  /// Nil if the entry is missing or is no address.
  private static func forwardedClient(of request: HTTPServer.Request) -> String? {
    let entries = request.lastHeader("X-Forwarded-For")?.split(separator: ",", omittingEmptySubsequences: false)
    return entries?.last.flatMap { address(in: $0.filter { $0 != " " && $0 != "\t" }) }
  }

  /// Reads `1.2.3.4`, `2001:db8::1` or `[2001:db8::1]`, and the bracketed and the IPv4 form with a port behind a colon.
  private static func address(in entry: String) -> String? {
    if let address = numericAddress(entry) { return address }
    let host: Substring
    if entry.hasPrefix("[") {
      let parts = entry.dropFirst().split(separator: "]", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, parts[0].contains(":"), parts[1].isEmpty || isPort(parts[1]) else { return nil }
      host = parts[0]
    } else {
      guard let colon = entry.firstIndex(of: ":"), isPort(entry[colon...]) else { return nil }
      host = entry[..<colon]
    }
    return numericAddress(String(host))
  }

  /// Whether a text is a colon with a port behind it.
  private static func isPort(_ text: Substring) -> Bool {
    text.first == ":" && text.dropFirst().utf8.allSatisfy { (0x30...0x39).contains($0) }
      && UInt16(text.dropFirst()) != nil
  }
}

extension String {
  /// Whether this is an address of the machine itself.
  var isLoopback: Bool { hasPrefix("127.") || self == "::1" || hasPrefix("::ffff:127.") }
}
