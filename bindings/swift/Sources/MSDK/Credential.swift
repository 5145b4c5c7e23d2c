public import CMSDKCalls
internal import CMSDK

/// A credential, from its offer on. The library's object is released with the last reference.
public final class Credential: Sendable {
  public enum State: UInt32, Sendable {
    case failed = 0
    case requested = 2
    case offered = 3
    /// The credential is in the wallet.
    case stored = 4
    case declined = 9
  }

  /// The number of the object for functions of `CMSDK`.
  public let handle: UInt32

  private init(_ handle: UInt32) { self.handle = handle }

  deinit { _ = vcx_credential_release(handle) }

  /// Takes up an offer: the text of a message of the kind `credential-offer`.
  public static func offered(_ offer: String, name: String) async throws(MSDKError) -> Credential {
    Credential(try await Call.number { vcx_credential_create_with_offer($0, name, offer, $1) })
  }

  public static func restore(_ text: String) async throws(MSDKError) -> Credential {
    Credential(try await Call.number { vcx_credential_deserialize($0, text, $1) })
  }

  /// Accepts the offer. An offer that an invitation brought may be accepted without a connection, if its issuer answers in the
  /// HTTP response, as ACA-Py does.
  public func accept(over connection: Connection?) async throws(MSDKError) {
    try await Call.done { vcx_credential_send_request($0, handle, connection?.handle ?? 0, 0, $1) }
  }

  /// Looks into the mailbox once.
  @discardableResult
  public func update() async throws(MSDKError) -> State {
    State(rawValue: try await Call.number { vcx_credential_update_state($0, handle, $1) }) ?? .failed
  }

  /// Waits until the credential is in the wallet. Returns the state in which the exchange ended. Throws `CancellationError`
  /// if the task is cancelled.
  public func stored(every pause: Duration = .milliseconds(300)) async throws -> State {
    try await reach([.stored, .failed, .declined], every: pause) { try await update() }
  }

  /// Rejects the offer.
  public func decline(over connection: Connection?, comment: String? = nil) async throws(MSDKError) {
    try await Call.done { vcx_credential_reject($0, handle, connection?.handle ?? 0, comment, $1) }
  }

  /// Asks the registry whether the issuer has revoked the stored credential.
  public var isRevoked: Bool {
    get async throws(MSDKError) { try await Call.bool { msdk_credential_is_revoked($0, handle, $1) } }
  }

  /// The id of the exchange's thread.
  public var threadID: String {
    get async throws(MSDKError) { try await Call.text { msdk_credential_get_thread_id($0, handle, $1) } ?? "" }
  }

  /// The stored credential's facts, as JSON text.
  public var info: String {
    get async throws(MSDKError) { try await Call.text { vcx_credential_get_info($0, handle, $1) } ?? "" }
  }

  public func serialized() async throws(MSDKError) -> String {
    try await Call.text { vcx_credential_serialize($0, handle, $1) } ?? ""
  }
}
