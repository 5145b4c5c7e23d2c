package import AgencyWire
internal import HTTP
internal import JSON
internal import Threading
internal import Time

/// Gets a token for a user from the sponsor's backend. Returns nil if the backend gives none.
package typealias TokenSource = @Sendable (_ sponseeID: String, _ sponsor: Sponsor) -> ProvisionToken?

/// The backends of sponsors who hand out their tokens through the agency.
final class SponsorBackends: Sendable {
  private let client = HTTPClient(timeout: 5, maximumBody: 64 << 10)
  private let underway = Locked(0)
  private let clock: Clock

  /// The highest number of concurrent requests. Each blocks one of the server's threads.
  private static let limit = 8

  init(clock: @escaping Clock) { self.clock = clock }

  /// The backend's answer to `{"sponseeId": …}`, which is signed like a notification. Blocks for five seconds at most.
  func token(for sponseeID: String, of sponsor: Sponsor) -> ProvisionToken? {
    guard let endpoint = sponsor.tokenEndpoint, enter() else { return nil }
    defer { underway.withLock { $0 -= 1 } }
    let body = (["sponseeId": .string(sponseeID)] as JSON).bytes
    let headers = sponsor.webhookSecret.map {
      WebhookSignature(secret: $0).headers(id: .randomUUID(), time: clock(), body: body)
    }
    guard let answer = try? client.post(body, to: endpoint, contentType: "application/json", headers: headers ?? []),
      answer.isSuccess, let object = try? JSON(parsing: answer.body).requireObject()
    else { return nil }
    return try? ProvisionToken(object)
  }

  private func enter() -> Bool {
    underway.withLock { count in
      guard count < Self.limit else { return false }
      count += 1
      return true
    }
  }
}
