internal import HTTPServing
internal import JSON
internal import Logging

/// The agency's HTTP interface: routes and answers.
struct Routes: Sendable {
  private let agency: Agency
  private let limiter: RateLimiter
  private let health: HealthCheck
  private let log: LogChannel

  init(_ agency: Agency, log: LogChannel) {
    self.agency = agency
    self.log = log
    limiter = RateLimiter(agency.rules.rate, clock: agency.clock)
    health = HealthCheck(agency.storage, clock: agency.clock)
  }

  func serve(_ request: HTTPServer.Request) -> HTTPServer.Response {
    let response: HTTPServer.Response
    do throws(RequestError) {
      response = try answer(request)
    } catch {
      log.note("refused", ["status": "\(error.response.status)", "reason": error.reason])
      response = error.response
    }
    agency.metrics.countAnswer(response.status)
    return response
  }

  private func answer(_ request: HTTPServer.Request) throws(RequestError) -> HTTPServer.Response {
    let client = client(of: request)
    let visitor = client.isLoopback ? Visitor.machine : .address(clientNetwork(of: client))
    guard limiter.admits(visitor) else { throw .tooOften("requests", seconds: limiter.pause) }
    switch (request.method, request.path) {
    case ("POST", "/agency/msg"):
      return HTTPServer.Response(
        contentType: "application/ssi-agent-wire", body: try agency.receive(request.body, from: visitor))
    case ("GET", "/agency/msg"):
      guard let link = InvitationLink(request.query) else { throw .notFound(reason: "no invitation in the link") }
      log.note("served", ["request": "invitation"])
      return HTTPServer.Response(
        contentType: "application/json", headers: [("X-Content-Type-Options", "nosniff")], body: link.invitation.bytes)
    case ("GET", "/agency"):
      log.note("served", ["request": "agency"])
      return HTTPServer.Response(contentType: "application/json", body: identity.bytes)
    case ("GET", "/health"):
      try agency.stored { () throws(StorageError) in try health.check() }
      return HTTPServer.Response(contentType: "application/json", body: (["status": "ok"] as JSON).bytes)
    case ("GET", "/metrics") where agency.rules.showsMetrics:
      return HTTPServer.Response(contentType: "text/plain; version=0.0.4", body: Array(agency.metrics.text.utf8))
    default:
      throw .notFound(reason: "unknown route")
    }
  }

  private var identity: JSON {
    var identity: JSON = ["DID": .string(agency.party.did), "verKey": .string(agency.party.verkey.text)]
    if let endpoint = agency.rules.publicEndpoint { identity["endpoint"] = .string(endpoint.text) }
    return identity
  }

  /// The client's address. A trusted proxy writes it into the last entry; clients can forge the entries before that. A
  /// malformed entry would count as a new client each time.
  private func client(of request: HTTPServer.Request) -> String {
    guard request.client == agency.rules.trustedProxy, let forwarded = request.lastHeader("X-Forwarded-For") else {
      return request.client
    }
    let entry = forwarded.split(separator: ",", omittingEmptySubsequences: false).last ?? ""
    return numericAddress(entry.filter { $0 != " " && $0 != "\t" }) ?? request.client
  }

  /// The response to a request that the server refuses before the agency sees it.
  static func response(to refusal: HTTPServer.Refusal) -> HTTPServer.Response {
    let denial: RequestError =
      switch refusal {
      case .bodyTooLarge: .bodyTooLarge
      case .tooBusy: .tooBusy
      case .stopping: .stopping
      }
    return denial.response
  }

  /// Whether a request needs no store, so that it waits for no other request.
  static func isQuick(method: String, path: String) -> Bool {
    (method, path) != ("POST", "/agency/msg") && path != "/health"
  }

  /// Whether many clients may share an address: the reverse proxy's, and the machine's own, since a proxy on it may be
  /// unconfigured.
  static func isShared(_ address: String, proxy: String?) -> Bool { address == proxy || address.isLoopback }
}

extension String {
  /// Whether this is an address of the machine itself.
  fileprivate var isLoopback: Bool { hasPrefix("127.") || self == "::1" || hasPrefix("::ffff:127.") }
}
