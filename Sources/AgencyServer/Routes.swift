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
    do throws(RequestError) {
      let response = try answer(request)
      agency.metrics.countAnswer(response.status)
      return response
    } catch {
      return answer(error)
    }
  }

  private func answer(_ request: HTTPServer.Request) throws(RequestError) -> HTTPServer.Response {
    let visitor = Visitor(of: request, behind: agency.rules.trustedProxy)
    guard limiter.admits(visitor) else { throw .tooOften("requests", seconds: limiter.pause) }
    switch (request.method, request.path) {
    case ("POST", "/agency/msg"):
      return response(try agency.receive(request.body, on: visit(visitor, request)))
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
    case ("GET", "/metrics") where agency.rules.showsMetrics && request.target == "/metrics":
      return HTTPServer.Response(
        contentType: "text/plain; version=0.0.4", body: Array(agency.metrics.text(waiting: agency.waiters.count).utf8))
    default:
      throw .notFound(reason: "unknown route")
    }
  }

  private func response(_ reply: Reply) -> HTTPServer.Response {
    var response = HTTPServer.Response(contentType: "application/ssi-agent-wire", body: reply.body)
    guard let wait = reply.wait else { return response }
    let frame = response
    response.wait = HTTPServer.Wait(seconds: wait.seconds, alarm: wait.place.alarm) {
      do throws(RequestError) {
        guard let body = try wait.renewed() else { return nil }
        var better = frame
        better.body = body
        return better
      } catch {
        return answer(error)
      }
    }
    return response
  }

  private var identity: JSON {
    var identity: JSON = ["DID": .string(agency.party.did), "verKey": .string(agency.party.verkey.text)]
    if let endpoint = agency.rules.publicEndpoint { identity["endpoint"] = .string(endpoint.text) }
    return identity
  }

  private func visit(_ visitor: Visitor, _ request: HTTPServer.Request) -> Visit {
    guard let memory = request.memory else { return Visit(of: visitor) }
    return Visit(of: visitor) { memory.reserveAnswer($0, for: $1) }
  }

  /// The answer to a request that the server refuses before the agency sees it.
  func refuse(_ refusal: HTTPServer.Refusal) -> HTTPServer.Response { answer(RequestError(refusal)) }

  /// Logs and counts a refusal.
  private func answer(_ denial: RequestError) -> HTTPServer.Response {
    let response = denial.response
    log.note("refused", ["status": "\(response.status)", "reason": denial.reason])
    agency.metrics.countAnswer(response.status)
    return response
  }

  /// Whether a request needs no store, so that it waits for no other request.
  static func isQuick(method: String, path: String) -> Bool {
    (method, path) != ("POST", "/agency/msg") && path != "/health"
  }

  /// Whether many clients may share an address: the reverse proxy's, and the machine's own, since a proxy on it may be
  /// unconfigured.
  static func isShared(_ address: String, proxy: String?) -> Bool { address == proxy || address.isLoopback }
}
