internal import Credentials

/// How long a holder tries to deliver an ack. The credential is in the wallet by then, and an issuer's server that never takes the
/// ack must not keep the exchange from its end, also if each attempt is another process's.
struct AckPatience: Sendable {
  /// The time of the storing, in seconds since 1970; nil if an older version has stored the credential.
  private let stored: Int64?

  private static let seconds = 60

  init(since stored: Int64?) { self.stored = stored }

  /// The patience for the ack of a stored credential.
  init(with id: String, in credentials: CredentialStore) throws { self.init(since: try credentials.found(id).received) }

  /// Whether a failed delivery ends the attempts: at once if another attempt would give the same result, otherwise a minute
  /// after the storing. A time that is ahead counts as over: the clock was set back.
  func isOver(after error: DeliveryError, at now: Int64) -> Bool {
    guard Self.isTemporary(error), let stored else { return true }
    let (age, isTooLong) = now.subtractingReportingOverflow(stored)
    return isTooLong || age.magnitude >= Self.seconds
  }

  /// Whether a server may take the same message later.
  private static func isTemporary(_ error: DeliveryError) -> Bool {
    switch error {
    case .refused(let status): status >= 500 || status == 408 || status == 429
    case .unreachable(.invalidURL), .unreachable(.notPublic): false
    case .unreachable: true
    }
  }
}
