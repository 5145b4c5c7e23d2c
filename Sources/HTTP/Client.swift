internal import CCurl
internal import Glibc
internal import Logging
internal import Threading

/// An HTTP client that keeps its connections. Blocks; any number of threads may use it at a time.
///
/// TLS certificates are verified against the system's store, or against the file that the caller or `SSL_CERT_FILE` names.
/// A redirected POST must not deliver elsewhere, and the caller that follows a link checks each hop, so redirects are not
/// followed. A proxy is taken from the environment, as libcurl does.
package final class HTTPClient: Sendable {
  /// What a server answered, whatever the status.
  package struct Response: Sendable {
    package let status: Int
    /// The absolute target of a redirect.
    package let location: String?
    /// In how many seconds the server wants to be asked again; 0 if it does not say.
    package let retryAfter: Int
    package let body: [UInt8]

    package init(status: Int, location: String? = nil, retryAfter: Int = 0, body: [UInt8] = []) {
      self.status = status
      self.location = location
      self.retryAfter = retryAfter
      self.body = body
    }

    package var isSuccess: Bool { (200..<300).contains(status) }
  }

  /// Which addresses may be connected to.
  package enum Reach: Sendable {
    case anywhere
    /// No loopback, private or link-local addresses, whatever names lead to them, and no proxy: for a server whose
    /// users choose where it posts to.
    case publicAddresses
  }

  private let idle = Locked<[Transfer]>([])
  private let isEnding = Monitor(false)
  private let timeout: Int
  private let connectTimeout: Int
  private let maximumBody: Int
  private let reach: Reach
  private let authorities: String?

  /// How many seconds a connection may take, resolution and TLS included, where the caller says nothing else.
  package static let connectTimeout = 10

  /// `timeout` is in seconds, for a whole exchange with its repetitions; a response body of more than `maximumBody` bytes
  /// is an error. An agency's answer has about a million at most, after which a client asks for the rest.
  /// `authorities` is a file of certificates in PEM, which count in place of the system's.
  package init(
    timeout: Int = 50, connectTimeout: Int = HTTPClient.connectTimeout, maximumBody: Int = 4 << 20,
    reach: Reach = .anywhere, authorities: String? = nil
  ) {
    self.timeout = timeout
    self.connectTimeout = min(connectTimeout, timeout)
    self.maximumBody = maximumBody
    self.reach = reach
    self.authorities = authorities ?? getenv("SSL_CERT_FILE").map { String(cString: $0) }
  }

  /// `headers` are further lines, e.g. `X-Request-ID: 1`, and must hold no line breaks. `maximumBody` is a lower limit for
  /// this response. With `repeating`, the request is sent again after a 429, as `repeated` says.
  package func post(
    _ body: [UInt8], to url: String, contentType: String, headers: [String] = [], maximumBody: Int? = nil,
    repeating: Bool = false
  ) throws(HTTPError) -> Response {
    try repeated(repeating) { (milliseconds) throws(HTTPError) in
      try logged("POST", url, sending: body.count) { () throws(HTTPError) in
        try exchange(url, milliseconds, maximumBody: maximumBody) {
          $0.post(body, contentType: contentType, headers: headers)
        }
      }
    }
  }

  /// `maximumBody` is a lower limit for this response. With `repeating`, the request is sent again after a 429, as
  /// `repeated` says.
  package func get(_ url: String, maximumBody: Int? = nil, repeating: Bool = false) throws(HTTPError) -> Response {
    try repeated(repeating) { (milliseconds) throws(HTTPError) in
      try logged("GET", url, sending: 0) { () throws(HTTPError) in
        try exchange(url, milliseconds, maximumBody: maximumBody) { $0.get() }
      }
    }
  }

  /// Ends all waiting before repetitions, now and later: callers get the 429 that the client has.
  package func endWaiting() { isEnding.withLock { $0 = true } }

  /// Where `isAllowed`, waits after a 429 as long as the server says, a second at least, and sends again: with 429 the
  /// server has done nothing yet, so that any request may be repeated. Where the time is too short for that, the 429 is
  /// the answer. `send` is told how many milliseconds are left.
  private func repeated(
    _ isAllowed: Bool, _ send: (Int) throws(HTTPError) -> Response
  ) throws(HTTPError) -> Response {
    let end = monotonicMilliseconds() + timeout * 1000
    while true {
      let response = try send(max(1, end - monotonicMilliseconds()))
      let pause = max(1, response.retryAfter)
      guard isAllowed, response.status == 429, pause < (end - monotonicMilliseconds()) / 1000 else { return response }
      Log.debug("too many requests: the next attempt is in \(pause) s")
      let isOver = isEnding.wait(milliseconds: pause * 1000) { $0 ? true : nil } ?? false
      if isOver { return response }
    }
  }

  /// Notes a request with its outcome. Of the URL only the origin: paths and queries can hold what is not for the log.
  private func logged(
    _ method: String, _ url: String, sending count: Int, _ exchange: () throws(HTTPError) -> Response
  ) throws(HTTPError) -> Response {
    do {
      let response = try exchange()
      Log.debug("\(method) \(origin(of: url)), \(count) bytes: \(response.status), \(response.body.count) bytes")
      return response
    } catch {
      Log.debug("\(method) \(origin(of: url)), \(count) bytes: \(error)")
      throw error
    }
  }

  private func exchange(
    _ url: String, _ milliseconds: Int, maximumBody limit: Int? = nil, _ prepare: (Transfer) -> Void
  ) throws(HTTPError) -> Response {
    let transfer = if let kept = idle.withLock({ $0.popLast() }) { kept } else { try Transfer() }
    defer { idle.withLock { $0.append(transfer) } }
    transfer.reset(
      url: url, milliseconds: milliseconds, connectTimeout: connectTimeout,
      maximumBody: min(maximumBody, limit ?? maximumBody))
    if reach == .publicAddresses { transfer.keepToPublicAddresses() }
    if let authorities { transfer.trust(authorities) }
    prepare(transfer)
    return try transfer.perform()
  }
}

/// Why there is no response. A response with an error status is none of these.
package enum HTTPError: Error, Equatable, Sendable {
  /// Not an absolute http or https URL.
  case invalidURL
  /// The server was not reached, TLS could not be established, or the time ran out. The text is libcurl's, behind the
  /// server's address.
  case unreachable(String)
  /// The response is longer than the caller takes.
  case responseTooLarge
  /// The host has an address that only a public one may stand for: loopback, private or link-local.
  case notPublic
}

extension HTTPError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .invalidURL: "not an http or https URL"
    case .unreachable(let reason): "no answer: \(reason)"
    case .responseTooLarge: "the response is too large"
    case .notPublic: "the host has no public address"
    }
  }
}

private func monotonicMilliseconds() -> Int {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
}

/// Scheme, host and port of a URL.
///
/// Looks for the colon alone: to look for a longer text would link the standard library's regular expressions, a
/// megabyte.
func origin(of url: String) -> String {
  guard let colon = url.firstIndex(of: ":"), url[colon...].hasPrefix("://") else { return "?" }
  let start = url.index(colon, offsetBy: 3)
  let authority = url[start...].prefix { !"/?#\\".contains($0) }
  let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
  return String(url[..<start]) + host
}
