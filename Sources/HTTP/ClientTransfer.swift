internal import CCurl
internal import Platform
internal import Threading

/// A handle of libcurl. It runs one transfer at a time and keeps its connections for the next transfer.
final class Transfer: @unchecked Sendable {
  // One thread at a time uses the handle: `HTTPClient` takes it out of its list for a transfer.
  private let curl: LibCurl
  let handle: LibCurl.Handle
  private var headers: LibCurl.List?
  private var form: OpaquePointer?
  private var request: [UInt8] = []
  private var address = ""
  private let reason: UnsafeMutablePointer<CChar>
  private let received: UnsafeMutablePointer<Received>
  /// The first setting that libcurl refused for lack of memory: the transfer would differ from the requested one.
  private(set) var refusal = CURLE_OK

  fileprivate struct Received {
    var body: [UInt8] = []
    var limit = 0
    var isOverLimit = false
    /// Whether a body over the limit is cut there, and the response succeeds.
    var isCut = false
    /// Whether an address was refused.
    var isOutOfReach = false
  }

  init() throws(HTTPError) {
    do { curl = try LibCurl.open() } catch { throw .noLibrary(error) }
    guard let handle = curl.makeHandle() else { throw .noLibrary("it has no memory") }
    self.handle = handle
    // Nothing frees this memory if an initializer throws.
    received = .allocate(capacity: 1)
    received.initialize(to: Received())
    reason = .allocate(capacity: Int(CURL_ERROR_SIZE))
    reason.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
  }

  deinit {
    curl.freeHandle(handle)
    reason.deallocate()
    curl.freeList(headers)
    curl.freeForm(form)
    received.deinitialize(count: 1)
    received.deallocate()
  }

  /// `milliseconds` are for the whole transfer.
  /// A response body that is longer than `maximumBody` is an error, or ends there with `cutsBody`.
  func reset(url: String, milliseconds: Int, connectTimeout: Int, maximumBody: Int, cutsBody: Bool) {
    curl.reset(handle)
    refusal = CURLE_OK
    received.pointee = Received(limit: maximumBody, isCut: cutsBody)
    address = HTTPURL.origin(of: url)
    reason.pointee = 0
    check(msdk_curl_set_pointer(curl.set, handle, CURLOPT_ERRORBUFFER, reason))
    set(CURLOPT_URL, url)
    set(CURLOPT_PROTOCOLS_STR, "http,https")
    set(CURLOPT_USERAGENT, "msdk")
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_TIMEOUT_MS, milliseconds)
    set(CURLOPT_CONNECTTIMEOUT, connectTimeout)
    set(CURLOPT_FOLLOWLOCATION, 0)
    set(CURLOPT_SSL_VERIFYPEER, 1)
    set(CURLOPT_SSL_VERIFYHOST, 2)
    check(msdk_curl_set_pointer(curl.set, handle, CURLOPT_WRITEDATA, received))
    let status = msdk_curl_set_write(curl.set, handle, CURLOPT_WRITEFUNCTION) {
      bytes, size, count, context in
      guard let received = context?.assumingMemoryBound(to: Received.self) else { return 0 }
      return received.pointee.append(UnsafeRawBufferPointer(start: bytes, count: size * count))
    }
    check(status)
  }

  /// Trusts only the certificates of this file. libcurl would also trust the certificates of the system's folder.
  func trust(_ file: String) {
    set(CURLOPT_CAINFO, file)
    check(msdk_curl_set_pointer(curl.set, handle, CURLOPT_CAPATH, nil))
  }

  func keepToPublicAddresses() {
    set(CURLOPT_PROXY, "")
    check(msdk_curl_set_pointer(curl.set, handle, CURLOPT_OPENSOCKETDATA, received))
    let status = msdk_curl_set_open_socket(curl.set, handle) { context, _, address in
      guard let address, isPublic(address) else {
        context?.assumingMemoryBound(to: Received.self).pointee.isOutOfReach = true
        return CURL_SOCKET_BAD
      }
      return socket(address.pointee.family, address.pointee.socktype, address.pointee.`protocol`)
    }
    check(status)
  }

  /// Prepares a connection without a request: through a proxy as a tunnel, and with TLS for HTTP/1.1. Errors name the server
  /// by `origin`.
  func connectOnly(named origin: String) {
    address = origin
    set(CURLOPT_CONNECT_ONLY, 1)
    set(CURLOPT_HTTPPROXYTUNNEL, 1)
    set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
  }

  func get(headers: [String]) {
    set(CURLOPT_HTTPGET, 1)
    if !headers.isEmpty { replaceHeaders(headers) }
  }

  func head() { set(CURLOPT_NOBODY, 1) }

  /// Puts a form (RFC 7578) of one part, the content of a file. libcurl reads the file while it sends.
  func put(file path: String, as name: String) {
    curl.freeForm(form)
    form = curl.makeForm(handle)
    guard let part = form.flatMap({ curl.addPart($0) }) else { return check(CURLE_OUT_OF_MEMORY) }
    check(curl.namePart(part, name))
    check(curl.fillPart(part, path))
    check(curl.typePart(part, "application/octet-stream"))
    replaceHeaders(["Expect:"])
    check(msdk_curl_set_pointer(curl.set, handle, CURLOPT_MIMEPOST, UnsafeRawPointer(form)))
    set(CURLOPT_CUSTOMREQUEST, "PUT")
  }

  func put(_ body: [UInt8], contentType: String, headers: [String]) {
    post(body, contentType: contentType, headers: headers)
    set(CURLOPT_CUSTOMREQUEST, "PUT")
  }

  func post(_ body: [UInt8], contentType: String, headers: [String]) {
    request = body
    replaceHeaders(["Content-Type: \(contentType)", "Expect:"] + headers)
    set(CURLOPT_POST, 1)
    set(CURLOPT_POSTFIELDSIZE, body.count)
    // The handle copies the bytes, because the array's own address is valid only for one call.
    check(
      request.withUnsafeBytes {
        msdk_curl_set_pointer(curl.set, handle, CURLOPT_COPYPOSTFIELDS, $0.baseAddress)
      })
    request = []
  }

  func perform() throws(HTTPError) -> HTTPClient.Response {
    try response(after: refusal == CURLE_OK ? curl.perform(handle) : refusal)
  }

  /// The response of a transfer that ended with this result.
  func response(after code: CURLcode) throws(HTTPError) -> HTTPClient.Response {
    defer { received.pointee = Received() }
    let isCut = code == CURLE_WRITE_ERROR && received.pointee.isOverLimit && received.pointee.isCut
    guard code == CURLE_OK || isCut else { throw isSent ? error(code) : error(code).beforeRequest }
    var status = 0
    msdk_curl_get_long(curl.get, handle, CURLINFO_RESPONSE_CODE, &status)
    var location: UnsafePointer<CChar>?
    msdk_curl_get_string(curl.get, handle, CURLINFO_REDIRECT_URL, &location)
    var pause: curl_off_t = 0
    msdk_curl_get_off_t(curl.get, handle, CURLINFO_RETRY_AFTER, &pause)
    // libcurl answers -1 for a malformed date.
    let time = header("Date").map { Int64(curl.seconds($0, nil)) }.flatMap { $0 < 0 ? nil : $0 }
    return HTTPClient.Response(
      status: status, location: location.map { String(cString: $0) }, retryAfter: Int(pause), time: time,
      tag: header("ETag"), body: received.pointee.body)
  }

  /// The value of the response's header of this name; nil if it has none.
  private func header(_ name: String) -> String? {
    var found: UnsafeMutablePointer<curl_header>?
    guard curl.header(handle, name, 0, UInt32(CURLH_HEADER), -1, &found) == CURLHE_OK else { return nil }
    return found.flatMap { $0.pointee.value }.map { String(cString: $0) }
  }

  /// The error for a result of libcurl that is no success.
  func error(_ code: CURLcode) -> HTTPError {
    switch code {
    case CURLE_URL_MALFORMAT, CURLE_BAD_FUNCTION_ARGUMENT: .invalidURL
    // Libcurl gives this code also for an answer that is no HTTP: then the URL is right, and the server's fault may pass.
    case CURLE_UNSUPPORTED_PROTOCOL where !isSent: .invalidURL
    case CURLE_WRITE_ERROR where received.pointee.isOverLimit: .responseTooLarge
    case CURLE_COULDNT_CONNECT where received.pointee.isOutOfReach: .notPublic
    default:
      .unreachable(
        "\(address): \((reason.pointee == 0 ? curl.errorText(code) : LibCurl.Text(reason)).map { String(cString: $0) } ?? "")"
      )
    }
  }

  /// Whether a part of the request has gone to a server.
  private var isSent: Bool {
    var size = 0
    msdk_curl_get_long(curl.get, handle, CURLINFO_REQUEST_SIZE, &size)
    return size > 0
  }

  private func set(_ option: CURLoption, _ value: Int) {
    check(msdk_curl_set_long(curl.set, handle, option, value))
  }

  /// libcurl copies the string.
  private func set(_ option: CURLoption, _ value: String) {
    check(value.withCString { msdk_curl_set_pointer(curl.set, handle, option, $0) })
  }

  private func check(_ status: CURLcode) {
    if refusal == CURLE_OK { refusal = status }
  }

  private func replaceHeaders(_ lines: [String]) {
    curl.freeList(headers)
    headers = nil
    for line in lines {
      guard let longer = curl.append(headers, line) else { return check(CURLE_OUT_OF_MEMORY) }
      headers = longer
    }
    check(msdk_curl_set_pointer(curl.set, handle, CURLOPT_HTTPHEADER, headers))
  }
}

extension Transfer.Received {
  /// Returns the number of accepted bytes; fewer than offered ends the transfer.
  mutating func append(_ bytes: UnsafeRawBufferPointer) -> Int {
    isOverLimit = body.count + bytes.count > limit
    guard !isOverLimit else {
      if isCut { body.append(contentsOf: bytes.prefix(limit - body.count)) }
      return 0
    }
    body.append(contentsOf: bytes)
    return bytes.count
  }
}
