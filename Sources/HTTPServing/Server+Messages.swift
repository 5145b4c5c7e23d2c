internal import CMicroHTTPD

extension HTTPServer {
  /// A complete request.
  package struct Request: Sendable {
    package typealias Field = (name: String, value: String)

    package let method: String

    /// The path with the query, as the client sent them.
    package let target: String

    /// The path without the query, percent-decoded.
    package let path: String

    /// The query's parameters in their order, percent-decoded.
    package let query: [Field]

    /// The header's fields in their order. Look them up with `header(_:)` and `lastHeader(_:)`.
    package let headers: [Field]

    package let body: [UInt8]

    /// The numeric address of the connection's other end: a reverse proxy's, if there is one.
    package let client: String

    /// The server's memory for this exchange. A handler reserves memory here before it makes a long answer. Nil if no
    /// server received the request.
    package internal(set) var memory: MemoryShare?

    init(
      method: String, target: String, headers: [Field] = [], body: [UInt8] = [], client: String,
      memory: MemoryShare? = nil
    ) {
      self.method = method
      self.target = target
      (path, query) = Self.parts(of: target)
      self.headers = headers
      self.body = body
      self.client = client
      self.memory = memory
    }

    /// The first field with that name, in any case.
    package func header(_ name: String) -> String? {
      headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// The last field with that name. A proxy may have appended it.
    package func lastHeader(_ name: String) -> String? {
      headers.last { $0.name.lowercased() == name.lowercased() }?.value
    }
  }

  /// The answer to a client.
  package struct Response: Sendable {
    package var status: Int
    package var contentType: String?
    package var headers: [Request.Field]
    package var body: [UInt8]

    /// The client's wait for a better answer than this one; nil sends this one at once.
    package var wait: Wait?

    package init(
      status: Int = 200, contentType: String? = nil, headers: [Request.Field] = [], body: [UInt8] = [],
      wait: Wait? = nil
    ) {
      self.status = status
      self.contentType = contentType
      self.headers = headers
      self.body = body
      self.wait = wait
    }
  }

  /// A client's limits: bytes, connections and seconds.
  package struct Limits: Sendable {
    /// The size limit of a body. The server discards bytes beyond it and answers 413.
    package var body = 1 << 20

    /// The size limit of all bodies: of requests until they are answered, and of answers until they are sent. Beyond it the
    /// server answers 503.
    package var bodies = 32 << 20

    /// The number of parts of `bodies`. A client or an account may take one part.
    package static let clientsShare = 4

    /// The bytes that one client or account may take: one part, but at least one body.
    var bodiesPerClient: Int { max(bodies / Self.clientsShare, body) }

    /// Concurrent connections, of all clients and of one. Beyond the limit, the server closes the connection whose
    /// client has kept it waiting longest.
    package var connections = 960
    package var connectionsPerClient = 64

    /// The waiting clients. Their connections come on top of `connections`, and no other limit counts them. A client beyond
    /// the limit gets its answer at once.
    package var waiting = 10_000

    /// Concurrent handlers; further requests wait. Quick requests have handlers of their own.
    package var handlers = 64
    package var quickHandlers = 8

    /// The seconds for which a stopping server still handles requests that have arrived; the rest gets 503.
    package var stopSeconds = 20

    /// Seconds from the start of a connection to the end of its first request's header.
    package var headerSeconds = 10

    /// Seconds from the end of the header to the end of the body, and again for the client to take the answer.
    package var bodySeconds = 30

    /// The seconds for which an idle connection stays open between requests.
    package var idleSeconds = 60

    package init() {}
  }
}

/// Lets all threads of the process share one pool of memory. By default the allocator keeps a pool for each thread, as
/// large as the largest body that the thread has read. Call this before the first thread starts.
package func shareFreeMemory() { msdk_share_free_memory() }

/// Returns the memory of a burst of requests to the system. The allocator would keep it.
package func returnFreeMemory() { msdk_return_free_memory() }

extension HTTPServer {
  /// The reasons why a server refuses a request by itself.
  package enum Refusal: Sendable {
    /// The header does not say clearly where the body ends.
    case malformed
    case bodyTooLarge
    /// The limit of bodies is reached.
    case tooBusy
    case stopping

    package var status: Int {
      switch self {
      case .malformed: 400
      case .bodyTooLarge: 413
      case .tooBusy, .stopping: 503
      }
    }
  }
}

/// The reasons why a server could not start.
package enum HTTPServerError: Error, Equatable, Sendable {
  /// Not a numeric IPv4 or IPv6 address.
  case malformedAddress(String)
  /// The address is not this machine's, or the port is taken or not allowed.
  case cannotListen(address: String, port: UInt16)
}

extension HTTPServerError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .malformedAddress(let address): "not a numeric IP address: \(address)"
    case .cannotListen(let address, let port): "cannot listen on \(address), port \(port)"
    }
  }
}
