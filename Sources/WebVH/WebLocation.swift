/// The place on the web that a DID of `did:web` or `did:webvh` names: a host, a port and a path.
package struct WebLocation: Equatable, Sendable {
  /// A name of the domain name system in ASCII, in lower case.
  package let host: String
  private let port: Int?
  private let path: [String]

  /// The most segments of a path.
  private static let mostSegments = 32

  /// Reads the rest of a DID: the host, a port behind `%3A`, and segments of a path, separated by colons.
  ///
  /// Returns nil for a host that is an IP address or has another percent sign, and for a path that leaves its folder: the
  /// text would name another server's file than its reader sees. The same holds for characters outside of ASCII, of which
  /// some become letters of ASCII in lower case.
  init?(_ text: String) {
    guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    let authority = parts[0].lowercased().split(separator: "%", omittingEmptySubsequences: false)
    guard Self.isHost(authority[0]), parts.count <= Self.mostSegments + 1 else { return nil }
    switch authority.count {
    case 1: port = nil
    case 2:
      guard let port = Self.port(authority[1]) else { return nil }
      self.port = port
    default: return nil
    }
    let segments = parts.dropFirst().map(Self.segment)
    guard !segments.contains(nil) else { return nil }
    host = String(authority[0])
    path = segments.compactMap(\.self)
  }

  /// Whether the host is this machine, which needs no certificate (RFC 6761, 6.3).
  private var isLocal: Bool { host == "localhost" || host.hasSuffix(".localhost") }

  /// `https://example.com:8443`; for this machine, an http URL.
  private var origin: String {
    "\(isLocal ? "http" : "https")://\(host)\(port.map { ":\($0)" } ?? "")"
  }

  /// The URL of the folder of the DID's files. Ends with a slash.
  package var base: String { "\(origin)/\(path.map { $0 + "/" }.joined())" }

  /// The folder of the DID's files below the root of its server, empty or with a slash at its end. Nil if a segment has an
  /// encoded character.
  package var folder: String? {
    path.contains { $0.contains("%") } ? nil : path.map { $0 + "/" }.joined()
  }

  /// The path of a file that describes the DID, below the root of its server.
  package func file(_ name: String) -> String? { folder.map { ($0.isEmpty ? ".well-known/" : $0) + name } }

  /// The URL of a file that describes the DID: a DID without a path has it in `.well-known`.
  func url(of file: String) -> String { "\(base)\(path.isEmpty ? ".well-known/" : "")\(file)" }

  /// Labels of letters, digits and hyphens; at least two, except for this machine. A name that ends with a number would
  /// be read as an IP address.
  private static func isHost(_ text: Substring) -> Bool {
    let labels = text.split(separator: ".", omittingEmptySubsequences: false)
    guard text.utf8.count <= 253, labels.count > 1 || text == "localhost", let last = labels.last?.utf8.first,
      isLetter(last)
    else { return false }
    return labels.allSatisfy { label in
      (1...63).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
        && label.utf8.allSatisfy { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "-") }
    }
  }

  /// The port behind a percent sign: `3a8080`.
  private static func port(_ text: Substring) -> Int? {
    let digits = text.utf8.dropFirst(2)
    guard text.hasPrefix("3a"), digits.first != UInt8(ascii: "0"), digits.allSatisfy(isDigit),
      let port = Int(String(text.dropFirst(2))), (1...65_535).contains(port)
    else { return nil }
    return port
  }

  /// A segment of a path as a URL has it; nil if it is empty, malformed, or the name of a folder above. Percent-encoded
  /// characters stay encoded: a slash or a dot among them would be another path for some servers.
  static func segment(_ text: String) -> String? {
    let bytes = Array(text.utf8)
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%") {
        guard index + 2 < bytes.count, let value = hexValue(bytes[index + 1], bytes[index + 2]),
          value > 0x20, value != 0x7f, !"./\\".utf8.contains(value)
        else { return nil }
        index += 2
      } else if !isUnreserved(bytes[index]) {
        return nil
      }
      index += 1
    }
    return bytes.isEmpty || text == "." || text == ".." ? nil : text
  }

  private static func hexValue(_ high: UInt8, _ low: UInt8) -> UInt8? {
    guard high != UInt8(ascii: "+"), high != UInt8(ascii: "-") else { return nil }
    return UInt8(String(decoding: [high, low], as: UTF8.self), radix: 16)
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7a).contains(byte | 0x20) && byte > 0x40 }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// RFC 3986, 2.3.
  private static func isUnreserved(_ byte: UInt8) -> Bool {
    isLetter(byte) || isDigit(byte) || "-._~".utf8.contains(byte)
  }
}
