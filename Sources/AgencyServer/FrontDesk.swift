internal import HTTPServing
internal import JSON

/// What the agency looks like from the web: routes and answers.
struct FrontDesk: Sendable {
  let agency: Agency
  let log: EventLog

  func serve(_ request: HTTPServer.Request) -> HTTPServer.Response {
    do throws(Denial) {
      return try answer(request)
    } catch {
      log(Event("refused", ["path": request.path, "reason": error.reason]))
      return error.response
    }
  }

  private func answer(_ request: HTTPServer.Request) throws(Denial) -> HTTPServer.Response {
    switch (request.method, request.path) {
    case ("POST", "/agency/msg"):
      return HTTPServer.Response(contentType: "application/ssi-agent-wire", body: try agency.receive(request.body))
    case ("GET", "/agency"):
      let identity: JSON = ["DID": .string(agency.party.did), "verKey": .string(agency.party.verkey.text)]
      return HTTPServer.Response(contentType: "application/json", body: identity.bytes)
    default:
      throw .notFound(reason: "unknown route")
    }
  }

  /// For what the server refuses before the agency sees it.
  static func refusal(status: Int) -> HTTPServer.Response {
    (status == 413 ? Denial.bodyTooLarge : Denial.stopping).response
  }
}
