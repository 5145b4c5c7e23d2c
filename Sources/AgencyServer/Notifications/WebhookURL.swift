internal import HTTP
internal import HTTPServing

/// The URL of somebody who is told of messages: an http or https URL whose host is written in one way.
///
/// Users choose where webhooks lead, and the agency calls each target a few times at once only. Two spellings of one host
/// must therefore give one target: names have few characters, numeric addresses one form.
struct WebhookURL: Equatable, Sendable {
  /// Scheme, host and port: `https://bank.example:443`.
  let target: String

  /// Whether a user name, and perhaps a password, stands before the host.
  let namesUser: Bool

  /// Whether the host is a private address or a name of the machine itself. Other names are looked up only when the
  /// webhook is called: what they lead to changes.
  let isPrivate: Bool

  /// Nil for anything else.
  init?(_ text: String) {
    guard text.utf8.allSatisfy({ (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "\\") }),
      let scheme = ["http://", "https://"].first(where: text.lowercased().hasPrefix)
    else { return nil }
    let authority = text.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
    let parts = authority.split(separator: "@", omittingEmptySubsequences: false)
    guard let place = parts.last, parts.count <= 2, let (host, port) = Self.split(place.lowercased()) else {
      return nil
    }
    let standardPort = scheme == "http://" ? 80 : 443
    guard let host = Self.host(host), let number = port.isEmpty ? standardPort : Self.port(port) else { return nil }
    target = "\(scheme)\(host):\(number)"
    namesUser = parts.count == 2
    isPrivate = Self.isPrivate(host)
  }

  /// The host and what stands behind its colon.
  private static func split(_ place: String) -> (host: String, port: String)? {
    let isBracketed = place.hasPrefix("[")
    let end = isBracketed ? place.firstIndex(of: "]").map { place.index(after: $0) } : place.firstIndex(of: ":")
    let host = String(place[..<(end ?? place.endIndex)])
    let rest = place[(end ?? place.endIndex)...]
    guard !isBracketed || end != nil, rest.isEmpty || rest.hasPrefix(":") else { return nil }
    return (host, String(rest.dropFirst()))
  }

  private static func port(_ text: String) -> Int? {
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt16(text), number > 0 else {
      return nil
    }
    return Int(number)
  }

  /// A name in lower case without a dot at its end, or a numeric address.
  private static func host(_ text: String) -> String? {
    if text.hasPrefix("[") { return numericAddress(String(text.dropFirst().dropLast())).map { "[\($0)]" } }
    let labels = (text.hasSuffix(".") ? text.dropLast() : text[...]).split(
      separator: ".", omittingEmptySubsequences: false)
    guard labels.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(isNamed) }), let last = labels.last else { return nil }
    let name = labels.joined(separator: ".")
    // Resolvers take other numbers for addresses too: octal ones, hexadecimal ones, those with fewer parts.
    guard last.first?.isNumber ?? true else { return name }
    return numericAddress(name) == name ? name : nil
  }

  private static func isPrivate(_ host: String) -> Bool {
    if let isReachable = isPublic(host.filter { !"[]".contains($0) }) { return !isReachable }
    return host == "localhost" || host.hasSuffix(".localhost")
  }

  private static func isNamed(_ byte: UInt8) -> Bool {
    (0x61...0x7a).contains(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-")
      || byte == UInt8(ascii: "_")
  }
}
