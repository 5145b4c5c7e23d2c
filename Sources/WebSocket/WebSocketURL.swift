internal import HTTP

/// A ws or wss URL (RFC 6455, section 3).
struct WebSocketURL: Equatable {
  /// The http or https URL of the same server.
  let http: String
  /// The scheme, the host and, if the URL names it, the port. A log may show this part.
  let origin: String
  /// The host and, if the URL names it, the port.
  let authority: String
  /// The path with the query, as in the request. It begins with a slash.
  let target: String

  /// Returns nil for any other text, also for a URL with a user, a fragment, or a character outside ASCII.
  init?(_ text: String) {
    guard let rest = Self.secure(text) ?? Self.plain(text),
      text.utf8.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "#") }),
      let url = HTTPURL(rest), url.user == nil
    else { return nil }
    http = rest
    origin = "ws" + url.origin.dropFirst("http".count)
    authority = String(url.origin.dropFirst(url.scheme.rawValue.count + 3))
    let path = rest.dropFirst(url.scheme.rawValue.count + 3).drop { $0 != "/" && $0 != "?" }
    target = path.first == "/" ? String(path) : "/\(path)"
  }

  private static func secure(_ text: String) -> String? { replacing("wss://", in: text, by: "https://") }
  private static func plain(_ text: String) -> String? { replacing("ws://", in: text, by: "http://") }

  private static func replacing(_ start: String, in text: String, by replacement: String) -> String? {
    guard text.prefix(start.count).lowercased() == start else { return nil }
    return replacement + text.dropFirst(start.count)
  }
}
