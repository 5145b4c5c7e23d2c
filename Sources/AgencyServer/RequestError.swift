internal import AgencyWire
package import HTTPServing

/// The reasons why a request was not served.
///
/// A client that has not proved to be the owner gets the same answer for every reason: `notFound`. The reason goes to
/// the log only.
package enum RequestError: Error, Equatable, Sendable {
  /// The body, or its outer layer, is not an envelope for this agency.
  case malformed(String)
  case missing(member: String)
  case invalid(String)
  case unsupported(type: String)
  /// An unknown address, a layer that does not open, or a sender without permission.
  case notFound(reason: String)
  /// The pairwise DID is in use with another key or owner.
  case keyInUse
  /// The requests of provisioning came out of order, or one is missing.
  case notProvisioned
  /// This agency gives accounts only for tokens.
  case needsToken
  /// The request is a recorded copy of an old one.
  case replayed
  /// The user has reached the limit of the named kind.
  case tooMany(String)
  /// The address has sent too many requests of this kind. It may send another after so many seconds.
  case tooOften(String, seconds: Int)
  case mailboxFull
  /// Another account has backups under the recovery key.
  case backupElsewhere
  /// The account has another recovery key than the backup, which the user's passphrase could not open there.
  case recoveryReplaced
  /// The store failed. The request may succeed later.
  case unavailable(String)
  case bodyTooLarge
  /// Other requests hold all the memory for bodies, or all of one client's share.
  case tooBusy
  case stopping

  /// The client's answer, in Verity's form.
  package var response: HTTPServer.Response {
    let refusal = WireRefusal(statusCode: answer.code, statusMessage: answer.text)
    var response = HTTPServer.Response(status: answer.status, contentType: "application/json", body: refusal.body)
    if let retryAfter { response.headers = [("Retry-After", "\(retryAfter)")] }
    return response
  }

  /// The seconds until the request may succeed. For limits that time alone does not lift it is an hour, so that no
  /// client waits.
  private var retryAfter: Int? {
    switch self {
    case .tooOften(_, let seconds): seconds
    case .tooMany: 3600
    case .mailboxFull, .unavailable, .tooBusy, .stopping: 30
    case .malformed, .missing, .invalid, .unsupported, .notFound, .keyInUse, .notProvisioned, .needsToken, .replayed,
      .backupElsewhere, .recoveryReplaced, .bodyTooLarge:
      nil
    }
  }

  private var answer: (status: Int, code: String, text: String) {
    switch self {
    case .malformed(let reason): (400, "GNR-111", "bad request: \(reason)")
    case .missing(let member): (400, "GNR-117", "missing member: \(member)")
    case .invalid(let reason): (400, "GNR-115", "invalid value: \(reason)")
    case .unsupported: (400, "GNR-120", "unsupported message type")
    case .notFound: (404, "GNR-113", "not found")
    case .keyInUse: (400, "CS-104", "another account or mailbox has registered this key or its DID first")
    case .notProvisioned: (400, "ACS-102", "agent not yet created")
    case .needsToken: (403, "ACS-103", "provisioning needs a token")
    case .replayed: (400, "GNR-115", "this request was served before")
    case .tooMany(let what), .tooOften(let what, _): (429, "GNR-123", "too many \(what)")
    case .mailboxFull: (429, "GNR-123", "mailbox full")
    case .backupElsewhere: (409, "GNR-115", "another account has backups under this recovery key")
    case .recoveryReplaced: (409, "GNR-115", "the account has another recovery key")
    case .unavailable: (503, "GNR-100", "temporarily unavailable")
    case .bodyTooLarge: (413, "GNR-101", "body too large")
    case .tooBusy: (503, "GNR-100", "too much at once")
    case .stopping: (503, "GNR-100", "stopping")
    }
  }

  /// The reason for the log. It names no keys and no content.
  package var reason: String {
    switch self {
    case .notFound(let reason), .unavailable(let reason): reason
    default: answer.text
    }
  }
}

extension RequestError {
  init(_ error: StorageError) { self = .unavailable(error.description) }
}

extension RequestError {
  /// A refusal of the HTTP server.
  init(_ refusal: HTTPServer.Refusal) {
    self =
      switch refusal {
      case .malformed: .malformed("the header does not say where the body ends")
      case .bodyTooLarge: .bodyTooLarge
      case .tooBusy: .tooBusy
      case .stopping: .stopping
      }
  }
}
