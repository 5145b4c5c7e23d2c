import AgencyWire
import DIDComm
import HTTP
import HTTPServing
import JSON
import TestSupport
import Testing
import Threading

@testable import AgencyServer

/// The bodies of notifications, and the meaning of the answers to them.
@Suite struct AnnouncementTests {
  private static let offer = "did:sov:BzCbsNYhMrjHiqZDTUASHg;spec/issue-credential/1.0/offer-credential"

  private func notification(_ kind: WireComMethod.Kind, _ value: String) -> Notification {
    Notification(
      id: 1, agentID: 1, attempts: 0, method: WireComMethod(id: "1", kind: kind, value: value), sponsorID: nil,
      uid: "uid-1", pairwiseDID: "DID", arrival: 0, hint: MessageHint(type: Self.offer, sender: "Faber"))
  }

  private func body(_ kind: WireComMethod.Kind, _ value: String, _ rules: Agency.Rules) throws -> JSON {
    try JSON(parsing: #require(Announcement(notification(kind, value), rules)).body)
  }

  @Test func aWebhookIsToldTheMessageAndItsConnection() throws {
    var ids: Set<String> = []
    for _ in 0..<2 {
      let body = try body(.webhook, "https://alice.example/hook", Agency.Rules())
      let id = try #require(body["notificationId"]?.string)
      let expected: JSON = [
        "msgUid": "uid-1", "pwDid": "DID", "msgType": .string(Self.offer), "msgStatusCode": "MS-103",
        "notificationId": .string(id),
      ]
      #expect(body == expected && id.count == 36)
      ids.insert(id)
    }
    #expect(ids.count == 2, "each notification has its own")
  }

  /// Apple wakes an app for a background push only, and Android delays a push of normal priority.
  @Test func theTypeOfTheAgencysOwnMessageIsToldAsItIs() throws {
    var sponsor = Sponsor(id: "bank")
    sponsor.endpoint = "https://bank.example/notify"
    var rules = Agency.Rules()
    rules.admission = try Admission(mode: .open, sponsors: [sponsor])
    let notification = Notification(
      id: 1, agentID: 1, attempts: 0, method: WireComMethod(id: "1", kind: .sponsor, value: "user-42"),
      sponsorID: "bank", uid: "uid-1", pairwiseDID: "DID", arrival: 0, hint: MessageHint(type: "WALLET_BACKUP_READY"))
    let body = try JSON(parsing: #require(Announcement(notification, rules)).body)
    #expect(body["msgType"] == "WALLET_BACKUP_READY")
    #expect(body["metaData"] == ["msgType": "WALLET_BACKUP_READY", "msgSenderName": ""])
  }

  @Test func aPushWakesTheAppOnBothSystems() throws {
    let google = try Google()
    var rules = Agency.Rules()
    rules.push = try google.firebase()
    let message = try #require(try body(.push, "FCM:token-7", rules)["message"])
    #expect(message["android"] == ["priority": "HIGH"])
    let apple: JSON = [
      "headers": ["apns-push-type": "background", "apns-priority": "5"],
      "payload": ["aps": ["content-available": 1]],
    ]
    #expect(message["apns"] == apple)
    #expect(Set(try message.requireObject().keys) == ["token", "data", "android", "apns"])
    let data = try #require(message["data"]?.object)
    #expect(Set(data.keys) == ["msgId", "msgType", "relationshipDid", "metaData"])
    #expect(data["msgId"] == "uid-1" && message["token"] == "token-7")
  }

  /// Only a 2xx confirms. After any other answer a receiver may be in order again a little later.
  @Test(arguments: [
    (200, true), (204, true), (299, true), (300, false), (302, false), (400, false), (404, false), (410, false),
    (500, false),
  ])
  func aReceiverConfirmsWith2xx(status: Int, isDelivered: Bool) {
    let outcome = AttemptOutcome(HTTPClient.Response(status: status, retryAfter: 7))
    #expect(outcome == (isDelivered ? .delivered : .failed("status \(status)", pause: 7)))
  }

  @Test(
    arguments: [
      (401, nil, .failed("status 401", pause: 7)), (408, nil, .failed("status 408", pause: 7)),
      (429, nil, .failed("status 429", pause: 7)), (404, "UNREGISTERED", .unregistered),
      (410, nil, .refused("status 410")), (503, "UNREGISTERED", .failed("status 503 UNREGISTERED", pause: 7)),
      (200, "UNREGISTERED", .delivered),
    ] as [(Int, String?, AttemptOutcome)])
  func anAnswerOfFirebaseIsUnderstood(status: Int, error: String?, outcome: AttemptOutcome) {
    let body = error.map { Google.error(status, $0).body } ?? []
    #expect(AttemptOutcome(ofFirebase: HTTPClient.Response(status: status, retryAfter: 7, body: body)) == outcome)
  }

  @Test func googleGetsAFormAndFirebaseGetsJSON() throws {
    let calls = Locked<[HTTPServer.Request]>([])
    let server = try HTTPServer { request in
      calls.withLock { $0.append(request) }
      return HTTPServer.Response(body: Array(#"{"access_token":"a"}"#.utf8))
    }
    var account = try ServiceAccount(Google().accountFile)
    account.tokenURL = server.endpoint + "/token"
    #expect(Firebase(account, endpoint: server.endpoint).send([1, 2], { 1000 }) == .delivered)
    let requests = calls.withLock { $0 }
    try #require(requests.map(\.path) == ["/token", "/v1/projects/a-project/messages:send"])
    #expect(
      requests.map { $0.header("Content-Type") } == ["application/x-www-form-urlencoded", "application/json"])
    let form = String(decoding: requests[0].body, as: UTF8.self)
    let grant = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion="
    #expect(try form == grant + account.assertion(at: 1000))
    #expect(requests[1].header("Authorization") == "Bearer a" && requests[1].body == [1, 2])
  }

  /// An outage ends: the message is news for some time.
  @Test(arguments: [false, true]) func whileGoogleIsAwayAnAttemptFails(isTokenServerAway: Bool) throws {
    let tokens = try HTTPServer { _ in HTTPServer.Response(body: Array(#"{"access_token":"a"}"#.utf8)) }
    let gone = try HTTPServer { _ in HTTPServer.Response() }
    gone.stop()
    var account = try ServiceAccount(Google().accountFile)
    account.tokenURL = (isTokenServerAway ? gone : tokens).endpoint
    let outcome = Firebase(account, endpoint: gone.endpoint).send([], { 1 })
    guard case .failed(let reason, 0) = outcome else { return #expect(outcome == .failed("")) }
    #expect(reason.hasPrefix(isTokenServerAway ? "no access token: no answer: " : "no answer: "))
  }
}
