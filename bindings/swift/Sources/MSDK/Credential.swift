public import CMSDKCalls
internal import CMSDK

/// A credential, from its offer or from a proposal of this side on. The library's object is released with the last reference.
public final class Credential: Sendable {
  public enum State: UInt32, Sendable {
    case failed = 0
    /// A proposal that is not sent.
    case created = 1
    case requested = 2
    case offered = 3
    /// The credential is in the wallet.
    case stored = 4
    case declined = 9
    /// The proposal is sent.
    case proposed = 10
  }

  /// A credential that this side proposes. `filter` names the definition, by `cred_def_id` or other members.
  public struct Proposal: Sendable, Encodable {
    public var attributes: [String: String]?
    public var filter: [String: String]?

    public init(attributes: [String: String]? = nil, filter: [String: String]? = nil) {
      (self.attributes, self.filter) = (attributes, filter)
    }
  }

  /// The number of the object for functions of `CMSDK`.
  public let handle: UInt32

  public init(_ handle: UInt32) { self.handle = handle }

  deinit { _ = vcx_credential_release(handle) }

  /// Takes up an offer: the text of a message of the kind `credential-offer`. Make sure that the peer sent it, as
  /// ``Connection/next(_:every:)`` does: the library does not know from where the text came.
  public static func offered(_ offer: String, name: String) async throws(MSDKError) -> Credential {
    Credential(try await Call.number { vcx_credential_create_with_offer($0, name, offer, $1) })
  }

  /// A credential that this side proposes; ``propose(over:)`` sends the proposal.
  public static func proposing(
    _ proposal: Proposal, name: String, comment: String? = nil, in form: ExchangeForm = ExchangeForm()
  ) async throws(MSDKError) -> Credential {
    let (text, options) = (JSONText.of(proposal), form.text)
    return Credential(
      try await Call.number { msdk_credential_create_proposal($0, name, text, comment, options, $1) })
  }

  public static func restore(_ text: String) async throws(MSDKError) -> Credential {
    Credential(try await Call.number { vcx_credential_deserialize($0, text, $1) })
  }

  /// Sends the proposal.
  public func propose(over connection: Connection) async throws(MSDKError) {
    try await Call.done { msdk_credential_send_proposal($0, handle, connection.handle, $1) }
  }

  /// Answers the offer with a proposal of another credential.
  public func propose(
    instead proposal: Proposal, over connection: Connection, comment: String? = nil
  ) async throws(MSDKError) {
    let text = JSONText.of(proposal)
    try await Call.done { msdk_credential_propose_instead($0, handle, connection.handle, text, comment, $1) }
  }

  /// Waits until the issuer has answered the proposal, with an offer or with a refusal.
  public func offered(every pause: Duration = .milliseconds(300)) async throws -> State {
    try await reach([.offered, .failed, .declined], every: pause) { try await update() }
  }

  /// The message with the offer.
  public var offer: String {
    get async throws(MSDKError) { try await Call.text { msdk_credential_get_offer($0, handle, $1) } ?? "" }
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
