internal import CMicroHTTPD
internal import Threading

/// One request on its way in and its answer on its way out.
final class Exchange: @unchecked Sendable {
  // Everything but `response` is touched by libmicrohttpd's thread only: that is what makes the class Sendable.
  let method: String
  let path: String
  var body: [UInt8] = []
  var excess = 0
  var isHandled = false
  let response = Locked<HTTPServer.Response?>(nil)

  init(method: String, path: String) {
    self.method = method
    self.path = path
  }

  /// Keeps what fits the limit and counts the rest.
  func append(_ bytes: UnsafeRawBufferPointer, limit: Int) {
    guard excess == 0, body.count + bytes.count <= limit else {
      excess += bytes.count
      body = []
      return
    }
    body.append(contentsOf: bytes)
  }

  /// The complete request. Takes the body.
  func request(from connection: OpaquePointer) -> HTTPServer.Request {
    defer { body = [] }
    return HTTPServer.Request(
      method: method, path: path, query: fields(.GET_ARGUMENT_KIND, of: connection),
      headers: fields(.HEADER_KIND, of: connection), body: body,
      client: SocketAddress.text(of: msdk_mhd_client(connection)))
  }

  private func fields(_ kind: MHD_ValueKind, of connection: OpaquePointer) -> [HTTPServer.Request.Field] {
    var fields: [HTTPServer.Request.Field] = []
    withUnsafeMutablePointer(to: &fields) { fields in
      _ = MHD_get_connection_values(
        connection, kind,
        { fields, _, name, value in
          guard let name else { return .YES }
          let field = (name: String(cString: name), value: value.map { String(cString: $0) } ?? "")
          fields?.assumingMemoryBound(to: [HTTPServer.Request.Field].self).pointee.append(field)
          return .YES
        }, fields)
    }
    return fields
  }
}

// MARK: - libmicrohttpd's callbacks, all on its thread

/// A connection starts or ends.
func connectionChanged(
  context: UnsafeMutableRawPointer?, connection: OpaquePointer?, _: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
  change: MHD_ConnectionNotificationCode
) {
  guard let daemon = ServerDaemon.from(context), let connection else { return }
  if change == .CONNECTION_NOTIFY_STARTED {
    daemon.deadlines.watch(
      UInt(bitPattern: connection), socket: msdk_mhd_socket(connection), seconds: daemon.limits.headerSeconds)
  } else {
    daemon.deadlines.forget(UInt(bitPattern: connection))
  }
}

/// The header of a request is there, or a piece of its body, or all of it, or its answer: the four occasions on which
/// libmicrohttpd asks.
func requestAdvanced(
  context: UnsafeMutableRawPointer?, connection: OpaquePointer?, url: UnsafePointer<CChar>?,
  method: UnsafePointer<CChar>?, version: UnsafePointer<CChar>?, data: UnsafePointer<CChar>?,
  size: UnsafeMutablePointer<Int>?, state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
  guard let daemon = ServerDaemon.from(context), let connection, let url, let method, let size, let state else {
    return .NO
  }
  guard let exchange = Exchange.from(state.pointee) else {
    let exchange = Exchange(method: String(cString: method), path: String(cString: url))
    state.pointee = Unmanaged.passRetained(exchange).toOpaque()
    return daemon.begin(on: connection)
  }
  guard size.pointee == 0 else {
    exchange.append(UnsafeRawBufferPointer(start: data, count: size.pointee), limit: daemon.limits.body)
    size.pointee = 0
    return exchange.excess > daemon.patience ? .NO : .YES
  }
  return daemon.advance(exchange, on: connection)
}

/// A request is over, well or not.
func requestCompleted(
  context: UnsafeMutableRawPointer?, connection: OpaquePointer?,
  state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _: MHD_RequestTerminationCode
) {
  guard let daemon = ServerDaemon.from(context), let connection, let state, let exchange = state.pointee else { return }
  daemon.deadlines.renew(UInt(bitPattern: connection), seconds: daemon.limits.idleSeconds)
  daemon.finish(Unmanaged<Exchange>.fromOpaque(exchange).takeRetainedValue())
  state.pointee = nil
}

extension Exchange {
  fileprivate static func from(_ state: UnsafeMutableRawPointer?) -> Exchange? {
    state.map { Unmanaged<Exchange>.fromOpaque($0).takeUnretainedValue() }
  }
}

extension ServerDaemon {
  fileprivate static func from(_ context: UnsafeMutableRawPointer?) -> ServerDaemon? {
    context.map { Unmanaged<ServerDaemon>.fromOpaque($0).takeUnretainedValue() }
  }

  /// How many bytes beyond the limit are taken and thrown away, so that a client that sends a little too much is able to
  /// read why it is refused: closing on unread bytes would make its system discard the answer.
  fileprivate var patience: Int { 3 * limits.body }

  /// The header is there. A body that is announced as far too long is refused before any of it comes.
  fileprivate func begin(on connection: OpaquePointer) -> MHD_Result {
    deadlines.renew(UInt(bitPattern: connection), seconds: limits.bodySeconds)
    let announced = MHD_lookup_connection_value(connection, .HEADER_KIND, MHD_HTTP_HEADER_CONTENT_LENGTH)
    guard let announced, let length = UInt64(String(cString: announced)) else { return .YES }
    return length > UInt64(limits.body + patience) ? answer(refuse(413), on: connection) : .YES
  }

  /// The body is there, or the answer.
  fileprivate func advance(_ exchange: Exchange, on connection: OpaquePointer) -> MHD_Result {
    deadlines.renew(UInt(bitPattern: connection), seconds: limits.bodySeconds)
    if let response = exchange.response.withLock({ $0 }) { return answer(response, on: connection) }
    if exchange.excess > 0 { return answer(refuse(413), on: connection) }
    guard enter(exchange) else { return answer(refuse(503), on: connection) }
    deadlines.suspend(UInt(bitPattern: connection))
    handle(exchange, on: connection)
    return .YES
  }

  private func answer(_ answer: HTTPServer.Response, on connection: OpaquePointer) -> MHD_Result {
    let response = answer.body.withUnsafeBytes { bytes in
      MHD_create_response_from_buffer(
        bytes.count, UnsafeMutableRawPointer(mutating: bytes.baseAddress), .RESPMEM_MUST_COPY)
    }
    guard let response else { return .NO }
    defer { MHD_destroy_response(response) }
    if let type = answer.contentType { MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type) }
    for field in answer.headers { MHD_add_response_header(response, field.name, field.value) }
    if isStopping { MHD_add_response_header(response, MHD_HTTP_HEADER_CONNECTION, "close") }
    return MHD_queue_response(connection, UInt32(answer.status), response)
  }
}
