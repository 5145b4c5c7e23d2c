import AgencyWire
import HTTPServing
import Testing

@testable import AgencyServer

/// The answers to requests that are not served.
@Suite struct RequestErrorTests {
  @Test(
    arguments: [
      (.malformed("x"), 400, "GNR-111", "bad request: x", nil),
      (.missing(member: "x"), 400, "GNR-117", "missing member: x", nil),
      (.invalid("x"), 400, "GNR-115", "invalid value: x", nil),
      (.unsupported(type: "x"), 400, "GNR-120", "unsupported message type", nil),
      (.notFound(reason: "x"), 404, "GNR-113", "not found", nil),
      (.keyInUse, 400, "CS-104", "another account or mailbox has registered this key or its DID first", nil),
      (.notProvisioned, 400, "ACS-102", "agent not yet created", nil),
      (.needsToken, 403, "ACS-103", "provisioning needs a token", nil),
      (.replayed, 400, "GNR-115", "this request was served before", nil),
      (.tooMany("x"), 429, "GNR-123", "too many x", "3600"),
      (.tooOften("x", seconds: 7), 429, "GNR-123", "too many x", "7"),
      (.mailboxFull, 429, "GNR-123", "mailbox full", "30"),
      (.backupElsewhere, 409, "GNR-115", "another account has backups under this recovery key", nil),
      (.unavailable("x"), 503, "GNR-100", "temporarily unavailable", "30"),
      (.bodyTooLarge, 413, "GNR-101", "body too large", nil), (.tooBusy, 503, "GNR-100", "too much at once", "30"),
      (.stopping, 503, "GNR-100", "stopping", "30"),
    ] as [(RequestError, Int, String, String, String?)])
  func eachRefusalHasItsAnswer(error: RequestError, status: Int, code: String, text: String, retryAfter: String?) {
    let response = error.response
    #expect(response.status == status && response.contentType == "application/json")
    #expect(WireRefusal(body: response.body)?.statusCode == code)
    #expect(WireRefusal(body: response.body)?.statusMessage == text)
    #expect(response.headers.map(\.name) == (retryAfter == nil ? [] : ["Retry-After"]))
    #expect(response.headers.first?.value == retryAfter)
    switch error {
    case .notFound, .unavailable: #expect(error.reason == "x")
    default: #expect(error.reason == text)
    }
  }

  @Test func theServersOwnRefusalsAreAnsweredAlike() {
    for (refusal, error) in [
      (HTTPServer.Refusal.bodyTooLarge, RequestError.bodyTooLarge), (.tooBusy, .tooBusy), (.stopping, .stopping),
    ] {
      #expect(RequestError(refusal).response.body == error.response.body)
      #expect(RequestError(refusal).response.status == refusal.status)
    }
  }

  @Test(
    arguments: [
      (0, "it is no agency's"), (1, "its version is 1: an agency of this version has to be started first"),
      (6, "its version is 6: an agency of this version has to be started first"),
      (8, "its version is 8, newer than this program"),
      (-1, "its version is -1: an agency of this version has to be started first"),
    ] as [(Int64, String)])
  func aStoreOfAnotherVersionIsExplained(version: Int64, reason: String) {
    #expect(StorageError(version: version, newest: 7) == .incompatible(reason))
    #expect("\(StorageError.incompatible(reason))" == "the store cannot be used: \(reason)")
  }
}
