internal import CCurl
internal import Platform
internal import Threading

/// One libcurl handle: it runs one transfer at a time and keeps its connections for the next.
final class Transfer: @unchecked Sendable {
  // One thread at a time uses it: `HTTPClient` takes it out of its list for a transfer.
  private let handle: UnsafeMutableRawPointer
  private var headers: UnsafeMutablePointer<curl_slist>?
  private var form: OpaquePointer?
  private var request: [UInt8] = []
  private var address = ""
  private let reason = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
  private let received = UnsafeMutablePointer<Received>.allocate(capacity: 1)
  /// The first setting that libcurl refused for lack of memory: the transfer would differ from the requested one.
  private var refusal = CURLE_OK

  fileprivate struct Received {
    var body: [UInt8] = []
    var limit = 0
    var isOverLimit = false
    /// Whether an address was refused.
    var isOutOfReach = false
  }

  private static let isReady = Locked(false)

  init() throws(HTTPError) {
    let isReady = Self.isReady.withLock { isReady in
      if !isReady { isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK }
      return isReady
    }
    guard isReady, let handle = curl_easy_init() else { throw .unreachable("libcurl could not start") }
    self.handle = handle
    received.initialize(to: Received())
    reason.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
  }

  deinit {
    curl_easy_cleanup(handle)
    reason.deallocate()
    curl_slist_free_all(headers)
    curl_mime_free(form)
    received.deinitialize(count: 1)
    received.deallocate()
  }

  /// `milliseconds` are for the whole transfer.
  func reset(url: String, milliseconds: Int, connectTimeout: Int, maximumBody: Int) {
    curl_easy_reset(handle)
    refusal = CURLE_OK
    received.pointee = Received(limit: maximumBody)
    address = HTTPURL.origin(of: url)
    reason.pointee = 0
    check(msdk_curl_set_pointer(handle, CURLOPT_ERRORBUFFER, reason))
    set(CURLOPT_URL, url)
    set(CURLOPT_PROTOCOLS_STR, "http,https")
    set(CURLOPT_USERAGENT, "msdk")
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_TIMEOUT_MS, milliseconds)
    set(CURLOPT_CONNECTTIMEOUT, connectTimeout)
    set(CURLOPT_FOLLOWLOCATION, 0)
    set(CURLOPT_SSL_VERIFYPEER, 1)
    set(CURLOPT_SSL_VERIFYHOST, 2)
    check(msdk_curl_set_pointer(handle, CURLOPT_WRITEDATA, received))
    let status = msdk_curl_set_write(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
      guard let received = context?.assumingMemoryBound(to: Received.self) else { return 0 }
      return received.pointee.append(UnsafeRawBufferPointer(start: bytes, count: size * count))
    }
    check(status)
  }

  /// Trusts the certificates of this file, and no others.
  func trust(_ file: String) { set(CURLOPT_CAINFO, file) }

  func keepToPublicAddresses() {
    set(CURLOPT_PROXY, "")
    check(msdk_curl_set_pointer(handle, CURLOPT_OPENSOCKETDATA, received))
    let status = msdk_curl_set_open_socket(handle) { context, _, address in
      guard let address, isPublic(address) else {
        context?.assumingMemoryBound(to: Received.self).pointee.isOutOfReach = true
        return CURL_SOCKET_BAD
      }
      return socket(address.pointee.family, address.pointee.socktype, address.pointee.`protocol`)
    }
    check(status)
  }

  func get() { set(CURLOPT_HTTPGET, 1) }

  func head() { set(CURLOPT_NOBODY, 1) }

  /// Puts a form (RFC 7578) of one part, the content of a file. libcurl reads the file while it sends.
  func put(file path: String, as name: String) {
    curl_mime_free(form)
    form = curl_mime_init(handle)
    guard let part = form.flatMap({ curl_mime_addpart($0) }) else { return check(CURLE_OUT_OF_MEMORY) }
    check(curl_mime_name(part, name))
    check(curl_mime_filedata(part, path))
    check(curl_mime_type(part, "application/octet-stream"))
    replaceHeaders(["Expect:"])
    check(msdk_curl_set_pointer(handle, CURLOPT_MIMEPOST, UnsafeRawPointer(form)))
    set(CURLOPT_CUSTOMREQUEST, "PUT")
  }

  func post(_ body: [UInt8], contentType: String, headers: [String]) {
    request = body
    replaceHeaders(["Content-Type: \(contentType)", "Expect:"] + headers)
    set(CURLOPT_POST, 1)
    set(CURLOPT_POSTFIELDSIZE, body.count)
    // The handle copies the bytes, because the array's own address is valid only for one call.
    check(request.withUnsafeBytes { msdk_curl_set_pointer(handle, CURLOPT_COPYPOSTFIELDS, $0.baseAddress) })
    request = []
  }

  func perform() throws(HTTPError) -> HTTPClient.Response {
    let code = refusal == CURLE_OK ? curl_easy_perform(handle) : refusal
    defer { received.pointee = Received() }
    guard code == CURLE_OK else { throw error(code) }
    var status = 0
    msdk_curl_get_long(handle, CURLINFO_RESPONSE_CODE, &status)
    var location: UnsafePointer<CChar>?
    msdk_curl_get_string(handle, CURLINFO_REDIRECT_URL, &location)
    var pause: curl_off_t = 0
    msdk_curl_get_off_t(handle, CURLINFO_RETRY_AFTER, &pause)
    var date: UnsafeMutablePointer<curl_header>?
    let time =
      curl_easy_header(handle, "Date", 0, UInt32(CURLH_HEADER), -1, &date) == CURLHE_OK
      ? date.flatMap { $0.pointee.value }.map { Int64(curl_getdate($0, nil)) } : nil
    return HTTPClient.Response(
      status: status, location: location.map { String(cString: $0) }, retryAfter: Int(pause),
      time: time, body: received.pointee.body)
  }

  private func error(_ code: CURLcode) -> HTTPError {
    switch code {
    case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL, CURLE_BAD_FUNCTION_ARGUMENT: .invalidURL
    case CURLE_WRITE_ERROR where received.pointee.isOverLimit: .responseTooLarge
    case CURLE_COULDNT_CONNECT where received.pointee.isOutOfReach: .notPublic
    default:
      .unreachable(
        "\(address): \(String(cString: reason.pointee == 0 ? curl_easy_strerror(code) : UnsafePointer(reason)))")
    }
  }

  private func set(_ option: CURLoption, _ value: Int) { check(msdk_curl_set_long(handle, option, value)) }

  /// libcurl copies the string.
  private func set(_ option: CURLoption, _ value: String) {
    check(value.withCString { msdk_curl_set_pointer(handle, option, $0) })
  }

  private func check(_ status: CURLcode) {
    if refusal == CURLE_OK { refusal = status }
  }

  private func replaceHeaders(_ lines: [String]) {
    curl_slist_free_all(headers)
    headers = nil
    for line in lines {
      guard let longer = curl_slist_append(headers, line) else { return check(CURLE_OUT_OF_MEMORY) }
      headers = longer
    }
    check(msdk_curl_set_pointer(handle, CURLOPT_HTTPHEADER, headers))
  }
}

extension Transfer.Received {
  /// Returns the number of accepted bytes; fewer than offered ends the transfer.
  mutating func append(_ bytes: UnsafeRawBufferPointer) -> Int {
    isOverLimit = body.count + bytes.count > limit
    guard !isOverLimit else { return 0 }
    body.append(contentsOf: bytes)
    return bytes.count
  }
}
