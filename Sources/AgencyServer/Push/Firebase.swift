internal import HTTP
internal import JSON
internal import Time

/// Firebase Cloud Messaging (HTTP v1), which wakes one project's apps.
package final class Firebase: Sendable {
  private let url: String

  /// Scheme, host and port of Firebase.
  let target: String
  let host: String
  private let client = HTTPClient(timeout: 3, maximumBody: 64 << 10)
  private let tokens: AccessTokens

  package static let production = "https://fcm.googleapis.com"

  /// `endpoint` has no slash at its end.
  package init(_ account: ServiceAccount, endpoint: String = Firebase.production) {
    url = "\(endpoint)/v1/projects/\(account.projectID)/messages:send"
    let parsed = WebhookURL(endpoint)
    target = parsed?.target ?? endpoint
    host = parsed?.host ?? endpoint
    tokens = AccessTokens(account, client)
  }

  /// Sends a message. Replaces the access token once, if Firebase refuses it. Blocks for at most 12 seconds.
  func send(_ message: [UInt8], _ clock: Clock) -> AttemptOutcome {
    do {
      let token = try tokens.token(clock)
      var response = try post(message, token)
      if response.status == 401 { response = try post(message, tokens.token(except: token, clock)) }
      return AttemptOutcome(ofFirebase: response)
    } catch let failure as NoAccessToken {
      return .failed("no access token: \(failure.reason)", pause: failure.pause)
    } catch {
      return .failed("\(error)")
    }
  }

  private func post(_ message: [UInt8], _ token: AccessTokens.Token) throws(HTTPError) -> HTTPClient.Response {
    try client.post(
      message, to: url, contentType: "application/json", headers: ["Authorization: Bearer \(token.text)"])
  }
}
