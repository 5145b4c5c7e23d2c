internal import HTTP
internal import HTTPServing

/// The URL of a receiver: an http or https URL whose host has one spelling.
///
/// Users choose the URLs of webhooks, and the agency makes only a few calls at once to each host. Two spellings of one host
/// must therefore become one: names use few characters, and numeric addresses have one form.
struct WebhookURL: Equatable, Sendable {
  /// Scheme, host and port: `https://bank.example:443`.
  let target: String

  /// The host alone: all ports of one machine share its calls.
  let host: String

  /// Whether the URL has a user name before its host.
  let namesUser: Bool

  /// Whether the host is a private address or a name of the machine itself. The agency looks up other names at each call,
  /// because their addresses change.
  let isPrivate: Bool

  /// Returns nil for any other text.
  init?(_ text: String) {
    guard text.utf8.allSatisfy({ (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "\\") }), let url = HTTPURL(text),
      let host = Self.host(url.host.lowercased())
    else { return nil }
    self.host = host
    target = "\(url.scheme.rawValue)://\(host):\(url.port)"
    namesUser = url.user != nil
    isPrivate = Self.isPrivate(host)
  }

  /// A name in lower case without a dot at its end, or a numeric address.
  private static func host(_ text: String) -> String? {
    if text.hasPrefix("[") { return numericAddress(String(text.dropFirst().dropLast())).map { "[\($0)]" } }
    let labels = (text.hasSuffix(".") ? text.dropLast() : text[...]).split(
      separator: ".", omittingEmptySubsequences: false)
    guard labels.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(isNamed) }), let last = labels.last else { return nil }
    let name = labels.joined(separator: ".")
    // Resolvers read more numbers as addresses than libcurl does.
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
