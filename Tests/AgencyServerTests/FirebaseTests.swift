import HTTPServing
import JSON
import Sodium
import TestSupport
import Testing
import Threading
import Time

@testable import AgencyServer

/// Push messages, and the tokens that Google wants to see with them.
@Suite struct FirebaseTests {
  private static let now: Clock = { 1_715_938_200 }

  @Test func anAssertionIsSignedAndTellsWhoAsksForWhat() throws {
    let google = try Google()
    let parts = try ServiceAccount(google.accountFile).assertion(at: 1000).split(separator: ".").map(String.init)
    try #require(parts.count == 3)
    let header: JSON = ["alg": "RS256", "typ": "JWT", "kid": "key-1"]
    #expect(try JSON(parsing: Base64.decode(parts[0], .url)) == header)
    let claims: JSON = [
      "iss": "push@a-project.example", "scope": "https://www.googleapis.com/auth/firebase.messaging",
      "aud": "https://oauth2.googleapis.com/token", "iat": 1000, "exp": 4600,
    ]
    #expect(try JSON(parsing: Base64.decode(parts[1], .url)) == claims)
    let signature = try Base64.decode(parts[2], .url)
    #expect(google.keys.verifies(signature, of: Array("\(parts[0]).\(parts[1])".utf8)))
  }

  @Test func anAccountWithoutTheIdOfItsKeyNamesNone() throws {
    var file = try Google().accountFile
    file["private_key_id"] = nil
    let header = try ServiceAccount(file).assertion(at: 1000).prefix { $0 != "." }
    #expect(try JSON(parsing: Base64.decode(String(header), .url)) == ["alg": "RS256", "typ": "JWT"])
  }

  /// Older projects belong to a domain.
  @Test(arguments: ["a-project", "project-7", "example.com:a-project"]) func aProjectHasItsID(id: String) throws {
    var file = try Google().accountFile
    file["project_id"] = .string(id)
    #expect(try ServiceAccount(file).projectID == id)
  }

  @Test(
    arguments: [
      ("project_id", nil, .missing("project_id")), ("client_email", "", .missing("client_email")),
      ("token_uri", nil, .missing("token_uri")), ("private_key", nil, .missing("private_key")),
      ("project_id", "a/b", .wrong("project_id", "not a project's id")),
      ("token_uri", "http://127.0.0.1/token", .wrong("token_uri", "not an https URL")),
      ("token_uri", "no URL", .wrong("token_uri", "not an https URL")),
      ("token_uri", "https://", .wrong("token_uri", "not an https URL")),
      ("project_id", "A", .wrong("project_id", "not a project's id")),
      ("project_id", "a_b", .wrong("project_id", "not a project's id")),
      ("project_id", "a?b", .wrong("project_id", "not a project's id")), ("private_key", "", .missing("private_key")),
      ("private_key", "secret", .wrong("private_key", "not a private key in PEM without a passphrase")),
    ] as [(String, String?, ServiceAccountError)])
  func anUnusableAccountIsRefusedByTheNameOfItsMember(
    member: String, value: String?, error: ServiceAccountError
  ) throws {
    var file = try Google().accountFile
    file[member] = value.map(JSON.string)
    #expect(throws: error) { try ServiceAccount(file) }
  }

  @Test func oneAccessTokenServesUntilShortlyBeforeItsEnd() throws {
    let google = try Google()
    let firebase = try google.firebase()
    let time = Locked<Int64>(1_715_938_200)
    let clock: Clock = { time.withLock { $0 } }
    for seconds: Int64 in [0, 1, 3538] {
      time.withLock { $0 += seconds }
      #expect(firebase.send([], clock) == .delivered)
    }
    #expect(google.tokenRequests.count == 1)
    time.withLock { $0 += 1 }
    #expect(firebase.send([], clock) == .delivered)
    #expect(google.tokenRequests.count == 2)
    #expect(google.pushes.map(\.path) == Array(repeating: "/v1/projects/a-project/messages:send", count: 4))
  }

  @Test func threadsThatNeedATokenShareOne() throws {
    let google = try Google(pause: 200)
    let firebase = try google.firebase()
    let outcomes = Monitor<[AttemptOutcome]>([])
    let threads = Threads(limit: 8)
    for _ in 0..<8 {
      threads.post {
        let outcome = firebase.send([], Self.now)
        outcomes.withLock { $0.append(outcome) }
      }
    }
    let all = outcomes.wait(milliseconds: 20_000) { $0.count == 8 ? $0 : nil }
    #expect(all == Array(repeating: .delivered, count: 8))
    #expect(google.tokenRequests.count == 1)
  }

  /// They come while the first one asks, which gets no answer until most of them wait.
  @Test func threadsThatNeedATokenShareAFailure() throws {
    let google = try Google(pause: 300)
    google.answerTokenRequests(HTTPServer.Response(status: 403))
    let firebase = try google.firebase()
    let outcomes = Monitor<[AttemptOutcome]>([])
    let threads = Threads(limit: 16)
    for _ in 0..<16 {
      threads.post {
        let outcome = firebase.send([], Self.now)
        outcomes.withLock { $0.append(outcome) }
      }
    }
    let all = try #require(outcomes.wait(milliseconds: 20_000) { $0.count == 16 ? $0 : nil })
    // A thread that comes later asks again, and gets a token.
    #expect(all.filter { $0 == .failed("no access token: status 403") }.count > 1)
    #expect(google.tokenRequests.count <= 2)
  }

  @Test func aLongAccessTokenIsUsed() throws {
    let google = try Google()
    let token = String(repeating: "a", count: 8192)
    google.answerTokenRequests(HTTPServer.Response(body: Array(#"{"access_token":"\#(token)"}"#.utf8)))
    #expect(try google.firebase().send([], Self.now) == .delivered)
    #expect(google.pushes.map(\.authorization) == ["Bearer \(token)", "Bearer access-1"])
  }

  /// A token lives for as long as Google says, for an hour at most, and no shorter than not at all.
  @Test(arguments: [
    ("100", 39), ("3600", 3539), ("9999", 3539), ("0", -1), ("-5", -1), ("\"x\"", 3539), ("null", 3539),
  ])
  func anAccessTokenIsUsedForItsTime(life: String, seconds: Int64) throws {
    let google = try Google()
    let answer = #"{"access_token":"access-0","expires_in":\#(life)}"#
    google.answerTokenRequests(HTTPServer.Response(body: Array(answer.utf8)))
    let firebase = try google.firebase()
    let time = Locked<Int64>(1_715_938_200)
    let clock: Clock = { time.withLock { $0 } }
    #expect(firebase.send([], clock) == .delivered)
    time.withLock { $0 += max(0, seconds) }
    #expect(firebase.send([], clock) == .delivered)
    #expect(google.tokenRequests.count == (seconds < 0 ? 2 : 1))
    time.withLock { $0 += 1 }
    if seconds >= 0 { #expect(firebase.send([], clock) == .delivered && google.tokenRequests.count == 2) }
  }

  @Test func aRefusedAccessTokenIsReplacedOnce() throws {
    let google = try Google()
    let firebase = try google.firebase()
    #expect(firebase.send([], Self.now) == .delivered)
    google.expireToken()
    #expect(firebase.send([], Self.now) == .delivered)
    google.answer(HTTPServer.Response(status: 401), HTTPServer.Response(status: 401))
    #expect(firebase.send([], Self.now) == .failed("status 401"))
    #expect(google.tokenRequests.count == 3)
    #expect(google.pushes.count == 5)
  }

  private static let longestName = String(repeating: "A", count: 64)

  @Test(
    arguments: [
      (Google.error(404, "UNREGISTERED"), .unregistered),
      (Google.error(404, "NOT_FOUND"), .refused("status 404 NOT_FOUND")),
      (Google.error(400, "INVALID_ARGUMENT"), .refused("status 400 INVALID_ARGUMENT")),
      (Google.error(403, "not a name of theirs"), .refused("status 403 SOME_STATUS")),
      (Google.error(403, longestName), .refused("status 403 \(longestName)")),
      (Google.error(403, longestName + "A"), .refused("status 403 SOME_STATUS")),
      (Google.error(429, "QUOTA_EXCEEDED", retryAfter: "30"), .failed("status 429 QUOTA_EXCEEDED", pause: 30)),
      (Google.error(503, "UNAVAILABLE", retryAfter: "7"), .failed("status 503 UNAVAILABLE", pause: 7)),
      (HTTPServer.Response(status: 500), .failed("status 500")),
      (HTTPServer.Response(status: 302, headers: [("Location", "http://127.0.0.1/")]), .failed("status 302")),
    ] as [(HTTPServer.Response, AttemptOutcome)])
  func anAnswerOfFirebaseDecidesAboutLaterAttempts(answer: HTTPServer.Response, outcome: AttemptOutcome) throws {
    let google = try Google()
    google.answer(answer)
    #expect(try google.firebase().send([], Self.now) == outcome)
  }

  @Test(arguments: [
    (HTTPServer.Response(status: 400, body: Array(#"{"error":"invalid_grant"}"#.utf8)), "status 400", 0),
    (HTTPServer.Response(status: 503, headers: [("Retry-After", "9")]), "status 503", 9),
    (HTTPServer.Response(body: Array(#"{"access_token":"secret"#.utf8)), "the answer holds none", 0),
    (HTTPServer.Response(body: Array(#"{"access_token":"secret\r\nX: y"}"#.utf8)), "the answer holds none", 0),
    (HTTPServer.Response(body: Array(#"{"access_token":7}"#.utf8)), "the answer holds none", 0),
    (HTTPServer.Response(body: Array(#"{"access_token":""}"#.utf8)), "the answer holds none", 0),
    (
      HTTPServer.Response(body: Array(#"{"access_token":"\#(String(repeating: "a", count: 8193))"}"#.utf8)),
      "the answer holds none", 0
    ),
  ])
  func withoutAnAccessTokenTheAttemptFailsAndTheReasonHoldsNoSecret(
    answer: HTTPServer.Response, reason: String, pause: Int
  ) throws {
    let google = try Google()
    google.answerTokenRequests(answer)
    let firebase = try google.firebase()
    #expect(firebase.send([], Self.now) == .failed("no access token: \(reason)", pause: pause))
    #expect(google.pushes.isEmpty)
    #expect(firebase.send([], Self.now) == .delivered)
  }
}
