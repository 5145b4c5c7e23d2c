internal import CMicroHTTPD

extension HTTPServer {
  /// A request that has arrived whole.
  package struct Request: Sendable {
    package typealias Field = (name: String, value: String)

    package let method: String

    /// The path without the query, percent-decoded.
    package let path: String

    /// The query's parameters in their order, percent-decoded.
    package let query: [Field]

    /// The header's fields in their order. Look them up with `header(_:)` and `lastHeader(_:)`.
    package let headers: [Field]

    package let body: [UInt8]

    /// The numeric address that the connection comes from: a reverse proxy's, where there is one.
    package let client: String

    /// The first field of that name, whatever its case.
    package func header(_ name: String) -> String? {
      headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// The last field of that name: what a proxy has appended, where it makes a field of its own.
    package func lastHeader(_ name: String) -> String? {
      headers.last { $0.name.lowercased() == name.lowercased() }?.value
    }
  }

  /// What the client gets.
  package struct Response: Sendable {
    package var status: Int
    package var contentType: String?
    package var headers: [Request.Field]
    package var body: [UInt8]

    package init(
      status: Int = 200, contentType: String? = nil, headers: [Request.Field] = [], body: [UInt8] = []
    ) {
      self.status = status
      self.contentType = contentType
      self.headers = headers
      self.body = body
    }
  }

  /// What a client may take of the server: bytes, connections and seconds.
  package struct Limits: Sendable {
    /// The longest body that is accepted. What comes beyond it is not kept; the answer is 413.
    package var body = 1 << 20

    /// Bytes of all bodies that have come and are not answered yet; more is refused with 503.
    package var bodies = 32 << 20

    /// One client may take one part in so many of `bodies`.
    package static let clientsShare = 4

    /// Connections at the same time, of all clients and of one. When there is one more, that one ends for whose client
    /// the server has waited longest.
    package var connections = 960
    package var connectionsPerClient = 64

    /// Handlers at the same time; further requests wait. Quick requests have handlers of their own.
    package var handlers = 64
    package var quickHandlers = 8

    /// Seconds for which a server that stops goes on handling requests that have arrived; the rest gets 503.
    package var stopSeconds = 20

    /// Seconds from the start of a connection to the end of its first request's header.
    package var headerSeconds = 10

    /// Seconds from the end of the header to the end of the body, and again for the client to take the answer.
    package var bodySeconds = 30

    /// Seconds for which a connection may be kept between requests.
    package var idleSeconds = 60

    package init() {}
  }
}

/// Lets all threads of the process take memory from the same pool. By default the allocator keeps a pool for each thread,
/// and each of them keeps the memory of the largest body that its thread has read. Call it before the first thread starts.
package func shareFreeMemory() { msdk_share_free_memory() }

/// Gives back to the system the memory that a burst of requests has left behind. The allocator would keep it.
package func returnFreeMemory() { msdk_return_free_memory() }

extension HTTPServer {
  /// The reasons why a server refuses a request by itself.
  package enum Refusal: Sendable {
    case bodyTooLarge
    /// There are too many bytes of bodies already.
    case tooBusy
    case stopping

    package var status: Int { self == .bodyTooLarge ? 413 : 503 }
  }
}

/// Why a server could not be started.
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
