internal import CMicroHTTPD
internal import Platform
internal import Threading

/// An HTTP/1.1 server over libmicrohttpd.
///
/// One thread of libmicrohttpd moves bytes for all connections. A complete request goes to a handler on a thread of the
/// server's own pool, and its connection is suspended, so that a slow handler delays no other request. A slow client
/// takes a socket for a limited time, never a thread. A handler may let its client wait for a better answer, which takes
/// no thread either.
package final class HTTPServer: Sendable {
  package typealias Handler = @Sendable (Request) -> Response

  /// The numeric address and the port on which the server listens.
  package let address: String
  package let port: UInt16

  /// `http://ADDRESS:PORT`
  package var endpoint: String { address.contains(":") ? "http://[\(address)]:\(port)" : "http://\(address):\(port)" }

  private let daemon: ServerDaemon

  /// Starts listening. Port 0 takes a free one. `refuse` creates the answers to requests that the server refuses by
  /// itself. The handler runs on several threads at once.
  ///
  /// `isShared` tells whether many clients share an address, to which the limits of one client then do not apply.
  /// `isQuick` tells by method and path whether a request never waits; such a request has a handler of its own.
  package init(
    address: String = "127.0.0.1", port: UInt16 = 0, limits: Limits = Limits(),
    isShared: @escaping @Sendable (String) -> Bool = { _ in false },
    isQuick: @escaping @Sendable (_ method: String, _ path: String) -> Bool = { _, _ in false },
    refuse: @escaping @Sendable (Refusal) -> Response = { Response(status: $0.status) }, handler: @escaping Handler
  ) throws(HTTPServerError) {
    daemon = ServerDaemon(
      limits: limits, rules: ServerRules(isShared: isShared, isQuick: isQuick, refuse: refuse), handler: handler)
    self.address = address
    self.port = try daemon.start(address: address, port: port)
  }

  deinit { stop() }

  /// Ends the server: it accepts no further connection, answers the complete requests, then closes every connection.
  /// Returns when that is done. A handler must not call it.
  package func stop() { daemon.stop() }
}

/// The decisions of the program that runs the server.
struct ServerRules: Sendable {
  let isShared: @Sendable (String) -> Bool
  let isQuick: @Sendable (String, String) -> Bool
  let refuse: @Sendable (HTTPServer.Refusal) -> HTTPServer.Response
}

/// The part of a server that lives as long as libmicrohttpd runs.
final class ServerDaemon: @unchecked Sendable {
  // `start` sets `daemon` and `sweeper`, and `stop` reads them after `start` has returned. libmicrohttpd's thread
  // touches neither, so the class is Sendable.
  private var daemon: OpaquePointer?
  private let work = Monitor(Work())
  private let pool: Threads
  private let quickPool: Threads
  private let handler: HTTPServer.Handler
  private var sweeper: Ticker?
  let limits: HTTPServer.Limits
  let rules: ServerRules
  let connections: Connections
  let budget: MemoryBudget
  private let held: HeldAnswers
  private let hangups = Hangups()

  /// One lock guards the work, so that `stop` waits for every request that is handed over.
  private struct Work {
    /// The time when the server was told to stop; nil before that.
    var stop: MonotonicTime?
    var unanswered = 0
  }

  init(limits: HTTPServer.Limits, rules: ServerRules, handler: @escaping HTTPServer.Handler) {
    self.limits = limits
    self.rules = rules
    self.handler = handler
    pool = Threads(limit: limits.handlers)
    quickPool = Threads(limit: limits.quickHandlers)
    connections = Connections(limit: limits.connections, limitPerClient: limits.connectionsPerClient)
    held = HeldAnswers(limit: limits.waiting)
    budget = MemoryBudget(limit: limits.bodies, limitPerParty: limits.bodiesPerClient)
  }

  /// The connections that libmicrohttpd accepts beyond the limit. They replace cut connections whose end libmicrohttpd
  /// has not noticed yet. It accepts a few at a time, and the others wait.
  private static let spareConnections = 16

  /// Returns the port.
  func start(address: String, port: UInt16) throws(HTTPServerError) -> UInt16 {
    guard let socketAddress = SocketAddress(address, port: port) else { throw .malformedAddress(address) }
    let context = Unmanaged.passRetained(self)
    let daemon = socketAddress.withPointer {
      msdk_mhd_start(
        $0, UInt32(limits.connections + limits.waiting + Self.spareConnections),
        UInt32(max(limits.idleSeconds, limits.bodySeconds)),
        connectionChanged, requestStarted, requestAdvanced, requestCompleted, context.toOpaque())
    }
    guard let daemon else {
      context.release()
      throw .cannotListen(address: address, port: port)
    }
    self.daemon = daemon
    sweeper = Ticker(every: 500) { [connections, held, hangups] in
      connections.enforce()
      held.finish(hangups.all())
    }
    return msdk_mhd_port(daemon)
  }

  var isStopping: Bool { work.withLock { $0.stop != nil } }

  /// Whether the server was told to stop so long ago that it refuses waiting requests.
  private var isOver: Bool {
    let start = work.withLock { $0.stop }
    return start.map { MonotonicTime.now >= $0.after(milliseconds: limits.stopSeconds * 1000) } ?? false
  }

  func stop() {
    let isFirst = work.withLock { work in
      defer { work.stop = work.stop ?? .now }
      return work.stop == nil
    }
    guard let daemon, isFirst else { return }
    let listener = MHD_quiesce_daemon(daemon)
    if listener >= 0 { cutOff(listener) }
    held.close()
    work.wait { $0.unanswered == 0 ? () : nil }
    // libmicrohttpd 0.9.75 crashes if it refuses a malformed request while it stops, so no connection may be left. Its
    // thread aborts if the listener is closed while the thread still watches it.
    connections.cutAll()
    MHD_stop_daemon(daemon)
    if listener >= 0 { close(listener) }
    sweeper?.stop()
    Unmanaged.passUnretained(self).release()  // the retain of `start` for the callbacks
  }

  /// Counts a request until its `finish`. Returns false if the server stops and must not handle it.
  func enter(_ exchange: ServerExchange) -> Bool {
    exchange.isHandled = work.withLock { work in
      if work.stop == nil { work.unanswered += 1 }
      return work.stop == nil
    }
    return exchange.isHandled
  }

  /// Passes a complete request, which has entered, to a handler. The connection is suspended until the answer is ready.
  func handle(_ exchange: ServerExchange, on connection: OpaquePointer) {
    let request = exchange.request(from: connection)
    MHD_suspend_connection(connection)
    nonisolated(unsafe) let connection = connection  // libmicrohttpd keeps it while it is suspended
    let threads = rules.isQuick(request.method, request.path) ? quickPool : pool
    threads.post { [self] in
      let response = isOver ? rules.refuse(.stopping) : handler(request)
      guard let wait = response.wait, let held = hold(response, until: wait, exchange, on: connection) else {
        return send(response, exchange, on: connection)
      }
      held.begin()
    }
  }

  /// Keeps an answer back. The connection stays suspended, and gives its places among the others to other connections.
  /// Returns nil if the answer must be sent at once.
  private func hold(
    _ response: HTTPServer.Response, until wait: HTTPServer.Wait, _ exchange: ServerExchange,
    on connection: OpaquePointer
  ) -> HeldAnswer? {
    let key = UInt(bitPattern: connection)
    nonisolated(unsafe) let connection = connection
    let answer = HeldAnswer(response, until: wait, on: pool) { [self] answer in
      held.remove(key)
      if let socket = connections.release(key) { hangups.forget(socket) }
      send(answer, exchange, on: connection)
    }
    guard held.add(answer, of: key) else { return nil }
    exchange.memory.giveBack()
    if let socket = connections.hold(key) { hangups.watch(socket, of: key) }
    return answer
  }

  private func send(_ answer: HTTPServer.Response, _ exchange: ServerExchange, on connection: OpaquePointer) {
    let isFitting = exchange.memory.keepAnswer(answer.body.count)
    exchange.response.withLock { $0 = isFitting ? answer : rules.refuse(.tooBusy) }
    MHD_resume_connection(connection)
  }

  /// Ends a request: its answer is being sent, or its connection is gone.
  func finish(_ exchange: ServerExchange) {
    exchange.memory.giveBack()
    if exchange.isHandled { work.withLock { $0.unanswered -= 1 } }
  }
}
