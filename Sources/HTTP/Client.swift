internal import CCurl
internal import DynamicLibrary
internal import Logging
internal import Platform
internal import Threading

/// An HTTP client that keeps its connections. It blocks; any number of threads may use it at a time.
///
/// TLS certificates are verified against the system's store, or against the file that the caller or `SSL_CERT_FILE` names.
/// A redirected POST must not deliver elsewhere, and the caller that follows a link checks each hop, so redirects are not
/// followed. A proxy is taken from the environment, as libcurl does.
///
/// A request lasts no longer than the `Deadline` of the thread that makes it.
package final class HTTPClient: Sendable {
  /// A server's answer, of any status.
  package struct Response: Sendable {
    package let status: Int
    /// The absolute target of a redirect.
    package let location: String?
    /// The seconds after which the server wants to be asked again; 0 if the server names no time.
    package let retryAfter: Int
    /// The server's time in seconds since 1970; nil if its `Date` is missing or malformed.
    package let time: Int64?
    /// The entity tag of the body's version, as the server writes it; nil if the server gives none.
    package let tag: String?
    package let body: [UInt8]

    package init(
      status: Int, location: String? = nil, retryAfter: Int = 0, time: Int64? = nil, tag: String? = nil,
      body: [UInt8] = []
    ) {
      self.status = status
      self.location = location
      self.retryAfter = retryAfter
      self.time = time
      self.tag = tag
      self.body = body
    }

    package var isSuccess: Bool { (200..<300).contains(status) }
  }

  /// The addresses that the client may connect to.
  package enum Reach: Sendable {
    case anywhere
    /// Only public addresses: no loopback, private or link-local address under any name, and no proxy. For a server
    /// whose users choose the addresses that it posts to.
    case publicAddresses
  }

  /// The reason why no request can be sent: libcurl is missing. Nil if it is there.
  package static var absence: String? {
    do throws(DynamicLibraryError) {
      _ = try LibCurl.open()
      return nil
    } catch {
      return "libcurl could not start: \(error)"
    }
  }

  private let idle = Locked<[Transfer]>([])
  private let isEnding = Monitor(false)
  private let timeout: Int
  private let connectTimeout: Int
  private let maximumBody: Int
  private let cutsBodies: Bool
  private let loop = Locked<TransferLoop?>(nil)
  private let reach: Reach
  private let authorities: String?

  /// The default time limit for a connection in seconds, with resolution and TLS.
  package static let connectTimeout = 10

  /// The default time limit for a whole exchange in seconds.
  package static let timeout = 50

  /// `timeout` is in seconds, for a whole exchange with its repetitions. A response body of more than `maximumBody`
  /// bytes is an error; an agency's answer has about a million bytes at most, and the client asks again for the rest.
  /// With `cutsBodies` such a response succeeds with the beginning of the body, for callers that need only the status.
  /// `authorities` is a file of certificates in PEM, which replace the system's.
  package init(
    timeout: Int = HTTPClient.timeout, connectTimeout: Int = HTTPClient.connectTimeout, maximumBody: Int = 4 << 20,
    cutsBodies: Bool = false, reach: Reach = .anywhere, authorities: String? = nil
  ) {
    self.timeout = timeout
    self.connectTimeout = min(connectTimeout, timeout)
    self.maximumBody = maximumBody
    self.cutsBodies = cutsBodies
    self.reach = reach
    self.authorities = authorities ?? getenv("SSL_CERT_FILE").map { String(cString: $0) }
  }

  /// `headers` are further lines, e.g. `X-Request-ID: 1`, without line breaks. `maximumBody` is a lower limit for this
  /// response. With `repeating`, a request that gets a 429 is sent again, as `repeated` says.
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

  /// Posts without blocking: one thread serves all such requests of the client, so that a server that does not answer
  /// delays no other. `end` runs on that thread, or immediately on the caller's thread, and must not block. Returns a
  /// function that ends the request, on any thread: `end` then gets an error, unless it has an answer already.
  @discardableResult
  package func post(
    _ body: [UInt8], to url: String, contentType: String, headers: [String],
    then end: @escaping @Sendable (Result<Response, HTTPError>) -> Void
  ) -> @Sendable () -> Void {
    do throws(HTTPError) {
      let loop = try runningLoop()
      let transfer = try transfer(to: url, milliseconds: milliseconds(), maximumBody: maximumBody)
      transfer.post(body, contentType: contentType, headers: headers)
      return loop.start(transfer) { transfer, code in
        let result = Result { () throws(HTTPError) in
          try self.logged("POST", url, sending: body.count) { () throws(HTTPError) in try transfer.response(after: code)
          }
        }
        self.idle.withLock { $0.append(transfer) }
        end(result)
      }
    } catch {
      end(.failure(error))
      return {}
    }
  }

  private func runningLoop() throws(HTTPError) -> TransferLoop {
    try loop.withLock { loop throws(HTTPError) in
      if let loop { return loop }
      let started = try TransferLoop()
      loop = started
      return started
    }
  }

  /// `headers` and `maximumBody` are as for `post`. With `repeating`, the request is sent again after a 429, as `repeated`
  /// says.
  package func get(
    _ url: String, headers: [String] = [], maximumBody: Int? = nil, repeating: Bool = false
  ) throws(HTTPError) -> Response {
    try repeated(repeating) { (milliseconds) throws(HTTPError) in
      try logged("GET", url, sending: 0) { () throws(HTTPError) in
        try exchange(url, milliseconds, maximumBody: maximumBody) { $0.get(headers: headers) }
      }
    }
  }

  /// Puts a body at the URL. `headers` are as for `post`.
  package func put(
    _ body: [UInt8], to url: String, contentType: String, headers: [String] = []
  ) throws(HTTPError) -> Response {
    try logged("PUT", url, sending: body.count) { () throws(HTTPError) in
      try exchange(url, milliseconds()) { $0.put(body, contentType: contentType, headers: headers) }
    }
  }

  /// Asks for the status of the URL. The response has no body.
  package func head(_ url: String) throws(HTTPError) -> Response {
    try logged("HEAD", url, sending: 0) { () throws(HTTPError) in try exchange(url, milliseconds()) { $0.head() } }
  }

  /// Puts a file, as the part `name` of a form. An unreadable file gives the same error as a server that does not
  /// answer.
  package func put(file path: String, as name: String, to url: String) throws(HTTPError) -> Response {
    try logged("PUT", url, sending: 0) { () throws(HTTPError) in
      try exchange(url, milliseconds()) { $0.put(file: path, as: name) }
    }
  }

  /// A connection to the server of the URL, which is not open yet: it keeps to the client's time limit, addresses, certificates
  /// and proxy. Errors name the server by `origin`.
  package func stream(to url: String, named origin: String) throws(HTTPError) -> ServerStream {
    let transfer = try Transfer()
    prepare(transfer, to: url, milliseconds: try milliseconds(), maximumBody: 0)
    transfer.connectOnly(named: origin)
    return try ServerStream(transfer, milliseconds: timeout * 1000, named: origin)
  }

  /// Ends all waiting before repetitions, now and later: callers get the 429 of the last try.
  package func endWaiting() { isEnding.withLock { $0 = true } }

  /// If `isAllowed`, waits after a 429 as long as the server says, at least a second, and sends again: after a 429 the
  /// server has done nothing yet, so any request may be repeated. If too little time is left, returns the 429. `send`
  /// receives the remaining milliseconds.
  private func repeated(
    _ isAllowed: Bool, _ send: (Int) throws(HTTPError) -> Response
  ) throws(HTTPError) -> Response {
    let end = MonotonicTime.now.after(milliseconds: try milliseconds())
    while true {
      let response = try send(max(1, end.millisecondsLeft))
      let pause = max(1, response.retryAfter)
      guard isAllowed, response.status == 429, pause < end.millisecondsLeft / 1000 else { return response }
      Log.debug("too many requests: the next attempt is in \(pause) s")
      let isOver = isEnding.wait(milliseconds: pause * 1000) { $0 ? true : nil } ?? false
      if isOver { return response }
    }
  }

  /// The time limit of an exchange that begins now.
  private func milliseconds() throws(HTTPError) -> Int {
    let left = Deadline.milliseconds(atMost: timeout * 1000)
    guard left > 0 else { throw .unreachable("the time of the call is over") }
    return left
  }

  /// Logs a request with its outcome. It logs only the origin of the URL, because paths and queries may hold secrets.
  private func logged(
    _ method: String, _ url: String, sending count: Int, _ exchange: () throws(HTTPError) -> Response
  ) throws(HTTPError) -> Response {
    do {
      let response = try exchange()
      Log.debug(
        "\(method) \(HTTPURL.origin(of: url)), \(count) bytes: \(response.status), \(response.body.count) bytes")
      return response
    } catch {
      Log.debug("\(method) \(HTTPURL.origin(of: url)), \(count) bytes: \(error)")
      throw error
    }
  }

  private func exchange(
    _ url: String, _ milliseconds: Int, maximumBody limit: Int? = nil, _ prepare: (Transfer) -> Void
  ) throws(HTTPError) -> Response {
    let transfer = try transfer(
      to: url, milliseconds: milliseconds, maximumBody: min(maximumBody, limit ?? maximumBody))
    defer { idle.withLock { $0.append(transfer) } }
    prepare(transfer)
    return try transfer.perform()
  }

  /// A transfer with the client's settings. The caller returns it to the idle transfers.
  private func transfer(to url: String, milliseconds: Int, maximumBody: Int) throws(HTTPError) -> Transfer {
    let transfer = if let kept = idle.withLock({ $0.popLast() }) { kept } else { try Transfer() }
    prepare(transfer, to: url, milliseconds: milliseconds, maximumBody: maximumBody)
    return transfer
  }

  private func prepare(_ transfer: Transfer, to url: String, milliseconds: Int, maximumBody: Int) {
    transfer.reset(
      url: url, milliseconds: milliseconds, connectTimeout: connectTimeout, maximumBody: maximumBody,
      cutsBody: cutsBodies)
    if reach == .publicAddresses { transfer.keepToPublicAddresses() }
    if let authorities { transfer.trust(authorities) }
  }
}

/// The reasons why there is no response. A response with an error status is none of these.
package enum HTTPError: Error, Equatable, Sendable {
  /// Not an absolute http or https URL.
  case invalidURL
  /// No part of the request has gone to the server: the server could not be reached, or TLS could not be established.
  /// The text has the server's address and libcurl's message.
  case notConnected(String)
  /// The connection ended, or the time ran out. The server may have the request. The text is like the other's.
  case unreachable(String)
  /// The response is longer than the caller's limit.
  case responseTooLarge
  /// The host has a loopback, private or link-local address, and only public ones are permitted.
  case notPublic
}

extension HTTPError {
  /// libcurl is missing, or could not start.
  static func noLibrary(_ reason: some CustomStringConvertible) -> HTTPError {
    .unreachable("libcurl could not start: \(reason)")
  }

  /// The error of a transfer whose request has not begun.
  var beforeRequest: HTTPError { if case .unreachable(let reason) = self { .notConnected(reason) } else { self } }
}

extension HTTPError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .invalidURL: "not an http or https URL"
    case .notConnected(let reason) where strstr(reason, "wrong version number") != nil,
      .unreachable(let reason) where strstr(reason, "wrong version number") != nil:
      "no answer: \(reason); does the server speak http, and not https?"
    case .notConnected(let reason), .unreachable(let reason): "no answer: \(reason)"
    case .responseTooLarge: "the response is too large"
    case .notPublic: "the host has no public address"
    }
  }
}
