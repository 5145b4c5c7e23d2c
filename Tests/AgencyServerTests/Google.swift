import HTTPServing
import JSON
import Sodium
import TestSupport
import Threading

@testable import AgencyServer

/// A stand-in of Google: gives access tokens, and takes push messages that come with the latest of them.
final class Google: Sendable {
  struct Request: Sendable {
    let path: String
    let authorization: String?
    let body: [UInt8]
  }

  private struct State {
    var requests: [Request] = []
    var tokens = 0
    var answers: [HTTPServer.Response] = []
    var tokenAnswers: [HTTPServer.Response] = []
    /// Whether answers to push messages wait.
    var isHeld = false
  }

  /// One for all: to make a key takes long.
  private static let keys = RSAKeyPair()

  let keys: RSAKeyPair
  private let state: Monitor<State>
  private let server: HTTPServer

  /// `pause` is the time in milliseconds that the token endpoint takes.
  init(pause: Int = 0) throws {
    guard let keys = Self.keys else { throw NoKeyPair() }
    self.keys = keys
    let state = Monitor(State())
    self.state = state
    server = try HTTPServer { request in
      let seen = Request(path: request.path, authorization: request.header("Authorization"), body: request.body)
      let isToken = request.path == "/token"
      if isToken { _ = Monitor(0).wait(milliseconds: pause) { _ in Bool?.none } }
      state.withLock { $0.requests.append(seen) }
      if !isToken { state.wait(milliseconds: 20_000) { $0.isHeld ? nil : () } }
      return state.withLock { state in isToken ? Self.token(&state) : Self.send(seen, &state) }
    }
  }

  private static func token(_ state: inout State) -> HTTPServer.Response {
    guard state.tokenAnswers.isEmpty else { return state.tokenAnswers.removeFirst() }
    state.tokens += 1
    let answer: JSON = ["access_token": "access-\(String(state.tokens))", "expires_in": 3600, "token_type": "Bearer"]
    return HTTPServer.Response(body: answer.bytes)
  }

  private static func send(_ request: Request, _ state: inout State) -> HTTPServer.Response {
    guard request.authorization == "Bearer access-\(state.tokens)" else { return HTTPServer.Response(status: 401) }
    return state.answers.isEmpty ? HTTPServer.Response(body: Array("{}".utf8)) : state.answers.removeFirst()
  }

  /// An error as Firebase writes it.
  static func error(_ status: Int, _ code: String, retryAfter: String? = nil) -> HTTPServer.Response {
    let error: JSON = ["error": ["status": "SOME_STATUS", "details": [[:], ["errorCode": .string(code)]]]]
    return HTTPServer.Response(
      status: status, headers: retryAfter.map { [("Retry-After", $0)] } ?? [], body: error.bytes)
  }

  /// The next answers to push messages, or to requests for tokens.
  func answer(_ answers: HTTPServer.Response...) { state.withLock { $0.answers = answers } }
  func answerTokenRequests(_ answers: HTTPServer.Response...) { state.withLock { $0.tokenAnswers = answers } }

  /// Lets the answers to push messages wait, or go.
  func hold(_ isHeld: Bool) { state.withLock { $0.isHeld = isHeld } }

  /// Takes back the access token of the moment.
  func expireToken() { state.withLock { $0.tokens += 1 } }

  var tokenRequests: [Request] { state.withLock { $0.requests.filter { $0.path == "/token" } } }
  var pushes: [Request] { state.withLock { $0.requests.filter { $0.path != "/token" } } }

  /// The push messages, as soon as there are so many.
  func waitForPushes(_ count: Int) -> [Request] {
    state.wait(milliseconds: 20_000) { state in
      let pushes = state.requests.filter { $0.path != "/token" }
      return pushes.count >= count ? pushes : nil
    } ?? []
  }

  /// The service account of the project "a-project".
  var accountFile: JSON {
    [
      "type": "service_account", "project_id": "a-project", "private_key_id": "key-1",
      "private_key": .string(String(decoding: keys.pem, as: UTF8.self)),
      "client_email": "push@a-project.example", "token_uri": "https://127.0.0.1/token",
    ]
  }

  /// Firebase without TLS, which settings do not allow.
  func firebase() throws -> Firebase {
    var account = try ServiceAccount(accountFile)
    account.tokenURL = server.endpoint + "/token"
    return Firebase(account, endpoint: server.endpoint)
  }

  private struct NoKeyPair: Error {}
}
