internal import CCurl

/// An http or https URL, divided by libcurl's own parser: a decision about a part holds for the host that libcurl
/// calls.
package struct HTTPURL: Equatable, Sendable {
  package enum Scheme: String, Sendable { case http, https }

  package let scheme: Scheme
  /// Nil where no `@` stands before the host.
  package let user: String?
  /// A name as it is written, an IPv4 address in its usual form, or an IPv6 address in brackets.
  package let host: String
  /// The named port, or the scheme's port.
  package let port: Int
  /// Begins with a slash.
  package let path: String
  /// Whether a question mark or a number sign stands behind the path.
  package let hasQueryOrFragment: Bool

  /// Scheme, host and, if it is named, the port. A log may show this part.
  package let origin: String

  /// Nil for anything else, and for a URL that libcurl would repair: without `//`, or with a blank or a control character.
  package init?(_ text: String) {
    guard let parts = Parts(text),
      let scheme = parts[CURLUPART_SCHEME].flatMap(Scheme.init(rawValue:)),
      let host = parts[CURLUPART_HOST], parts[CURLUPART_ZONEID] == nil,
      let path = parts[CURLUPART_PATH],
      let port = parts.port
    else { return nil }
    let start = text.utf8.dropFirst(scheme.rawValue.utf8.count)
    guard start.starts(with: "://".utf8), start.dropFirst(3).first != UInt8(ascii: "/") else {
      return nil
    }
    self.scheme = scheme
    user = parts[CURLUPART_USER]
    self.host = host
    self.port = port
    self.path = path
    hasQueryOrFragment = parts[CURLUPART_QUERY] != nil || parts[CURLUPART_FRAGMENT] != nil
    origin = "\(scheme.rawValue)://\(host)" + (parts[CURLUPART_PORT].map { ":\($0)" } ?? "")
  }

  /// The origin of a URL, for a line of the log or an error; `?` for any other text.
  package static func origin(of text: String) -> String { HTTPURL(text)?.origin ?? "?" }
}

/// Whether a text is a URL of any scheme with a host. Without libcurl every text passes; a request to it then fails
/// because libcurl is missing.
package func isAbsoluteURL(_ text: String) -> Bool {
  guard HTTPClient.absence == nil else { return true }
  guard let scheme = Parts(text, anyScheme)?[CURLUPART_SCHEME], let first = scheme.utf8.first,
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first | 0x20)
  else { return false }
  return text.utf8.dropFirst(scheme.utf8.count).starts(with: "://".utf8)
}

// CURLU_DEFAULT_PORT and CURLU_NON_SUPPORT_SCHEME: macros with arithmetic, which Swift does not import.
private let withDefaultPort: UInt32 = 1 << 0
private let anyScheme: UInt32 = 1 << 3

/// A URL in libcurl's form.
private final class Parts {
  private let curl: LibCurl
  private let handle: OpaquePointer

  init?(_ text: String, _ flags: UInt32 = 0) {
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f }), let curl = try? LibCurl.open(),
      let handle = curl.makeURL()
    else { return nil }
    guard curl.setPart(handle, CURLUPART_URL, text, flags) == CURLUE_OK else {
      curl.freeURL(handle)
      return nil
    }
    self.curl = curl
    self.handle = handle
  }

  deinit { curl.freeURL(handle) }

  /// Nil where the URL has no such part.
  subscript(part: CURLUPart) -> String? { self[part, 0] }

  /// From 1 to 65535; nil for 0, which no client can call.
  var port: Int? {
    self[CURLUPART_PORT, withDefaultPort].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
  }

  private subscript(part: CURLUPart, flags: UInt32) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    guard curl.part(handle, part, &text, flags) == CURLUE_OK, let text else { return nil }
    defer { curl.free(text) }
    return String(validatingCString: text)
  }
}
