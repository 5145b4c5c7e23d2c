internal import HTTP
internal import JSON
internal import Threading
internal import Time

/// The access tokens of a service account. They are fetched on demand, and kept until shortly before their end.
final class AccessTokens: Sendable {
  struct Token: Equatable {
    let text: String

    /// The end of the token's use, in seconds since 1970.
    let end: Int64
  }

  private struct State {
    /// The result of the last fetch; nil before the first.
    var last: Result<Token, NoAccessToken>?
    var fetches = 0
    var isFetching = false
  }

  private enum Turn {
    case use(Result<Token, NoAccessToken>)
    case fetch
  }

  private let account: ServiceAccount
  private let client: HTTPClient
  private let state = Monitor(State())

  /// The seconds before its end at which a token is replaced, so that it is still valid when it reaches Firebase.
  private static let margin: Int64 = 60

  init(_ account: ServiceAccount, _ client: HTTPClient) {
    self.account = account
    self.client = client
  }

  /// Returns a valid token that is not the refused one. One thread fetches it; other threads wait, and share the
  /// result, also a failure.
  func token(except refused: Token? = nil, _ clock: Clock) throws(NoAccessToken) -> Token {
    let fetches = state.withLock { $0.fetches }
    let turn = state.wait { state -> Turn? in
      if state.isFetching { return nil }
      switch state.last {
      case .success(let token)? where token != refused && clock() < token.end: return .use(.success(token))
      case .failure(let failure)? where state.fetches != fetches: return .use(.failure(failure))
      default:
        state.isFetching = true
        return .fetch
      }
    }
    switch turn {
    case .use(let result): return try result.get()
    case .fetch: return try fetch(clock).get()
    }
  }

  private func fetch(_ clock: Clock) -> Result<Token, NoAccessToken> {
    let result: Result<Token, NoAccessToken>
    do throws(NoAccessToken) {
      result = .success(try exchange(at: clock()))
    } catch {
      result = .failure(error)
    }
    state.withLock { state in
      state.last = result
      state.fetches += 1
      state.isFetching = false
    }
    return result
  }

  /// Exchanges the account's assertion for a token.
  private func exchange(at time: Int64) throws(NoAccessToken) -> Token {
    let response: HTTPClient.Response
    do {
      // The characters of an assertion need no escapes in a form.
      let form = try Self.grant + account.assertion(at: time)
      response = try client.post(
        Array(form.utf8), to: account.tokenURL, contentType: "application/x-www-form-urlencoded")
    } catch {
      throw NoAccessToken(reason: "\(error)")
    }
    guard response.isSuccess else {
      throw NoAccessToken(reason: "status \(response.status)", pause: response.retryAfter)
    }
    // The reason quotes nothing of the answer, which may hold a token.
    guard let answer = try? JSON(parsing: response.body), let text = answer["access_token"]?.string,
      Self.isToken(text)
    else { throw NoAccessToken(reason: "the answer holds none") }
    let seconds = max(0, min(answer["expires_in"]?.integer ?? Self.longestLife, Self.longestLife))
    return Token(text: text, end: time + seconds - Self.margin)
  }

  private static let grant = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion="

  /// The lifetime of Google's tokens in seconds.
  private static let longestLife: Int64 = 3600

  /// The text becomes a part of a header line.
  private static func isToken(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 8192 && text.utf8.allSatisfy { 0x21...0x7e ~= $0 }
  }
}

/// The reason why there is no access token. It quotes neither the assertion nor a token.
struct NoAccessToken: Error {
  let reason: String

  /// The seconds after which the server wants to be asked again; 0 if it does not say.
  var pause = 0
}
