internal import CMicroHTTPD
internal import Threading

/// One request and its answer.
final class ServerExchange: @unchecked Sendable {
  // Only libmicrohttpd's thread touches the members other than `memory` and `response`, so the class is Sendable.
  private let target: String
  private var method = ""

  /// The exchange's part of the server's memory.
  let memory: MemoryShare
  private var headers: [HTTPServer.Request.Field] = []
  private var body: [UInt8] = []

  /// The announced length of the body; nil if the header announces none, or the body comes in chunks.
  private(set) var announced: UInt64?

  /// The reason why the body is discarded, and the number of discarded bytes.
  private(set) var refusal: HTTPServer.Refusal?
  private(set) var excess = 0
  var isHandled = false
  let response = Locked<HTTPServer.Response?>(nil)

  init(target: String, memory: MemoryShare) {
    self.target = target
    self.memory = memory
  }

  /// Whether the header has been read.
  var isBegun: Bool { !method.isEmpty }

  /// Reads the header. Returns false if it does not say clearly where the body ends.
  func readHeader(of connection: OpaquePointer, method: String, version: String) -> Bool {
    self.method = method
    headers = Self.headers(of: connection)
    announced = headers.first { $0.name.lowercased() == "content-length" }.flatMap { UInt64($0.value) }
    return HTTPServer.Request.hasClearFraming(headers, version: version)
  }

  /// Keeps the bytes within the limit and the budget, and counts the rest.
  func append(_ bytes: UnsafeRawBufferPointer, limit: Int) {
    if refusal == nil {
      if body.count + bytes.count > limit {
        refusal = .bodyTooLarge
      } else if !makeRoom(for: body.count + bytes.count, limit: limit) {
        refusal = .tooBusy
      }
    }
    guard refusal == nil else {
      excess += bytes.count
      body = []
      return memory.giveBack()
    }
    body.append(contentsOf: bytes)
  }

  /// Takes memory for the first piece, then always twice as much, so that the body is rarely moved while it grows; but
  /// never more than its length. A client that announces a long body and sends nothing takes no memory.
  private func makeRoom(for count: Int, limit: Int) -> Bool {
    guard count > memory.body else { return true }
    let most = announced.flatMap { Int(exactly: $0) }.map { min(max($0, count), limit) } ?? limit
    let room = min(max(2 * memory.body, count), most)
    guard memory.growBody(to: room) else { return false }
    body.reserveCapacity(room)
    return true
  }

  /// The complete request. Takes the header and the body.
  func request(from connection: OpaquePointer) -> HTTPServer.Request {
    defer { (headers, body) = ([], []) }
    return HTTPServer.Request(
      method: method, target: target, headers: headers, body: body,
      client: SocketAddress.text(of: msdk_mhd_client(connection)), memory: memory)
  }

  private static func headers(of connection: OpaquePointer) -> [HTTPServer.Request.Field] {
    var fields: [HTTPServer.Request.Field] = []
    withUnsafeMutablePointer(to: &fields) { fields in
      _ = MHD_get_connection_values(
        connection, .HEADER_KIND,
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
    let address = SocketAddress.text(of: msdk_mhd_client(connection))
    daemon.connections.add(
      UInt(bitPattern: connection), socket: msdk_mhd_socket(connection),
      client: daemon.rules.isShared(address) ? nil : clientNetwork(of: address), seconds: daemon.limits.headerSeconds)
  } else {
    daemon.connections.forget(UInt(bitPattern: connection))
  }
}

/// The first line of a request has arrived. The exchange becomes the state of the request.
func requestStarted(
  context: UnsafeMutableRawPointer?, target: UnsafePointer<CChar>?, connection: OpaquePointer?
) -> UnsafeMutableRawPointer? {
  guard let daemon = ServerDaemon.from(context), let target, let connection else { return nil }
  let client = daemon.connections.client(of: UInt(bitPattern: connection))
  let exchange = ServerExchange(target: String(cString: target), memory: MemoryShare(of: client, in: daemon.budget))
  msdk_mhd_hide_query(target)
  return Unmanaged.passRetained(exchange).toOpaque()
}

/// Handles libmicrohttpd's four events of a request: the header, a piece of the body, its end, and the end of the
/// answer.
func requestAdvanced(
  context: UnsafeMutableRawPointer?, connection: OpaquePointer?, _: UnsafePointer<CChar>?,
  method: UnsafePointer<CChar>?, version: UnsafePointer<CChar>?, data: UnsafePointer<CChar>?,
  size: UnsafeMutablePointer<Int>?, state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
  guard let daemon = ServerDaemon.from(context), let connection, let method, let size,
    let exchange = ServerExchange.from(state?.pointee)
  else { return .NO }
  guard exchange.isBegun else {
    return daemon.begin(
      exchange, on: connection, method: String(cString: method), version: version.map { String(cString: $0) } ?? "")
  }
  guard size.pointee == 0 else {
    let piece = UnsafeRawBufferPointer(start: data, count: size.pointee)
    exchange.append(piece, limit: daemon.limits.body)
    size.pointee = 0
    return exchange.excess > daemon.patience ? .NO : .YES
  }
  return daemon.advance(exchange, on: connection)
}

/// A request has ended, successfully or not.
func requestCompleted(
  context: UnsafeMutableRawPointer?, connection: OpaquePointer?,
  state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _: MHD_RequestTerminationCode
) {
  guard let daemon = ServerDaemon.from(context), let connection, let state, let exchange = state.pointee else { return }
  daemon.connections.renew(UInt(bitPattern: connection), seconds: daemon.limits.idleSeconds)
  daemon.finish(Unmanaged<ServerExchange>.fromOpaque(exchange).takeRetainedValue())
  state.pointee = nil
}

extension ServerExchange {
  fileprivate static func from(_ state: UnsafeMutableRawPointer?) -> ServerExchange? {
    state.map { Unmanaged<ServerExchange>.fromOpaque($0).takeUnretainedValue() }
  }
}

extension ServerDaemon {
  fileprivate static func from(_ context: UnsafeMutableRawPointer?) -> ServerDaemon? {
    context.map { Unmanaged<ServerDaemon>.fromOpaque($0).takeUnretainedValue() }
  }

  /// The number of bytes beyond the limit that the server reads and discards. A client that sends slightly too much can
  /// then read the refusal: if the server closed the connection with unread bytes, the client's system would discard
  /// the answer.
  fileprivate var patience: Int { 3 * limits.body }

  /// Handles the header. Refuses a body whose end is unclear, and a body whose announced length is far too long.
  fileprivate func begin(
    _ exchange: ServerExchange, on connection: OpaquePointer, method: String, version: String
  ) -> MHD_Result {
    connections.renew(UInt(bitPattern: connection), seconds: limits.bodySeconds)
    guard exchange.readHeader(of: connection, method: method, version: version) else {
      return answer(rules.refuse(.malformed), on: connection, isLast: true)
    }
    if exchange.announced ?? 0 > UInt64(limits.body + patience) {
      return answer(rules.refuse(.bodyTooLarge), on: connection)
    }
    return .YES
  }

  /// Handles the end of the body, or sends the answer.
  fileprivate func advance(_ exchange: ServerExchange, on connection: OpaquePointer) -> MHD_Result {
    connections.renew(UInt(bitPattern: connection), seconds: limits.bodySeconds)
    if let response = exchange.response.withLock({ $0.take() }) { return answer(response, on: connection) }
    if let refusal = exchange.refusal { return answer(rules.refuse(refusal), on: connection) }
    guard enter(exchange) else { return answer(rules.refuse(.stopping), on: connection) }
    connections.suspend(UInt(bitPattern: connection))
    handle(exchange, on: connection)
    return .YES
  }

  /// Sends the answer. With `isLast`, the connection ends after it.
  private func answer(
    _ answer: HTTPServer.Response, on connection: OpaquePointer, isLast: Bool = false
  ) -> MHD_Result {
    guard let response = AnswerBody.response(answer.body) else { return .NO }
    defer { MHD_destroy_response(response) }
    if let type = answer.contentType { MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type) }
    for field in answer.headers { MHD_add_response_header(response, field.name, field.value) }
    if isLast || isStopping { MHD_add_response_header(response, MHD_HTTP_HEADER_CONNECTION, "close") }
    return MHD_queue_response(connection, UInt32(answer.status), response)
  }
}
